// SPDX-License-Identifier: MIT
// A counted program needs longer for what it does between two ticks of a timer. One that ends with its timer running
// has handlers of its own taken away first: by itself it mostly ends before the next tick, which would end it.
#include <sys/syscall.h>

#include "bench/any_program/counter/handlers.hpp"

namespace roofline::any_program {
namespace {

constexpr Word second = 1'000'000, longest = second / 10, slower = 16;

/// As setitimer(2) has it.
struct Time {
  Word seconds, microseconds;
  Word all() const { return seconds * second + microseconds; }
  void set(Word time) { seconds = time / second, microseconds = time % second; }
};
struct Timer {
  Time interval, value;
};
bool slowed[3];
Timer kept[3];

void set(Word which, const Timer& timer, Timer* before) {
  system_call(SYS_setitimer, which, reinterpret_cast<Word>(&timer), reinterpret_cast<Word>(before));
}

}  // namespace

StoppedTimers::StoppedTimers() {
  constexpr Timer none{};
  for (Word which = 0; which < sizeof slowed; ++which)
    if (slowed[which]) set(which, none, &kept[which]);
}
StoppedTimers::~StoppedTimers() {
  for (Word which = 0; which < sizeof slowed; ++which)
    if (slowed[which]) set(which, kept[which], nullptr);
}

Word slow_timer(Registers& r, Slot& own, Word after) {
  const auto which = r.rdi;
  if (which >= sizeof slowed) return 0;
  Timer timer{}, before{};
  const Lock lock;
  Word result = 0, to = r.rsi;
  const bool was_slow = slowed[which];
  if (own.rax == SYS_getitimer) {
    result = system_call(SYS_getitimer, which, reinterpret_cast<Word>(&before));
  } else {
    if (r.rsi) timer = *reinterpret_cast<const Timer*>(r.rsi);
    const bool is_slow = timer.interval.all() > 0 && timer.interval.all() <= longest;
    if (is_slow) timer.interval.set(timer.interval.all() * slower), timer.value.set(timer.value.all() * slower);
    result = system_call(SYS_setitimer, which, reinterpret_cast<Word>(&timer), reinterpret_cast<Word>(&before));
    if (!failed(result)) slowed[which] = is_slow;
    to = own.rdx;
  }
  if (was_slow) before.interval.set(before.interval.all() / slower), before.value.set(before.value.all() / slower);
  if (!failed(result) && to) *reinterpret_cast<Timer*>(to) = before;
  return done(own, r, result, after);
}

}  // namespace roofline::any_program
