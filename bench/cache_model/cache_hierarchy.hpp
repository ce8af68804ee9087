#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "bench/machine/topology.hpp"
#include "bench/model/counts.hpp"

namespace roofline {

/// Besides geometry and policies what modelled numbers depend on: raise it with every change of a model's behaviour.
inline constexpr int model_version = 1;

/// Identifies what a model's numbers depend on, written out as text, together with the version: 16 hex digits (FNV-1a).
std::string model_hash(const std::string& text);

/// Identifies a core's share of these caches and the model's version (16 hex digits): equal hashes, equal bytes of as
/// many cores.
std::string model_hash(const std::vector<CacheLevel>& levels);

/// The same caches, each shared by as many as a run of so many threads puts on it: a thread alone has all of an L3.
std::vector<CacheLevel> shared_among(std::vector<CacheLevel> caches, int threads);

/// Traffic of one core through write-back, write-allocate, set-associative LRU caches. Deterministic, no prefetch.
///
/// Levels are filled on the way in; a dirty victim is written into the next level, which takes the whole line without
/// fetching it. Bytes of a level are those that cross towards the core (fills) and away from it (write-backs).
class alignas(64) CacheHierarchy {  // several are used at once, each by a thread
 public:
  /// Caches from the core outwards, with the lines of the first. A share is rounded down to whole sets. Throws
  /// std::invalid_argument when there is not a cache, when a core's share of one is smaller than ways x line, or when a
  /// line is not a power of two.
  explicit CacheHierarchy(const std::vector<CacheLevel>& levels);

  void load(std::uintptr_t address, unsigned bytes) {
    loaded_ += bytes;
    touch<false>(address, bytes);
  }
  void store(std::uintptr_t address, unsigned bytes) {
    stored_ += bytes;
    touch<true>(address, bytes);
  }
  /// A load or a store whose bytes the caller adds for many at once.
  template <bool write>
  void touch(std::uintptr_t address, unsigned bytes) {
    const std::uint64_t first = address >> line_shift_, last = (address + bytes - 1) >> line_shift_;
    for (std::uint64_t line = first; line <= last; ++line) {
      // Most accesses go on in the line that their set has seen last, which most stores have overwritten at once.
      auto& newest = *caches_.front().set_of(line);
      if ((newest | 1) != encode(line, true)) {
        if constexpr (write)
          store_elsewhere(line, address, bytes);
        else
          reference(line, false);
      } else if constexpr (write) {
        newest |= 1;
      }
    }
  }
  void add_bytes(std::uint64_t loaded, std::uint64_t stored, std::uint64_t streamed) {
    loaded_ += loaded;
    stored_ += stored + streamed;
    streamed_ += streamed;
  }
  /// More loads of what the last one loaded.
  void load_again(std::size_t bytes) { loaded_ += bytes; }
  /// A streaming store: no allocation, the bytes go to DRAM.
  void store_streaming(std::uintptr_t address, unsigned bytes);

  /// Bytes moved since the last reset, by level; a level without a cache of its own is absent.
  Traffic traffic(MemoryLevel level) const;
  bool has(MemoryLevel level) const;
  /// Forgets the traffic, keeps the cache contents.
  void reset_traffic();
  /// Bytes that have come in from DRAM since construction: how warm the last level is.
  std::uint64_t filled_from_memory() const { return filled_from_memory_; }
  /// Bytes, since the last reset, of the lines that a CPU that evades write-allocates would not read (see StorePolicy).
  /// Such a line came in from DRAM only because of a store, and every byte of it was stored to before one was loaded
  /// and before the line left the nearest cache. traffic(DRAM).read includes these bytes.
  std::uint64_t overwritten() const { return overwritten_ * line_; }
  /// Bytes of streaming stores since the last reset: among traffic(DRAM).written.
  std::uint64_t streamed() const { return streamed_; }
  /// Bytes, since the last reset, of the lines that came in from DRAM as pairs: the neighbour in the aligned pair of
  /// lines was in a cache already, or came in from DRAM while the line was in the last cache. The other, unpaired lines
  /// are only half of the data that a memory with pairs of lines brings in. A line may complete a pair that began
  /// before the reset, so the result may exceed traffic(DRAM).read.
  std::uint64_t paired() const { return paired_ * line_; }
  std::uint64_t last_level_size() const { return caches_.empty() ? 0 : caches_.back().size; }
  const std::string& describe() const { return description_; }

