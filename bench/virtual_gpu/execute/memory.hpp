// The memory of the virtual GPU: a device address is the address of the host bytes that stand for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace roofline::ptx {

enum class Origin { device, managed, host, variable, constant };

/// One bit for each byte of an allocation: written since it was allocated.
class ByteMap {
 public:
  explicit ByteMap(std::size_t bytes) : words_((bytes + 63) / 64) {}
  void set(std::size_t first, std::size_t bytes);
  /// Whether all of [first, first + bytes) is set.
  bool all(std::size_t first, std::size_t bytes) const;

 private:
  std::vector<uint64_t> words_;  // several host threads set bits of a word: atomically
};

struct Allocation {
  uint64_t begin = 0;
  uint64_t bytes = 0;
  Origin origin = Origin::device;
  std::string name;                  ///< of a variable; empty for the others
  uint64_t serial = 0;               ///< counts allocations from 1, for messages
  std::shared_ptr<ByteMap> written;  ///< null: all of it counts as written (host memory, variables)

  uint64_t end() const { return begin + bytes; }
};

/// Whether allocations from now on know which of their bytes were written, for the init check; yes at first. It costs
/// an eighth of their size.
void track_writes(bool track);

/// Allocations, found by address. Safe for calls from several threads; not freed while a launch runs.
class GlobalMemory {
 public:
  /// `capacity`: bytes that allocate() hands out in all.
  explicit GlobalMemory(uint64_t capacity = ~uint64_t{0}) : capacity_(capacity) {}
  ~GlobalMemory();
  GlobalMemory(const GlobalMemory&) = delete;
  GlobalMemory& operator=(const GlobalMemory&) = delete;

  /// 256-byte aligned bytes between red zones; nullptr when the capacity or the host's memory is used up. Zero bytes
  /// get a valid address. Origin::host and Origin::managed count as written.
  void* allocate(std::size_t bytes, Origin origin = Origin::device);
  /// False when `pointer` is not the beginning of something that allocate() returned.
  bool free(void* pointer);
  /// Bytes that somebody else owns (variables of a module, registered host memory) become accessible to kernels.
  void add(const void* begin, std::size_t bytes, Origin origin, std::string name);
  void remove(const void* begin);

  /// The allocation that holds the address.
  std::optional<Allocation> find(uint64_t address) const;
  /// For messages: the live allocation at or nearest below or above the address, and whether the address was freed.
  std::string describe(uint64_t address) const;
  bool was_freed(uint64_t address) const;

  /// The host wrote these bytes (memcpy, memset): they count as initialised.
  void mark_written(const void* begin, std::size_t bytes);

  uint64_t used() const;
  uint64_t capacity() const { return capacity_; }
  std::vector<Allocation> allocations() const;

 private:
  struct Block {
    std::byte* base = nullptr;  // where the host's allocation begins; null for add()
    uint64_t charged = 0;
  };
  const Allocation* locate(uint64_t address) const;

  mutable std::mutex mutex_;
  std::map<uint64_t, Allocation> live_;
  std::map<uint64_t, Block> blocks_;
  std::map<uint64_t, Allocation> freed_;
  uint64_t capacity_;
  uint64_t used_ = 0;
  uint64_t serial_ = 0;
};

}  // namespace roofline::ptx
