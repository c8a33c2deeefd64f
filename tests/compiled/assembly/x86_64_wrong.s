# Store buffering without a fence, as compilers write it with optimisation.
# litmus: ~exists (r0=0 /\ r1=0)
	.text
	.globl	P0
P0:
	movl	$1, x(%rip)
	movl	y(%rip), %eax
	movl	%eax, r0(%rip)
	retq
	.globl	P1
P1:
	movl	$1, y(%rip)
	movl	x(%rip), %eax
	movl	%eax, r1(%rip)
	retq
	.bss
	.p2align	2
x:	.long	0
	.p2align	2
y:	.long	0
	.p2align	2
r0:	.long	0
	.p2align	2
r1:	.long	0
