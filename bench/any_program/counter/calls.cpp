// SPDX-License-Identifier: MIT
// System calls of the program that the counter must know of: threads, children, mappings, signals, the end.
#include <asm/prctl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "bench/any_program/counter/counter.hpp"
#include "bench/any_program/counter/handlers.hpp"
#include "bench/any_program/counter/mappings.hpp"
#include "bench/any_program/preloaded_file.hpp"

namespace roofline::any_program {

Ledger* ledger;

namespace {

int locked;
constexpr Word stack_bytes = 128 << 10;

Word error(int number) { return static_cast<Word>(-number); }

void forget_changed(Word number, const Registers& r, Word length, Word protection) {
  const Word from = r.rdi & ~Word{4095}, to = (r.rdi + length + 4095) & ~Word{4095};
  if (number == SYS_mprotect && (protection & PROT_EXEC) && !(protection & PROT_WRITE)) return forget_mappings();
  forget(from, to);
}

/// The child is alone in its process, and counts for itself.
void enter_child() {
  Slot* const own = &slot();
  auto* const fresh = new_slot();
  if (!fresh) {
    stop_counting(Stop::too_many_threads, own->next);
    system_call(SYS_exit_group, 3);
  }
  fresh->stack = own->stack;
  enter_thread(*fresh);
}

Word fork_here(Registers& r, Slot& own, Word number, Word after) {
  Word result = 0, stack = 0;
  const Word next = own.next, rcx = own.rcx, rdx = own.rdx, rsp = own.rsp;
  {
    const Lock lock;
    if (number == SYS_clone) {
      stack = r.rsi;
      result = system_call(number, r.rdi, 0, rdx, r.r10, r.r8);
    } else if (number == SYS_clone3) {
      Word arguments[32]{};
      const auto* const given = reinterpret_cast<const Word*>(r.rdi);
      for (Word i = 0; i < r.rsi / 8 && i < 32; ++i) arguments[i] = given[i];
      if (arguments[5]) stack = arguments[5] + arguments[6];
      arguments[5] = arguments[6] = 0;
      result = system_call(number, reinterpret_cast<Word>(arguments), r.rsi);
    } else {
      result = system_call(SYS_fork);
    }
    if (result == 0) enter_child();
  }
  auto& now = slot();
  now.next = next, now.rcx = rcx, now.rdx = rdx, now.rsp = stack ? stack : rsp;
  return done(now, r, result, after);
}

Word clone_thread(Slot& own, Word stack, Word after) {
  auto* const fresh = new_slot();
  if (!fresh) {
    stop_counting(Stop::too_many_threads, own.next);
    system_call(SYS_exit_group, 3);
  }
  fresh->after = own.after = after;
  *reinterpret_cast<Word*>(stack - 136) = reinterpret_cast<Word>(fresh);
  return reinterpret_cast<Word>(clone_site);
}

/// Waits until the one who counts regions has noted that one begins or ends.
void mark(const Slot& own, bool opens, const char* name) {
  constexpr Word pause[2] = {0, 20'000};
  const auto wait = [&] { system_call(SYS_nanosleep, reinterpret_cast<Word>(pause), 0); };
  for (std::uint32_t nobody = 0;
       !__atomic_compare_exchange_n(&ledger->mark, &nobody, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED); nobody = 0)
    wait();
  ledger->mark_by = static_cast<std::uint32_t>(&own - ledger->slot);
  ledger->mark_opens = opens;
  std::size_t n = 0;
  for (; name[n] && n + 1 < sizeof ledger->mark_name; ++n) ledger->mark_name[n] = name[n];
  ledger->mark_name[n] = 0;
  __atomic_store_n(&ledger->mark, 2, __ATOMIC_RELEASE);
  while (__atomic_load_n(&ledger->mark, __ATOMIC_ACQUIRE) != 3) wait();
  __atomic_store_n(&ledger->mark, 0, __ATOMIC_RELEASE);
}

}  // namespace

Lock::Lock() {
  for (int spins = 0; __atomic_exchange_n(&locked, 1, __ATOMIC_ACQUIRE); ++spins) {
    if (spins % 64 == 63)
      system_call(SYS_sched_yield);
    else
      __builtin_ia32_pause();
  }
}
Lock::~Lock() { __atomic_store_n(&locked, 0, __ATOMIC_RELEASE); }

Slot& slot() {
  Slot* at;
  asm volatile("mov %%gs:0x48, %0" : "=r"(at));
  return *at;
}

Slot* new_slot() {
  // One whose thread has ended is used again: its counts stay.
  for (std::uint32_t i = 0; i < ledger->slots && i < most_slots; ++i) {
    auto& old = ledger->slot[i];
    const auto process = static_cast<std::uint32_t>(system_call(SYS_getpid));
    if (!__atomic_load_n(&old.ended, __ATOMIC_ACQUIRE) || old.process != process) continue;
    if (system_call(SYS_tgkill, old.process, old.thread, 0) != error(3 /* ESRCH */)) continue;
    std::uint32_t one = 1;
    if (__atomic_compare_exchange_n(&old.ended, &one, 0, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return &old;
  }
  const auto number = __atomic_fetch_add(&ledger->slots, 1, __ATOMIC_RELAXED);
  if (number >= most_slots) {
    __atomic_fetch_sub(&ledger->slots, 1, __ATOMIC_RELAXED);
    return nullptr;
  }
  auto& fresh = ledger->slot[number];
  const auto stack = system_call(SYS_mmap, 0, stack_bytes, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, static_cast<Word>(-1), 0);
  if (failed(stack)) return nullptr;
  fresh.stack = stack + stack_bytes;
  fresh.self = reinterpret_cast<Word>(&fresh);
  fresh.windows.random = number * 2654435761u;  // threads that do the same leave out different parts
  enter_part(fresh, fresh.windows.state);
  fresh.process = static_cast<std::uint32_t>(system_call(SYS_getpid));
  return &fresh;
}

void enter_thread(Slot& of) {
  of.in_use = 1;
  const Word base = reinterpret_cast<Word>(&of);
  asm volatile("wrgsbase %0" : : "r"(base));
}

void note(const char* what, const char* text) {
  char line[512];
  unsigned n = 0;
  for (; *what && n < 200; ++what) line[n++] = *what;
  for (; *text && n < 500; ++text) line[n++] = *text == '\n' ? ' ' : *text;
  line[n++] = '\n';
  const auto have = ledger->notes_bytes;
  for (Word at = 0; at + n <= have && at + n <= most_notes; ++at) {  // once
    unsigned i = 0;
    while (i < n && ledger->notes[at + i] == line[i]) ++i;
    if (i == n) return;
  }
  const auto at = __atomic_fetch_add(&ledger->notes_bytes, n, __ATOMIC_RELAXED);
  if (at + n > most_notes) return;
  for (unsigned i = 0; i < n; ++i) ledger->notes[at + i] = line[i];
}

extern "C" Word on_call(Registers& r, Word site) {
  constexpr Word bytes_of_syscall = 2;
  const Word after = site + bytes_of_syscall;
  auto& own = slot();
  switch (own.rax) {
    case SYS_rt_sigaction:
      if (is_ours(own, r)) return change_handler(r, own, after);
      break;
    case SYS_rt_sigreturn: {
      // Where the program was is an address of its own.
      auto& rip = instruction_pointer(own.rsp);
      const Lock lock;
      rip = reinterpret_cast<Word>(translated(rip));
      break;
    }
    case SYS_fork:
      return fork_here(r, own, SYS_fork, after);
    case SYS_clone:
    case SYS_clone3: {
      const bool is_new = own.rax == SYS_clone3;
      const auto* const arguments = reinterpret_cast<const Word*>(r.rdi);
      if (is_new && (!arguments || r.rsi < 64)) break;
      const Word flags = is_new ? arguments[0] : r.rdi;
      if (!(flags & CLONE_VM)) return fork_here(r, own, own.rax, after);
      const Word stack = is_new ? arguments[5] + arguments[6] : r.rsi;
      if ((flags & CLONE_VFORK) || stack == 0) {
        own.vfork = 1;
        break;
      }
      return clone_thread(own, stack, after);
    }
    case SYS_vfork:
      own.vfork = 1;
      break;
    case SYS_exit:
      own.thread = static_cast<std::uint32_t>(system_call(SYS_gettid));
      __atomic_store_n(&own.ended, 1, __ATOMIC_RELEASE);
      break;
    case SYS_execve:
      // A search for it in the folders of PATH tries many names.
      if (constexpr Word may_run = 1; system_call(SYS_access, r.rdi, may_run) == 0)
        note("another program was started and not counted: ", reinterpret_cast<const char*>(r.rdi));
      break;
    case SYS_mmap:
      if (r.r10 & MAP_FIXED) forget_changed(SYS_mmap, r, r.rsi, own.rdx);
      if (own.rdx & PROT_EXEC) forget_mappings();
      break;
    case SYS_munmap:
    case SYS_mremap:
      forget_changed(own.rax, r, r.rsi, 0);
      break;
    case SYS_mprotect:
    case SYS_pkey_mprotect:
      forget_changed(SYS_mprotect, r, r.rsi, own.rdx);
      break;
    case SYS_setitimer:
    case SYS_getitimer:
      return slow_timer(r, own, after);
    case SYS_arch_prctl:
      if (r.rdi == ARCH_SET_GS) return stop_counting(Stop::segment, own.next), done(own, r, error(1), after);
      if (r.rdi == ARCH_GET_GS) return *reinterpret_cast<Word*>(r.rsi) = 0, done(own, r, 0, after);
      break;
    case region_call:
      mark(own, r.rdi != 0, reinterpret_cast<const char*>(r.rsi));
      return done(own, r, 0, after);
    case SYS_rseq:  // the kernel would look for its sections in the program's own code
      return done(own, r, error(38 /* ENOSYS */), after);
    case SYS_mlockall:  // all memory of the counter, too
      return done(own, r, 0, after);
    default:
      break;
  }
  return 0;
}

extern "C" Word first_steps(Ledger* of) {
  ledger = of;
  auto* const first = new_slot();
  enter_thread(*first);
  const Lock lock;
  return reinterpret_cast<Word>(translated(of->begin));
}

extern "C" {
__attribute__((visibility("default"))) void* memset(void* to, int value, std::size_t size) {
  auto* at = static_cast<Byte*>(to);
  asm volatile("rep stosb" : "+D"(at), "+c"(size) : "a"(value) : "memory");
  return to;
}
__attribute__((visibility("default"))) void* memcpy(void* to, const void* from, std::size_t size) {
  auto* at = static_cast<Byte*>(to);
  asm volatile("rep movsb" : "+D"(at), "+S"(from), "+c"(size) : : "memory");
  return to;
}
__attribute__((visibility("default"))) std::size_t strlen(const char* text) {
  std::size_t n = 0;
  while (text[n]) ++n;
  return n;
}
__attribute__((visibility("default"))) void __stack_chk_fail() { __builtin_trap(); }
__attribute__((visibility("default"))) void __assert_fail(const char*, const char*, unsigned, const char*) {
  __builtin_trap();
}
}

}  // namespace roofline::any_program
