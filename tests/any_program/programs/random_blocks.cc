// Executes random blocks of machine code, with all encodings that this CPU has, and prints a number for the registers,
// flags, memory and faults that each leaves: random_blocks SEED COUNT. Built with -no-pie it prints the
// same numbers in every run.
#include <Zydis/Zydis.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

using Byte = unsigned char;
using Word = std::uint64_t;

/// All that a block may read and change.
struct State {
  Word general[16];  // RAX, RCX, RDX, RBX, -, RBP, RSI, RDI, R8 to R15; R15 points to the middle of `memory`
  Word flags;
  alignas(64) Byte vectors[4096];
  alignas(64) Byte memory[8192];
};
extern "C" {
State state;
Word own_stack;
unsigned components;  // of the vector state, as many as this CPU has
void call_block(const void* code);
}

namespace {

Word seed;
Word random_word() {
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return seed;
}
unsigned below(unsigned n) { return static_cast<unsigned>(random_word() >> 33) % n; }

__asm__(R"(
call_block:
  push %rbx; push %rbp; push %r12; push %r13; push %r14; push %r15
  mov %rsp, own_stack(%rip)
  mov %rdi, %rbx
  mov components(%rip), %eax
  xor %edx, %edx
  lea state+192(%rip), %rcx
  xrstor64 (%rcx)
  push %rbx
  pushq state+128(%rip)
  popfq
  mov state(%rip), %rax
  mov state+8(%rip), %rcx
  mov state+16(%rip), %rdx
  mov state+24(%rip), %rbx
  mov state+40(%rip), %rbp
  mov state+48(%rip), %rsi
  mov state+56(%rip), %rdi
  mov state+64(%rip), %r8
  mov state+72(%rip), %r9
  mov state+80(%rip), %r10
  mov state+88(%rip), %r11
  mov state+96(%rip), %r12
  mov state+104(%rip), %r13
  mov state+112(%rip), %r14
  mov state+120(%rip), %r15
  call *(%rsp)
  mov %rax, state(%rip)
  mov %rcx, state+8(%rip)
  mov %rdx, state+16(%rip)
  mov %rbx, state+24(%rip)
  mov %rbp, state+40(%rip)
  mov %rsi, state+48(%rip)
  mov %rdi, state+56(%rip)
  mov %r8, state+64(%rip)
  mov %r9, state+72(%rip)
  mov %r10, state+80(%rip)
  mov %r11, state+88(%rip)
  mov %r12, state+96(%rip)
  mov %r13, state+104(%rip)
  mov %r14, state+112(%rip)
  pushfq
  popq state+128(%rip)
  cld
  mov components(%rip), %eax
  xor %edx, %edx
  lea state+192(%rip), %rcx
  xsave64 (%rcx)
  mov own_stack(%rip), %rsp
  emms
  pop %r15; pop %r14; pop %r13; pop %r12; pop %rbp; pop %rbx
  ret
)");

sigjmp_buf back;
Byte* code;
volatile int fault, fault_at;

void on_fault(int signal, siginfo_t*, void* context) {
  const auto& machine = static_cast<ucontext_t*>(context)->uc_mcontext;
  fault = signal;
  fault_at = static_cast<int>(machine.gregs[REG_RIP] - reinterpret_cast<greg_t>(code));
  for (int i = 0; i < 8; ++i) state.general[8 + i] = static_cast<Word>(machine.gregs[REG_R8 + i]);
  state.general[0] = static_cast<Word>(machine.gregs[REG_RAX]),
  state.general[1] = static_cast<Word>(machine.gregs[REG_RCX]);
  siglongjmp(back, 1);
}

bool may_run(const ZydisDecodedInstruction& it, const ZydisDecodedOperand* operands) {
  if (it.meta.branch_type != ZYDIS_BRANCH_TYPE_NONE || (it.attributes & ZYDIS_ATTRIB_IS_PRIVILEGED)) return false;
  switch (it.meta.category) {
    case ZYDIS_CATEGORY_SYSCALL:
    case ZYDIS_CATEGORY_SYSRET:
    case ZYDIS_CATEGORY_SYSTEM:
    case ZYDIS_CATEGORY_INTERRUPT:
    case ZYDIS_CATEGORY_IO:
    case ZYDIS_CATEGORY_IOSTRINGOP:
    case ZYDIS_CATEGORY_XSAVE:
    case ZYDIS_CATEGORY_XSAVEOPT:
    case ZYDIS_CATEGORY_RDRAND:
    case ZYDIS_CATEGORY_RDSEED:
    case ZYDIS_CATEGORY_RET:
    case ZYDIS_CATEGORY_SEGOP:
    case ZYDIS_CATEGORY_X87_ALU:  // their state names the instruction's address
    case ZYDIS_CATEGORY_FCMOV:
    case ZYDIS_CATEGORY_MMX:
    case ZYDIS_CATEGORY_CET:
    case ZYDIS_CATEGORY_RDPID:
    case ZYDIS_CATEGORY_RDPRU:
    case ZYDIS_CATEGORY_CLZERO:
    case ZYDIS_CATEGORY_STRINGOP:
      return false;
    default:
      break;
  }
  const char* const name = ZydisMnemonicGetString(it.mnemonic);
  for (const char* const other :
       {"cpuid",  "xgetbv",  "ldmxcsr", "vldmxcsr",  "rdtsc",  "popf",     "pushf",   "std",         "enter",
        "leave",  "monitor", "mwait",   "tpause",    "umwait", "xlat",     "maskmov", "vmaskmovdqu", "clflush",
        "clwb",   "clac",    "stac",    "serialize", "rdpmc",  "ud",       "movdir",  "enqcmd",      "fx",
        "wr",     "rdfs",    "rdgs",    "rdssp",     "incssp", "senduipi", "uiret",   "clui",        "stui",
        "testui", "emms",    "femms",   "lar",       "lsl",    "ver",      "sgdt",    "sidt",        "sldt",
        "str",    "smsw",    "hreset",  "ptwrite",   "xtest",  "xabort",   "xend"})
    if (std::strncmp(name, other, std::strlen(other)) == 0) return false;
  for (int i = 0; i < it.operand_count; ++i) {
    const auto& o = operands[i];
    const bool writes = (o.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
    if (o.type == ZYDIS_OPERAND_TYPE_REGISTER) {
      const auto whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, o.reg.value);
      if (whole == ZYDIS_REGISTER_RSP || (whole == ZYDIS_REGISTER_R15 && writes)) return false;
      const auto kind = ZydisRegisterGetClass(o.reg.value);
      if (kind == ZYDIS_REGCLASS_X87 || kind == ZYDIS_REGCLASS_MMX || kind == ZYDIS_REGCLASS_SEGMENT) return false;
    }
    if (o.type != ZYDIS_OPERAND_TYPE_MEMORY || o.mem.type == ZYDIS_MEMOP_TYPE_AGEN) continue;
    if (std::strncmp(name, "bt", 2) == 0) return false;  // a bit far away, where the counter may have memory
    if (o.mem.base != ZYDIS_REGISTER_R15 || o.mem.segment == ZYDIS_REGISTER_FS || o.mem.segment == ZYDIS_REGISTER_GS)
      return false;
    if (o.mem.index != ZYDIS_REGISTER_NONE && o.mem.type != ZYDIS_MEMOP_TYPE_VSIB) return false;
  }
  return it.address_width == 64;
}

/// A random instruction that may be run, at `to`. Returns its length.
unsigned add_instruction(const ZydisDecoder& decoder, Byte* to) {
  for (;;) {
    Byte bytes[15];
    for (auto& byte : bytes) byte = static_cast<Byte>(random_word() >> 20);
    unsigned n = 0;
    const unsigned form = below(10);
    if (form < 4) {  // EVEX; a base register of R15 has B = 0
      bytes[n++] = 0x62, bytes[n] = static_cast<Byte>((bytes[n] & 0xd0) | (1 + below(below(4) ? 3 : 6))), ++n;
      bytes[n] = static_cast<Byte>(bytes[n] | 4), n += 2;
    } else if (form < 6) {
      bytes[n++] = 0xc4, bytes[n] = static_cast<Byte>((bytes[n] & 0xc0) | (1 + below(3))), n += 2;
    } else {
      if (below(3) == 0) bytes[n++] = static_cast<Byte>(below(2) ? 0x66 : below(2) ? 0xf2 : 0xf3);
      bytes[n] = static_cast<Byte>(0x41 | (bytes[n] & 0x0e)), ++n;
      if (below(2)) bytes[n++] = 0x0f;
    }
    ++n;  // the opcode
    Byte& modrm = bytes[n];
    if (below(2)) {
      modrm |= 0xc0;
    } else {
      modrm = static_cast<Byte>((modrm & 0x38) | 0x87);  // R15 + a distance of four bytes
      const unsigned distance = below(1024);
      std::memcpy(bytes + n + 1, &distance, 4);
    }
    ZydisDecodedInstruction it;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes, sizeof bytes, &it, operands)) || !may_run(it, operands))
      continue;
    std::memcpy(to, bytes, it.length);
    return it.length;
  }
}

