// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

namespace roofline::any_program {

/// Which accesses of a long run the sampled caches see: all at its begin, then those in one window after another.
///
/// The beginning lasts until the last cache has had other lines once, as its reader says (`first` to `longest` words).
/// Before each window it gets other lines again: it holds what it held when it was left, and the program has gone on.
/// The window is as long as this warming. After every three windows more is skipped. A window lies at a random place of
/// its period: in a program that repeats itself the same part would be left out each time otherwise. All zero at first,
/// as a part of memory that is shared.
struct Windows {
  enum class State : std::uint32_t {
    whole,   ///< nothing was left out yet
    skips,   ///< accesses are written down for nobody
    warms,   ///< the caches see them, and their traffic does not count
    counts,  ///< theirs stands for that of the others
  };
  static constexpr std::uint64_t first = 1u << 24, shortest = 1u << 21, longest = 1u << 26;  ///< words

  State state;
  std::uint32_t random;
  std::uint64_t seen, end;        ///< words so far, and when the state ends
  std::uint64_t warming, behind;  ///< words of it, and of what is skipped behind the window
  std::uint64_t number;           ///< of windows
  std::uint64_t turnover;         ///< words in which the last cache gets as many lines as it has, as its reader says

  /// Some more words were written.
  void pass(std::uint64_t words) {
    if (end == 0) end = first;
    for (seen += words; seen >= end;) next();
  }

 private:
  void next() {
    switch (state) {
      case State::whole:
      case State::counts: {
        const auto asked = __atomic_load_n(&turnover, __ATOMIC_RELAXED);
        warming = asked < shortest ? shortest : asked > longest ? longest : asked;
        if (state == State::whole && end < warming) {
          end = warming;
          break;
        }
        end += behind;
        constexpr std::uint64_t some = 3, most = 9;
        const auto times = 1 + number++ / some;
        const auto skipped = (times < most ? times : most) * 2 * warming;
        random = 1664525 * random + 1013904223;
        const auto before = (skipped * (random >> 16)) >> 16;
        behind = skipped - before, end += before;
        state = State::skips;
        break;
      }
      case State::skips:
        end += warming;
        state = State::warms;
        break;
      case State::warms:
        end += warming;
        state = State::counts;
        break;
    }
  }
};

}  // namespace roofline::any_program
