// Message passing without order, as compilers write it with optimisation.
// litmus: ~exists (r0=1 /\ r1=0)
	.text
	.globl	P0
P0:
	adrp	x8, x
	mov	w9, #1
	str	w9, [x8, :lo12:x]
	adrp	x8, y
	str	w9, [x8, :lo12:y]
	ret
	.globl	P1
P1:
	adrp	x8, y
	adrp	x9, x
	ldr	w8, [x8, :lo12:y]
	ldr	w9, [x9, :lo12:x]
	adrp	x10, r0
	adrp	x11, r1
	str	w8, [x10, :lo12:r0]
	str	w9, [x11, :lo12:r1]
	ret
	.bss
	.p2align	2
x:	.word	0
	.p2align	2
y:	.word	0
	.p2align	2
r0:	.word	0
	.p2align	2
r1:	.word	0
