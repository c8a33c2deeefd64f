# Message passing as compilers write it without optimisation: values go through the stack, one of them in a function of its own.
# litmus: ~exists (r0=1 /\ r1=0)
	.abiversion 2
	.text
	.type	set, @function
set:
	std 31,-8(1)
	stdu 1,-64(1)
	mr 31,1
	std 3,40(31)
	stw 4,32(31)
	lwz 9,32(31)
	ld 10,40(31)
	lwsync
	stw 9,0(10)
	addi 1,31,64
	ld 31,-8(1)
	blr
	.size	set, .-set
	.globl	P0
	.type	P0, @function
P0:
.LCF0:
0:	addis 2,12,.TOC.-.LCF0@ha
	addi 2,2,.TOC.-.LCF0@l
	.localentry	P0,.-P0
	mflr 0
	std 0,16(1)
	stdu 1,-32(1)
	addis 9,2,x@toc@ha
	li 10,1
	stw 10,x@toc@l(9)
	li 4,1
	addis 3,2,.LC0@toc@ha
	ld 3,.LC0@toc@l(3)
	bl set
	nop
	addi 1,1,32
	ld 0,16(1)
	mtlr 0
	blr
	.size	P0, .-P0
	.globl	P1
	.type	P1, @function
P1:
	addis 9,2,y@toc@ha
	addi 9,9,y@toc@l
	lwz 9,0(9)
	cmpw 0,9,9
	bne- 0,$+4
	isync
	addis 10,2,r0@toc@ha
	stw 9,r0@toc@l(10)
	addis 9,2,x@toc@ha
	lwz 9,x@toc@l(9)
	addis 10,2,r1@toc@ha
	stw 9,r1@toc@l(10)
	blr
	.size	P1, .-P1
	.section	.toc,"aw"
.LC0:
	.quad	y
	.lcomm	x,4,4
	.lcomm	y,4,4
	.lcomm	r0,4,4
	.lcomm	r1,4,4
