# Message passing as compilers write it without optimisation: values go through the stack, one of them in a function of its own.
# litmus: ~exists (r0=1 /\ r1=0)
	.option pic
	.text
	.type	set, @function
set:
	addi	sp,sp,-32
	sd	s0,24(sp)
	addi	s0,sp,32
	sd	a0,-24(s0)
	sw	a1,-28(s0)
	ld	a5,-24(s0)
	lw	a4,-28(s0)
	fence iorw,ow; amoswap.w zero,a4,0(a5)
	ld	s0,24(sp)
	addi	sp,sp,32
	jr	ra
	.size	set, .-set
	.globl	P0
	.type	P0, @function
P0:
	addi	sp,sp,-16
	sd	ra,8(sp)
	li	a5,1
	sw	a5,x,a4
	li	a1,1
	lla	a0,y
	call	set
	ld	ra,8(sp)
	addi	sp,sp,16
	ret
	.size	P0, .-P0
	.globl	P1
	.type	P1, @function
P1:
.Lpcrel_hi0:
	auipc	a0, %pcrel_hi(y)
	lw	a0, %pcrel_lo(.Lpcrel_hi0)(a0)
	fence	r, rw
	lui	a1, %hi(x)
	lw	a1, %lo(x)(a1)
.Lpcrel_hi1:
	auipc	a2, %got_pcrel_hi(r0)
	ld	a2, %pcrel_lo(.Lpcrel_hi1)(a2)
	sw	a0, 0(a2)
	la	a2, r1
	sw	a1, 0(a2)
	ret
	.size	P1, .-P1
	.bss
	.align	2
x:	.zero	4
	.align	2
y:	.zero	4
	.align	2
r0:	.zero	4
	.align	2
r1:	.zero	4
