# Message passing in which the reader has no order.
# litmus: ~exists (r0=1 /\ r1=0)
	.text
	.globl	P0
P0:
	lui	a0, %hi(x)
	li	a1, 1
	sw	a1, %lo(x)(a0)
	fence	rw, w
	lui	a0, %hi(y)
	sw	a1, %lo(y)(a0)
	ret
	.globl	P1
P1:
	lw	a0, y
	lw	a1, x
	sw	a0, r0, a2
	sw	a1, r1, a2
	ret
	.section	.sbss,"aw",@nobits
	.p2align	2
x:	.word	0
	.p2align	2
y:	.word	0
	.p2align	2
r0:	.word	0
	.p2align	2
r1:	.word	0
