// Follows the accesses of a launch: where a device model is fed from.
#pragma once

#include <array>
#include <cstdint>

namespace roofline::ptx {

enum class Space : uint8_t { generic, global, shared, local, constant, param };
enum class AccessKind : uint8_t { load, store, atomic };

/// One memory instruction of one warp. Addresses of inactive lanes are undefined.
struct Request {
  std::array<uint32_t, 3> block{};
  uint32_t warp = 0;         ///< in the block
  uint32_t instruction = 0;  ///< index in the kernel's code, see Observer
  Space space{};             ///< never generic: resolved (by the first active lane)
  AccessKind kind{};
  uint32_t bytes = 0;        ///< of a lane, a vector access as a whole
  uint32_t active = 0;       ///< mask of lanes
  bool cached_in_l1 = true;  ///< false: .cg, .cv, volatile, or an atomic
  const std::array<uint64_t, 32>* addresses = nullptr;
};

/// Told of each access in the order of execution.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void request(const Request& request) = 0;
  /// The warp has reached an instruction that needs the result of a pending load: all its earlier loads must have
  /// arrived. True: the warp yields here, and goes on at its next turn.
  virtual bool wait(std::array<uint32_t, 3> block, uint32_t warp) {
    (void)block, (void)warp;
    return false;
  }
  virtual void block_begins(std::array<uint32_t, 3> block) { (void)block; }
  virtual void block_ends(std::array<uint32_t, 3> block) { (void)block; }
};

}  // namespace roofline::ptx
