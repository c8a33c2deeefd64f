// exchange_unused.c for AArch64 with LSE. The old value goes to a register, though nobody uses it.
	.globl	P0
	.type	P0,@function
P0:
	adrp	x8, x
	mov	w9, #1
	str	w9, [x8, :lo12:x]
	adrp	x10, y
	add	x10, x10, :lo12:y
	stlr	w9, [x10]
	ret
	.size	P0, .-P0
	.globl	P1
	.type	P1,@function
P1:
	adrp	x9, y
	add	x9, x9, :lo12:y
	mov	w8, #2
	swp	w8, w11, [x9]
	dmb	ishld
	adrp	x10, x
	ldr	w8, [x10, :lo12:x]
	adrp	x9, r0
	str	w8, [x9, :lo12:r0]
	ret
	.size	P1, .-P1
	.bss
	.globl	x
	.p2align	2
x:	.word	0
	.globl	y
	.p2align	2
y:	.word	0
	.globl	r0
	.p2align	2
r0:	.word	0
