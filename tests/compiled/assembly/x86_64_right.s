# Store buffering with an exchange, as compilers write it without optimisation: values go through the stack, in a function that both threads run.
# litmus: threads run(0), run(1)
# litmus: ~exists (seen[0]=0 /\ seen[1]=0)
	.text
	.type	set, @function
set:
	pushq	%rbp
	movq	%rsp, %rbp
	movq	%rdi, -8(%rbp)
	movl	$1, -12(%rbp)
	movl	-12(%rbp), %eax
	movq	-8(%rbp), %rdx
	xchgl	(%rdx), %eax
	popq	%rbp
	ret
	.size	set, .-set
	.globl	run
	.type	run, @function
run:
	pushq	%rbp
	movq	%rsp, %rbp
	subq	$16, %rsp
	movq	%rdi, -8(%rbp)
	movq	-8(%rbp), %rax
	leaq	0(,%rax,4), %rdx
	leaq	flag(%rip), %rdi
	addq	%rdx, %rdi
	call	set@PLT
	cmpq	$0, -8(%rbp)
	jne	.L2
	movl	flag+4(%rip), %eax
	movl	%eax, 0+seen(%rip)
	jmp	.L3
.L2:
	movl	flag(%rip), %eax
	movq	seen@GOTPCREL(%rip), %rdx
	movl	%eax, 4(%rdx)
.L3:
	leave
	ret
	.size	run, .-run
	.bss
	.globl	flag
	.align 4
flag:	.zero	8
	.globl	seen
	.align 4
seen:	.zero	8
