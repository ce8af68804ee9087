#pragma once
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "bench/model/counts.hpp"
#include "bench/simulator/coalescer.hpp"
#include "bench/space/complex.hpp"
#include "bench/space/real.hpp"

namespace roofline {

/// Instructions that warps executed, counted per active lane.
struct WarpCounts {
  Operations operations;           ///< div: all divisions, canonical
  std::uint64_t reciprocals = 0;   ///< those of the divisions whose numerator is 1
  std::uint64_t instructions = 0;  ///< arithmetic and memory instructions of warps
  std::uint64_t lanes = 0;         ///< active lanes in them: lanes / (32 instructions) is the predication ratio
  std::array<RequestCounts, access_kinds> requests{};

  const RequestCounts& of(Access access) const { return requests[static_cast<std::size_t>(access)]; }
  RequestCounts& of(Access access) { return requests[static_cast<std::size_t>(access)]; }
  WarpCounts& operator+=(const WarpCounts& other);
  friend bool operator==(const WarpCounts&, const WarpCounts&) = default;
};

/// One warp while it runs: which lanes are active, where they are, and what they have asked for since the last step.
class WarpState {
 public:
  using Offsets = std::array<std::int64_t, warp_lanes>;  ///< elements, of each lane, from the place of lane 0

  /// `origin` is the host address that stands for device address 0.
  explicit WarpState(const void* origin = nullptr) : origin_(static_cast<const char*>(origin)) { set_lanes(~0u); }

  /// As new: for the next warp that sits in the same place.
  void restart() {
    set_lanes(~0u);
    local_base_ = 0;
    counts_ = {};
  }

  std::uint32_t active() const { return active_; }
  /// Lanes that take part in what follows; lane l is l elements behind lane 0.
  void set_lanes(std::uint32_t active) { set_lanes(active, side_by_side); }
  /// The same with the lanes anywhere, for tiles narrower than a warp and for strided ones.
  void set_lanes(std::uint32_t active, const Offsets& elements) {
    offset_ = elements, active_ = active;
    side_by_side_ = elements == side_by_side;
  }
  const Offsets& offsets() const { return offset_; }
  /// Predication: only lanes of `mask` take part until the old mask is restored.
  std::uint32_t predicate(std::uint32_t mask) { return std::exchange(active_, active_ & mask); }
  void restore(std::uint32_t mask) { active_ = mask; }

  /// One request: lane l accesses `size` bytes at `base` + `stride` x offset of lane l.
  void request(Access access, const void* base, std::int64_t stride, unsigned size) {
    const auto address = static_cast<std::uint64_t>(static_cast<const char*>(base) - origin_);
    const bool gapless = stride == size || stride == 0 || (!is_store(access) && 0 < stride && stride <= sector_bytes);
    if (gapless && ((side_by_side_ && (active_ & (active_ + 1)) == 0) || stride == 0))
      return record_run(access, address, static_cast<std::uint64_t>(stride) * (lanes() - 1) + size);
    Offsets bytes;
    for (unsigned lane = 0; lane < warp_lanes; ++lane) bytes[lane] = stride * offset_[lane];
    record(access, address, bytes, size);
  }
  /// A broadcast: every lane reads the same `size` bytes, one sector.
  void uniform_load(const void* address, unsigned size) { request(Access::global_load, address, 0, size); }
  /// An access to element `element` of each thread's array in local memory, where lanes are interleaved.
  void local(Access access, std::int64_t element) {
    const auto address = local_base_ + static_cast<std::uint64_t>(element) * sizeof(double) * warp_lanes;
    if ((active_ & (active_ + 1)) == 0) return record_run(access, address, sizeof(double) * lanes());
    Offsets bytes;
    for (unsigned lane = 0; lane < warp_lanes; ++lane) bytes[lane] = sizeof(double) * lane;
    record(access, address, bytes, sizeof(double));
  }
  void set_local_base(std::uint64_t address) { local_base_ = address; }
  /// A request that stays on the SM: shared or constant memory.
  void on_chip(Access access) { count_request(access, 0); }

  void count(std::uint64_t Operations::*kind) {
    counts_.operations.*kind += lanes();
    count_instruction();
    ++arithmetic_;
  }
  void count_division(bool reciprocal) {
    count(&Operations::div);
    ++divisions_;
    if (reciprocal) counts_.reciprocals += lanes();
  }

