# Message passing in which the writer has no order.
# litmus: ~exists (r0=1 /\ r1=0)
	.abiversion 2
	.text
	.globl	P0
P0:
	addis 3, 2, x@toc@ha
	li 4, 1
	addis 5, 2, y@toc@ha
	stw 4, x@toc@l(3)
	stw 4, y@toc@l(5)
	blr
	.globl	P1
P1:
	addis 3, 2, y@toc@ha
	lwz 3, y@toc@l(3)
	cmpd 7, 3, 3
	bne- 7, .+4
	isync
	addis 4, 2, x@toc@ha
	lwz 4, x@toc@l(4)
	addis 5, 2, r0@toc@ha
	addis 6, 2, r1@toc@ha
	stw 3, r0@toc@l(5)
	stw 4, r1@toc@l(6)
	blr
	.bss
	.p2align	2
x:	.long	0
	.p2align	2
y:	.long	0
	.p2align	2
r0:	.long	0
	.p2align	2
r1:	.long	0
