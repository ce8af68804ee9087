#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/model/counts.hpp"

namespace roofline::any_program {

/// The counts of a function, a loop or a region.
struct CountedFunction {
  std::string name, module, source;
  std::string loop;     ///< "/loop@34" of a loop of it
  std::string hottest;  ///< "pfor.cpp:11", the line of most FLOPs, where several functions have its name and source
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;  ///< offsets in the file `module`, from and to
  std::vector<std::uint64_t> instructions;                      ///< by thread
  std::map<std::string, Operations> operations;                 ///< by precision: fp64, fp32, x87, fp16
  std::uint64_t other = 0;                        ///< operations that are not FLOPs: sines of x87, estimates
  std::map<std::string, std::uint64_t> by_width;  ///< FLOPs in "scalar", "128", "256", "512" bit
  std::uint64_t flops_below = 0;                  ///< of libraries that it called
  bool has_bytes = false;
  std::map<MemoryLevel, Traffic> bytes;
  std::map<MemoryLevel, double> half_widths;  ///< bytes, of the ranges of sampled caches; empty: these were whole
  double overwritten = 0, streamed = 0, paired = 0;
  double local = 0;  ///< of L1: spilled registers, local variables, constants

  /// Whether the samples of the caches say nothing of a level: half of its range is wider than its middle.
  bool has_unknown_bytes() const;
  std::uint64_t flops() const;
  std::uint64_t all_instructions() const;
  /// Adds what another process, or another part of the same function, did; threads side by side.
  void add(const CountedFunction& other);
};

/// The counts that all processes of a counted run left.
struct CountedRun {
  bool complete = true;
  std::string program;  ///< the file
  std::vector<CountedFunction> functions;
  std::vector<CountedFunction> regions;  ///< that the program marked: all that was done while they were open
  std::vector<std::string> notes;
  struct Refusal {
    std::string why, function, module;
  };
  std::optional<Refusal> refused;
  int processes = 0;
};

/// Reads the files counts.*.json of a folder. Throws FileError; a run without a file has no processes.
CountedRun read_counts(const std::filesystem::path& folder);

}  // namespace roofline::any_program