  const WarpCounts& counts() const { return counts_; }
  unsigned arithmetic() const { return arithmetic_; }  ///< instructions of this step, divisions as one
  unsigned divisions() const { return divisions_; }    ///< those among them that a device expands
  /// A step begins: what it asks for replaces what is in `lines`, which has to stay until its end. The counts go on.
  void begin_step(std::vector<LineAccess>& lines) {
    lines.clear();
    lines_ = &lines;
    requests_ = 0, arithmetic_ = divisions_ = 0;
  }

 private:
  std::uint64_t lanes() const { return static_cast<std::uint64_t>(std::popcount(active_)); }
  void count_instruction() { ++counts_.instructions, counts_.lanes += lanes(); }
  void count_request(Access access, unsigned sectors) {
    auto& of = counts_.of(access);
    ++of.requests, of.sectors += sectors, of.lanes += lanes();
    count_instruction();
  }
  void record(Access access, std::uint64_t base, const Offsets& bytes, unsigned size) {
    if (active_ == 0) return;  // a branch that no lane takes is not executed
    count_request(access, coalesce(base, bytes, size, active_, access, requests_++, *lines_));
  }
  void record_run(Access access, std::uint64_t address, std::uint64_t length) {
    if (active_ == 0) return;
    count_request(access, coalesce_run(address, length, access, requests_++, *lines_));
  }
  static constexpr Offsets side_by_side = [] {
    Offsets offsets{};
    for (unsigned lane = 0; lane < warp_lanes; ++lane) offsets[lane] = lane;
    return offsets;
  }();

  const char* origin_;
  std::uint32_t active_ = 0;
  Offsets offset_{};
  bool side_by_side_ = true;  ///< lane l is l elements behind lane 0
  std::uint64_t local_base_ = 0;
  WarpCounts counts_;
  std::vector<LineAccess>* lines_ = nullptr;
  unsigned arithmetic_ = 0;
  std::uint16_t requests_ = 0;  // between two numbers that g++ would else load as one right after storing them singly
  unsigned divisions_ = 0;
};

/// The warp that is running. One per thread; a count runs on one thread.
inline constinit thread_local WarpState* active_warp = nullptr;
/// Whether warps compute. Where only accesses and operations are of interest they need not: loads then give 0, stores
/// write nothing, and of the 32 values one is kept, so that a numerator of 1 is still seen. Addresses and branches must
/// not depend on values.
inline constinit thread_local bool warp_values = true;

/// The 32 values of a warp: the lane type of a described GPU. A line of source executes once for all lanes, so an
/// access in the source is one request of the warp, and a branch is a mask: no site has to be recognised.
/// Values are those of the real run. No alignment beyond a double's: a warp may live in the frame of a coroutine.
struct Warp {
  static constexpr int lanes = warp_lanes;
  std::array<double, warp_lanes> v;

  Warp() = default;
  Warp(const Warp& other) { *this = other; }
  Warp& operator=(const Warp& other) {
    if (warp_values)
      v = other.v;
    else
      v[0] = other.v[0];
    return *this;
  }

  // Not inlined: a kernel body has thousands of operations, and each is a loop over the lanes.
  static Warp broadcast(double x);
  static Warp load(const double* p);
  static void store(double* p, const Warp& x);
  static void store_streaming(double* p, const Warp& x) { store(p, x); }
  static Warp add(const Warp& a, const Warp& b);
  static Warp sub(const Warp& a, const Warp& b);
  static Warp mul(const Warp& a, const Warp& b);
  /// A numerator of 1 in every lane is a reciprocal, which GPUs expand into fewer instructions.
  static Warp div(const Warp& a, const Warp& b);
  static Warp negate(const Warp& a);
  static Warp fma(const Warp& a, const Warp& b, const Warp& c);   ///< a b + c
  static Warp fms(const Warp& a, const Warp& b, const Warp& c);   ///< a b - c
  static Warp fnma(const Warp& a, const Warp& b, const Warp& c);  ///< -a b + c
  static Warp sqrt(const Warp& a);
  static Warp abs(const Warp& a);
  static Warp min(const Warp& a, const Warp& b);
  static Warp max(const Warp& a, const Warp& b);
  using Mask = std::array<bool, warp_lanes>;
  static Mask less(const Warp& a, const Warp& b);
  static Mask less_equal(const Warp& a, const Warp& b);
  static Warp select(const Mask& mask, const Warp& a, const Warp& b);

  /// Of the active lanes.
  double sum() const;
  /// Reads p[offset of a lane] for the active lanes, without recording; the others are 0.
  static Warp gather(const double* p);
};

}  // namespace roofline
