// Counts of an executed launch: exactly the numbers that a GPU's counters would give.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/virtual_gpu/program/numbers.hpp"

namespace roofline::ptx {

enum class Precision { fp64, fp32, fp16, bf16 };
constexpr int precisions = 4;

/// Operations of one precision, executed by active lanes; a packed x2 instruction counts two.
struct Flops {
  uint64_t add = 0;  ///< additions and subtractions
  uint64_t mul = 0;
  uint64_t fma = 0;      ///< instructions, not operations: each is two
  uint64_t special = 0;  ///< div, rcp, sqrt, rsqrt, sin, cos, ex2, lg2, tanh

  /// FMA = 2, everything else 1.
  uint64_t total() const { return add + mul + 2 * fma + special; }
  bool operator==(const Flops&) const = default;
};

enum class Space : uint8_t { generic, global, shared, local, constant, param };
enum class AccessKind : uint8_t { load, store, atomic };

/// Accesses of one address space and direction.
struct Traffic {
  uint64_t requests = 0;    ///< warp instructions with at least one active lane
  uint64_t lanes = 0;       ///< active lanes
  uint64_t bytes = 0;       ///< lanes times access size
  uint64_t sectors = 0;     ///< distinct 32-byte sectors of each request (global, local)
  uint64_t wavefronts = 0;  ///< passes over 32 banks of 4 bytes (shared); requests where there is no conflict

  Traffic& operator+=(const Traffic& other) { return *this = each_number(*this, other, std::plus<>()); }
  bool operator==(const Traffic&) const = default;
};

enum class Class {
  floating,
  integer,
  convert,
  move,
  compare,
  load,
  store,
  atomic,
  control,
  barrier,
  warp,
  matrix,
  other
};

/// Sums over all warps of a launch. Equal for any number of host threads.
struct Counts {
  std::array<Flops, precisions> flops{};
  uint64_t tensor_flops = 0;       ///< of floating-point matrix instructions, multiply-add = 2
  uint64_t tensor_operations = 0;  ///< of integer matrix instructions
  uint64_t warp_instructions = 0;  ///< including those whose guard is false in all lanes
  uint64_t lane_instructions = 0;  ///< lanes whose guard is true
  Traffic global_load, global_store, shared_load, shared_store, local_load, local_store, const_load;
  Traffic global_atomic, shared_atomic;
  uint64_t branches = 0;
  uint64_t divergent_branches = 0;
  uint64_t barriers = 0;  ///< warp instructions
  uint64_t warps = 0;
  uint64_t blocks = 0;

  const Flops& of(Precision precision) const { return flops[static_cast<int>(precision)]; }
  /// fp64 + fp32 + fp16 + bf16 + tensor.
  uint64_t total_flops() const;
  Counts& operator+=(const Counts& other) { return *this = each_number(*this, other, std::plus<>()); }
  friend Counts operator-(const Counts& after, const Counts& before) {
    return each_number(after, before, std::minus<>());
  }
  bool operator==(const Counts&) const = default;
};

/// One PTX instruction of a launch.
struct InstructionCount {
  uint32_t line = 0;  ///< in the PTX text
  std::string text;
  std::string source;       ///< "file:line" where known
  uint64_t warps = 0;       ///< executions
  uint64_t lanes = 0;       ///< with a true guard
  uint64_t sectors = 0;     ///< of global and local accesses
  uint64_t wavefronts = 0;  ///< of shared accesses
};

}  // namespace roofline::ptx
