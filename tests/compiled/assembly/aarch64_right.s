// Message passing as compilers write it without optimisation: values go through the stack, one of them in a function of its own.
// litmus: ~exists (r0=1 /\ r1=0)
	.arch armv8-a
	.text
	.type	set, %function
set:
	sub	sp, sp, #16
	str	x0, [sp, 8]
	str	w1, [sp, 4]
	ldr	w9, [sp, 4]
	ldr	x8, [sp, 8]
	stlr	w9, [x8]
	add	sp, sp, 16
	ret
	.size	set, .-set
	.globl	P0
	.type	P0, %function
P0:
	stp	x29, x30, [sp, -16]!
	mov	x29, sp
	mov	w1, 1
	adrp	x8, :got:x
	ldr	x8, [x8, :got_lo12:x]
	str	w1, [x8]
	adrp	x0, y
	add	x0, x0, :lo12:y
	bl	set
	ldp	x29, x30, [sp], 16
	ret
	.size	P0, .-P0
	.globl	P1
	.type	P1, %function
P1:
	sub	sp, sp, #16
	adrp	x8, y
	add	x8, x8, :lo12:y
	ldar	w8, [x8]
	str	w8, [sp, 12]
	ldr	w8, [sp, 12]
	adrp	x9, r0
	str	w8, [x9, :lo12:r0]
	adrp	x8, x
	ldr	w8, [x8, #:lo12:x]
	str	w8, [sp, 8]
	ldr	w8, [sp, 8]
	adrp	x9, r1
	str	w8, [x9, :lo12:r1]
	add	sp, sp, 16
	ret
	.size	P1, .-P1
	.comm	x,4,4
	.comm	y,4,4
	.bss
	.align	2
r0:	.zero	4
	.align	2
r1:	.zero	4