Word sum_of(const void* data, std::size_t size, Word sum) {
  for (std::size_t i = 0; i < size; ++i) sum = (sum ^ static_cast<const Byte*>(data)[i]) * 0x100000001b3;
  return sum;
}

}  // namespace

int main(int, char** words) {
  seed = std::strtoull(words[1], nullptr, 10) * 0x9E3779B97F4A7C15 + 1;
  const long count = std::atol(words[2]);
  code = static_cast<Byte*>(mmap(reinterpret_cast<void*>(0x20000000), 1 << 16, PROT_READ | PROT_WRITE | PROT_EXEC,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0));
  __asm__("xgetbv" : "=a"(components) : "c"(0) : "rdx");
  components &= 0xe7;
  ZydisDecoder decoder;
  ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  struct sigaction action {};
  action.sa_sigaction = on_fault, action.sa_flags = SA_SIGINFO;
  for (const int signal : {SIGSEGV, SIGILL, SIGFPE, SIGBUS, SIGTRAP}) sigaction(signal, &action, nullptr);
  Word all = 0;
  long ran = 0, faults = 0;
  for (long block = 0; block < count; ++block) {
    unsigned size = 0;
    for (unsigned i = 1 + below(8); i-- > 0;) size += add_instruction(decoder, code + size);
    code[size] = 0xc3;
    for (auto& word : state.general) word = below(2) ? random_word() : below(64);
    state.general[15] = reinterpret_cast<Word>(state.memory + 4096);
    state.flags = 0x202 | (random_word() & 0x8d5);
    std::memset(state.vectors, 0, sizeof state.vectors);
    for (std::size_t i = 160; i < 2696; ++i) state.vectors[i] = static_cast<Byte>(random_word() >> 13);
    std::memset(state.vectors + 416, 0, 160);
    state.vectors[0] = 0x7f, state.vectors[1] = 3, state.vectors[24] = 0x80, state.vectors[25] = 0x1f;
    state.vectors[512] = static_cast<Byte>(components);  // all that the header names
    for (auto& byte : state.memory) byte = static_cast<Byte>(random_word() >> 17);
    fault = 0;
    if (sigsetjmp(back, 1) == 0)
      call_block(code), ++ran;
    else
      ++faults;
    Word sum = sum_of(state.general, 8 * 15, 0xcbf29ce484222325);
    const Word flags = state.flags & 0x8d5;
    const int what[2] = {fault, fault ? fault_at : 0};
    sum = sum_of(&flags, 8, sum_of(what, sizeof what, sum));
    if (!fault) sum = sum_of(state.vectors + 24, 4, sum_of(state.vectors + 160, 2696 - 160, sum));
    sum = sum_of(state.memory, sizeof state.memory, sum);
    all ^= sum + static_cast<Word>(block);
    std::printf("%ld %016lx %d\n", block, sum, fault);
  }
  std::printf("blocks %ld, %ld of them with a fault: %016lx\n", ran + faults, faults, all);
}
