// SPDX-License-Identifier: MIT
// The ways from copied code into the counter and back. The offsets at GS are those of Slot.
#include "bench/any_program/counter/counter.hpp"

// slow: RAX is an address of the program whose copy is wanted; RAX, RCX and RDX of the program are saved. slow_link:
// the jump at Slot::link shall lead there from then on. call_gate: RCX is the place of a system call in a copy.
asm(R"(
.text
.globl runtime_begin, slow, slow_link, after_push, after_second_push, after_pop, call_gate, clone_site
.globl signal_entry, signal_return, runtime_end, begin
.hidden runtime_begin, slow, slow_link, after_push, after_second_push, after_pop, call_gate, clone_site
.hidden signal_entry, signal_return, runtime_end
.hidden look_up, translate_for, on_call, on_signal, first_steps
.macro enter_runtime label
  mov %rsp, %gs:0x20
  mov %gs:0x28, %rsp
  pushfq
\label:
  push %rbx; push %rbp; push %rsi; push %rdi
  push %r8; push %r9; push %r10; push %r11; push %r12; push %r13; push %r14; push %r15
  pushq $2  # neither steps nor alignment checks nor backwards, whatever the program has
  popfq
  mov %rsp, %rbp
  and $-64, %rsp
.endm
.macro with_vectors function
  sub $4096, %rsp
  xor %eax, %eax
  mov %rax, 512(%rsp); mov %rax, 520(%rsp); mov %rax, 528(%rsp); mov %rax, 536(%rsp)
  mov %rax, 544(%rsp); mov %rax, 552(%rsp); mov %rax, 560(%rsp); mov %rax, 568(%rsp)
  mov $0xe7, %eax
  xor %edx, %edx
  xsave64 (%rsp)
  rdfsbase %r12
  lea own_fs(%rip), %rax
  wrfsbase %rax
  call \function
  wrfsbase %r12
  mov %rax, %r13
  mov $0xe7, %eax
  xor %edx, %edx
  xrstor64 (%rsp)
  mov %r13, %rax
.endm

runtime_begin:
slow:
  movq $0, %gs:0x30
slow_link:
  enter_runtime after_push
  mov %rax, %r14
  mov %gs:0x30, %r15
  mov %r14, %rdi
  mov %r15, %rsi
  call look_up
  test %rax, %rax
  jnz leave
  mov %r14, %rdi
  mov %r15, %rsi
  with_vectors translate_for
leave:
  mov %rax, %gs:0x18
  mov %rbp, %rsp
  pop %r15; pop %r14; pop %r13; pop %r12; pop %r11; pop %r10; pop %r9; pop %r8
  pop %rdi; pop %rsi; pop %rbp; pop %rbx
  popfq
after_pop:
  mov %gs:0x20, %rsp
  mov %gs:0x10, %rdx
  mov %gs:8, %rcx
  mov %gs:0, %rax
  jmp *%gs:0x18

call_gate:
  mov %rax, %gs:0
  mov %rcx, %gs:8
  mov %rdx, %gs:0x10
  enter_runtime after_second_push
  mov %rbp, %rdi
  mov %rcx, %rsi
  with_vectors on_call
  test %rax, %rax
  jnz leave
  mov %gs:8, %rax
  jmp leave

# The call that makes a thread. The new one finds its region below its stack.
clone_site:
  syscall
  mov %rax, %rcx
  jrcxz 1f
  jmp *%gs:0x40
1: mov -136(%rsp), %rcx
  wrgsbase %rcx
  jmp *%gs:0x40

# As the kernel calls a handler: RDI, RSI, RDX, and the return address is the program's own.
signal_entry:
  pushq $2
  popfq
  push %rdi; push %rsi; push %rdx
  mov %rsp, %rbx
  and $-64, %rsp
  rdfsbase %r12
  lea own_fs(%rip), %rax
  wrfsbase %rax
  call on_signal
  wrfsbase %r12
  mov %rbx, %rsp
  pop %rdx; pop %rsi; pop %rdi
  test %rax, %rax
  jz 1f
  jmp *%rax
1: add $8, %rsp
signal_return:
  mov $15, %eax
  syscall

# The first instruction of the process that is executed; RDI: the ledger. All other registers are the program's.
begin:
  mov %rsp, %rbp
  and $-64, %rsp
  with_vectors first_steps
  mov %rbp, %rsp
  mov %rax, %rcx
  xor %eax, %eax
  xor %ebp, %ebp; xor %edx, %edx; xor %esi, %esi; xor %edi, %edi; xor %ebx, %ebx
  xor %r8d, %r8d; xor %r9d, %r9d; xor %r10d, %r10d; xor %r11d, %r11d
  xor %r12d, %r12d; xor %r13d, %r13d; xor %r14d, %r14d; xor %r15d, %r15d
  mov %rcx, %gs:0x18
  xor %ecx, %ecx
  jmp *%gs:0x18
runtime_end:

.data
.balign 64
own_fs: .zero 64
.text
)");
