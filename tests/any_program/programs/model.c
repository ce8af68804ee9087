/* A triad, twice, behind a sweep that fills every cache; on a stack of its own. It prints all addresses: what a model of
   caches must say of it is known. */
#include <stdio.h>

enum { n = 4096, lines = 1 << 14, stack_bytes = 4096 };
__attribute__((aligned(64))) double sweep[lines * 8], a[n], b[n], c[n];
__attribute__((aligned(64))) char stack[stack_bytes];

__asm__(
    ".text\n.globl triad\n.type triad, @function\n"
    "triad: xor %eax, %eax\n"
    "1: vmovapd c(%rax), %ymm0\nvfmadd213pd b(%rax), %ymm1, %ymm0\nvmovapd %ymm0, a(%rax)\n"
    "add $32, %rax\ncmp $32768, %rax\njne 1b\nret\n.size triad, .-triad\n"
    ".globl measured\n.type measured, @function\n"
    "measured: mov %rsp, %r11\nmov $stack+4096, %rsp\n"
    "mov $3, %eax\nvcvtsi2sd %eax, %xmm1, %xmm1\nvbroadcastsd %xmm1, %ymm1\n"
    "xor %eax, %eax\n2: mov sweep(%rax), %rcx\nadd $64, %rax\ncmp $1048576, %rax\njne 2b\n"
    "call triad\ncall triad\nmov %r11, %rsp\nret\n.size measured, .-measured\n");
void measured(void);

int main(void) {
  measured();
  printf("%lu %lu %lu %lu %lu\n", (unsigned long)sweep, (unsigned long)a, (unsigned long)b, (unsigned long)c,
         (unsigned long)stack + stack_bytes);
  return 0;
}
