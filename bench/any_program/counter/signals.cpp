// SPDX-License-Identifier: MIT
// Handlers of the program are called as the kernel would call them, with the program's own addresses: at the begin of a
// block, or at a system call, where all registers are the program's. A fault names its own instruction.
#include <signal.h>
#include <sys/syscall.h>

#include "bench/any_program/counter/handlers.hpp"

namespace roofline::any_program {
namespace {

/// As the kernel has it.
struct Action {
  Word handler, flags, restorer, mask;
};
Action wanted[65];
bool traps;  // whether our handler of SIGTRAP is there

constexpr Word trap_flag = 0x100, bytes_of_mask = 8;
constexpr Word bit(int signal) { return Word{1} << (signal - 1); }

Word set_action(int signal, const Action* action, Action* old) {
  return system_call(SYS_rt_sigaction, static_cast<Word>(signal), reinterpret_cast<Word>(action),
                     reinterpret_cast<Word>(old), bytes_of_mask);
}

/// The part of a ucontext that matters here.
struct Context {
  Word begin[5];
  Word r8, r9, r10, r11, r12, r13, r14, r15, rdi, rsi, rbp, rbx, rdx, rax, rcx, rsp, rip, flags;
  Word middle[14];
  Word mask;
};
static_assert(offsetof(Context, rip) == 168 && offsetof(Context, mask) == 296);

/// Steps of one instruction until the next clean place.
void catch_traps() {
  if (traps) return;
  traps = true;
  const Action ours{reinterpret_cast<Word>(signal_entry), SA_SIGINFO | SA_ONSTACK | 0x04000000 /* SA_RESTORER */,
                    reinterpret_cast<Word>(signal_return), ~Word{0}};
  Action old{};
  set_action(SIGTRAP, &ours, &old);
  if (old.handler != ours.handler) wanted[SIGTRAP] = old;
}

bool is_between(Word at, const char* from, const char* to) {
  return at >= reinterpret_cast<Word>(from) && at < reinterpret_cast<Word>(to);
}

/// The program's address of a place where its registers are its own; 0: they are not.
Word clean_place(Word rip, const Block* block) {
  if (!block) return 0;
  const auto begin = reinterpret_cast<Word>(block->code);
  if (rip == begin) return block->pc;
  if (!block->site) return 0;
  if (rip == begin + block->site) return block->pc + places[block->first_place + block->instructions - 1u].at;
  return rip == begin + block->site + 2u ? block->pc + block->bytes : 0;
}

/// By the number that machine code has for it.
Word& register_of(Context& context, Byte number) {
  Word* const low[] = {&context.rax, &context.rcx, &context.rdx, &context.rbx,
                       &context.rsp, &context.rbp, &context.rsi, &context.rdi};
  return number < 8 ? *low[number] : (&context.r8)[number - 8];
}

/// The instruction of a block in whose copy a fault happened; its counts are taken back from there on.
Word place_of_fault(Context& context, const Block& block, Slot& own, bool behind) {
  const auto offset = context.rip - reinterpret_cast<Word>(block.code) - behind;
  int i = block.instructions - 1;
  while (i > 0 && places[block.first_place + static_cast<unsigned>(i)].copy > offset) --i;
  if (offset < places[block.first_place].copy) context.rax = own.rax, context.rcx = own.rcx;  // comparing its bytes
  if (block.pointer != block.address)
    register_of(context, block.pointer) = own.kept[0], register_of(context, block.address) = own.kept[1];
  if (i < block.counted_before) ++own.counters[block.record];
  std::uint32_t number = 0;
  for (auto n = ledger->records; n-- > 1 && number == 0;) {
    const auto& known = ledger->record[n];
    if (known.kind == RecordKind::tail && known.block == block.record && known.instruction == i + behind) number = n;
  }
  if (number == 0) {
    auto tail = ledger->record[block.record];
    tail.kind = RecordKind::tail, tail.block = block.record, tail.instruction = static_cast<std::uint8_t>(i + behind);
    number = new_record(tail);
  }
  ++own.counters[number];
  return block.pc + places[block.first_place + static_cast<unsigned>(i)].at + behind;
}

/// The signal comes again at the next clean place.
void defer(int signal, void* info, Context& context, Slot& own) {
  catch_traps();
  system_call(SYS_rt_tgsigqueueinfo, system_call(SYS_getpid), system_call(SYS_gettid), static_cast<Word>(signal),
              reinterpret_cast<Word>(info));
  context.mask |= bit(signal);
  own.unmask |= bit(signal);
  if (context.mask & bit(SIGTRAP)) context.mask &= ~bit(SIGTRAP), own.mask_traps = 1;
  own.stepping = 1;
}

/// In the counter itself the flags that it will give back are those that make the program step.
void step(Context& context, Slot& own) {
  const bool inside = context.rip >= ledger->image_from && context.rip < ledger->image_to;
  const bool has_flags = inside && !is_between(context.rip, runtime_begin, after_push) &&
                         !is_between(context.rip, after_pop, after_second_push);
  if (!has_flags) {
    context.flags |= trap_flag;
    return;
  }
  context.flags &= ~trap_flag;
  *reinterpret_cast<Word*>(own.stack - 8) |= trap_flag;
}

Word deliver(int signal, Context& context) {
  auto action = wanted[signal];
  if (action.handler <= 1) {  // a trap that nobody wanted
    const Action by_default{};
    if (action.handler == 0) {
      set_action(signal, &by_default, nullptr);
      system_call(SYS_tgkill, system_call(SYS_getpid), system_call(SYS_gettid), static_cast<Word>(signal));
    }
    return 0;
  }
  if (action.flags & SA_RESETHAND) {
    const Action by_default{};
    wanted[signal] = by_default;
    set_action(signal, &by_default, nullptr);
  }
  const Word mask = context.mask | action.mask | (action.flags & SA_NODEFER ? 0 : bit(signal));
  Word code = action.handler;
  Word base = 0;
  asm volatile("rdgsbase %0" : "=r"(base));
  if (base) {
    const Lock lock;
    code = reinterpret_cast<Word>(translated(code));
  }
  system_call(SYS_rt_sigprocmask, SIG_SETMASK, reinterpret_cast<Word>(&mask), 0, bytes_of_mask);
  return code;
}

}  // namespace

Word& instruction_pointer(Word context) { return reinterpret_cast<Context*>(context)->rip; }

bool is_ours(const Slot& own, const Registers& r) {
  if (r.rdi < 1 || r.rdi > 64 || r.r10 != bytes_of_mask) return false;
  return !own.vfork || own.process == static_cast<std::uint32_t>(system_call(SYS_getpid));
}

Word change_handler(Registers& r, Slot& own, Word after) {
  const auto signal = static_cast<int>(r.rdi);
  if (own.stepping && (own.unmask & bit(signal))) return 0;  // the handler that it still has is called first
  const auto* const given = reinterpret_cast<const Action*>(r.rsi);
  auto* const old = reinterpret_cast<Action*>(own.rdx);
  Action action{}, before{};
  if (given) action = *given;
  auto ours = action;
  const bool is_function = given && action.handler > 1;
  if (is_function) {
    catch_traps();
    ours.handler = reinterpret_cast<Word>(signal_entry), ours.mask = ~Word{0};
    ours.flags = (ours.flags | SA_SIGINFO) & ~static_cast<Word>(SA_RESETHAND);
  }
  Word result = 0;
  if (signal == SIGTRAP && traps)
    before.handler = reinterpret_cast<Word>(signal_entry);  // ours stays
  else
    result = set_action(signal, given ? &ours : nullptr, &before);
  if (!failed(result)) {
    if (before.handler == reinterpret_cast<Word>(signal_entry)) before = wanted[signal];
    if (old) *old = before;
    if (given) wanted[signal] = action;
  }
  return done(own, r, result, after);
}

extern "C" Word on_signal(int signal, void* info, void* of) {
  auto& context = *static_cast<Context*>(of);
  Word base = 0;
  asm volatile("rdgsbase %0" : "=r"(base));
  if (!base) return deliver(signal, context);  // this thread is not counted
  auto& own = slot();
  const int code = static_cast<const int*>(info)[2];
  const auto* const block = block_at(context.rip);
  const auto place = clean_place(context.rip, block);
  constexpr int traced = 2;
  if (signal == SIGTRAP && own.stepping && code == traced) {
    if (!place) return step(context, own), 0;
    context.flags &= ~trap_flag;
    context.mask &= ~own.unmask;
    if (own.mask_traps) context.mask |= bit(SIGTRAP);
    own.stepping = own.mask_traps = 0, own.unmask = 0;
    return 0;
  }
  const bool inside = context.rip >= ledger->image_from && context.rip < ledger->image_to;
  if (place) {
    context.rip = place;
    return deliver(signal, context);
  }
  if (!block && !inside) return deliver(signal, context);  // code that does not exist
  const bool fault =
      code > 0 && (signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL || signal == SIGTRAP);
  if (fault && block) {
    context.rip = place_of_fault(context, *block, own, signal == SIGTRAP);
    return deliver(signal, context);
  }
  defer(signal, info, context, own);
  step(context, own);
  return 0;
}

}  // namespace roofline::any_program
