// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <new>
#include <optional>

#include "bench/any_program/plugin/instruction.hpp"
#include "bench/cache_model/cache_hierarchy.hpp"

namespace roofline::any_program {

/// Zeros that take memory only where they are touched, and never move: a second thread may read them meanwhile.
template <class T>
class Sparse {
 public:
  explicit Sparse(std::size_t size) : size_(size), begin_(static_cast<T*>(std::calloc(size, sizeof(T))), std::free) {
    if (!begin_) throw std::bad_alloc();
  }
  T& operator[](std::size_t i) { return begin_.get()[i]; }
  const T& operator[](std::size_t i) const { return begin_.get()[i]; }
  void clear() { *this = Sparse(size_); }

 private:
  std::size_t size_;
  std::unique_ptr<T, void (*)(void*)> begin_;
};

inline constexpr std::size_t most_blocks = std::size_t{1} << 22, most_functions = std::size_t{1} << 17;

/// The function and the kind of an instruction that loads or stores.
struct Access {
  int function = 0;
  bool streaming = false, local = false;
  unsigned most_bytes = 64;
};

/// The traffic between levels that a function caused.
struct Bytes {
  std::array<Traffic, memory_levels.size()> levels;
  double overwritten = 0, streamed = 0, paired = 0;  ///< see CacheHierarchy
  double local = 0;                                  ///< of L1, see Instruction

  Bytes& operator+=(const Bytes& more) { return add(more, 1); }
  Bytes& operator-=(const Bytes& less) { return add(less, -1); }

 private:
  Bytes& add(const Bytes& other, double sign) {
    for (std::size_t i = 0; i < levels.size(); ++i) {
      levels[i].read += sign * other.levels[i].read;
      levels[i].written += sign * other.levels[i].written;
    }
    overwritten += sign * other.overwritten, streamed += sign * other.streamed, paired += sign * other.paired;
    local += sign * other.local;
    return *this;
  }
};

/// A thread's counts for the time that the same regions were open.
struct Tally {
  Sparse<std::uint64_t> executed{most_blocks};        ///< by block
  Sparse<std::uint64_t> flops_below{most_functions};  ///< by function of the program: FLOPs of libraries that it called
  Sparse<Bytes> bytes{most_functions};                ///< by function
};

/// The counts of one thread of the program. Only that thread changes them; another one may read the counts.
class Cpu {
 public:
  /// No levels: bytes are not counted.
  explicit Cpu(const std::vector<CacheLevel>& levels);

  std::map<int, Tally> tallies;  ///< by the number of a set of regions
  int caller = -1;               ///< the function of the program that was seen last
  int own_regions = 0;           ///< those that this thread opened, a set of Regions
  bool marks = false;            ///< whether it ever opened one

  /// Another set of regions is open from this thread's next block on. The caller holds the mutex of all threads.
  void enter(int regions) { wanted_.store(&tallies[regions], std::memory_order_release); }
  /// The tally to which this thread adds now. Only for the thread itself.
  Tally& tally() {
    auto* const wanted = wanted_.load(std::memory_order_acquire);
    if (wanted != now_) [[unlikely]]
      settle(), now_ = wanted;
    return *now_;
  }

  /// QEMU makes a vector access in parts of 8 B, and one of x87 in two: they are joined.
  void access(const Access& by, std::uint64_t address, unsigned size, bool store) {
    if (pending_ == &by && end_ == address && store_ == store && address + size - begin_ <= longest) {
      end_ += size;
      return;
    }
    finish_access();
    pending_ = &by, begin_ = address, end_ = address + size, store_ = store;
  }
  /// Moves everything so far into `bytes`. Only for the thread itself, or after it has ended.
  void settle() {
    finish_access();
    turn_to(-1);
  }
  /// Forgets the counts and keeps the contents of the caches: for a child process.
  void clear();

 private:
  static constexpr unsigned longest = 64;
  void finish_access();
  void turn_to(int function);

  std::atomic<Tally*> wanted_;
  Tally* now_;
  std::optional<CacheHierarchy> caches_;
  Bytes before_;
  int function_ = -1;  ///< whose the traffic since `before_` is
  const Access* pending_ = nullptr;
  std::uint64_t begin_ = 0, end_ = 0, local_ = 0;
  bool store_ = false;
};

}  // namespace roofline::any_program