 private:
  /// A line of the host: a look at a set sees as few of them as can be.
  struct alignas(64) Entries {
    std::uint64_t entry[8] = {};
  };
  struct alignas(64) Cache {  // several cores count side by side: not in one line of the host
    MemoryLevel level;
    std::uint64_t size;
    std::uint64_t sets;
    unsigned ways;
    std::uint64_t fills = 0, write_backs = 0;  // lines, seen at the side away from the core
    unsigned pitch;                            // entries of a set: whole vectors, those behind its ways stay empty
    std::vector<Entries> lines;                // of all sets, most recent first: see encode(), 0 = empty
    std::uint64_t mask = sets & (sets - 1) ? 0 : sets - 1;  // of a power of two: a division costs more than a look
    std::uint64_t* looked = nullptr;                        // the set that a reference is about

    std::uint64_t* set_of(std::uint64_t line) {
      return &lines[0].entry[0] + (mask || sets == 1 ? line & mask : line % sets) * pitch;
    }
    /// The way that holds a line; `ways` when none does.
    unsigned way_of(const std::uint64_t* set, std::uint64_t line) const;
    /// Has the host fetch what a look for a line will see. In a function that is called, GCC 12 takes prefetches for
    /// nothing and leaves the call out.
    [[gnu::always_inline]] void prefetch(std::uint64_t line) {
      constexpr unsigned of_a_host_line = 64 / sizeof(std::uint64_t);
      const auto* const set = set_of(line);
      for (unsigned way = 0; way < ways; way += of_a_host_line) __builtin_prefetch(set + way);
    }
    /// A line comes in as the most recent one. Returns the line that must leave for it, or 0.
    std::uint64_t push(std::uint64_t* set, std::uint64_t entry) const;
  };
  /// An entry of a cache, of addresses of at most 51 bits. Above it, in the nearest cache, a bit for each sixteenth of
  /// the line that is still to be stored to before the line is overwritten; none where it will not be, or has been.
  static constexpr std::uint64_t encode(std::uint64_t line, bool dirty) { return ((line << 1) | dirty) + 2; }
  static constexpr unsigned missing_shift = 48;
  static constexpr std::uint64_t entry_of(std::uint64_t with_missing) {
    return with_missing & ((std::uint64_t{1} << missing_shift) - 1);
  }
  /// In the last cache, of a line that came in from DRAM without its neighbour, which is not there yet.
  static constexpr std::uint64_t alone = std::uint64_t{1} << 47;
  static constexpr std::uint64_t line_of(std::uint64_t entry) { return ((entry & (alone - 1)) - 2) >> 1; }

  /// A store to a line that its set has not seen last, or of which more is to be stored to.
  void store_elsewhere(std::uint64_t line, std::uintptr_t address, unsigned bytes);
  /// The parts of a line, a bit for each, that lie as a whole in these bytes.
  std::uint64_t parts(std::uint64_t line, std::uintptr_t address, unsigned bytes) const;
  /// True when the line had to come in from memory.
  bool reference(std::uint64_t line, bool write);
  void take_victim(std::size_t level, std::uint64_t line);
  void write_back(std::size_t level, std::uint64_t victim);
  /// Whether a line that comes in from memory does so without its neighbour; if not, neither is that one alone.
  bool comes_alone(std::uint64_t line);

  std::vector<Cache> caches_;
  std::uint64_t line_ = 64;
  unsigned line_shift_ = 6, part_shift_ = 2;
  std::uint64_t loaded_ = 0, stored_ = 0, streamed_ = 0;  // bytes
  std::uint64_t filled_from_memory_ = 0;
  std::uint64_t overwritten_ = 0;  // lines
  std::uint64_t paired_ = 0;       // lines
  std::uint64_t whole_line_ = 0;   // all its parts
  std::string description_;
};

}  // namespace roofline
