// SPDX-License-Identifier: MIT
#pragma once
#include <unistd.h>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bench/any_program/plugin/cpu.hpp"
#include "bench/any_program/plugin/instruction.hpp"
#include "bench/any_program/plugin/symbols.hpp"

namespace roofline::any_program {

/// The regions that a program marks. Regions may nest and overlap: each thread's counts belong to the set of regions
/// that are open. A set is a number; set 0 is empty.
class Regions {
 public:
  /// The set with one region more, or less. -1: it was open already, or was not.
  int open(int set, const std::string& region);
  int close(int set, const std::string& region);

  const std::vector<std::string>& names() const { return names_; }
  bool contains(int set, int region) const;

 private:
  using Set = std::vector<int>;  // sorted
  int number_of(const std::string& region);
  int number_of(const Set& set);

  std::vector<std::string> names_;
  std::vector<Set> sets_{{}};
  std::map<Set, int> known_{{{}, 0}};
};

inline constexpr std::size_t kinds = kind_names.size(), precisions = precision_names.size(),
                             widths = width_names.size();

/// The part of a block that belongs to one function. Inlined code belongs to the function that it was written in.
struct Piece {
  int function = 0;
  std::uint64_t instructions = 0;
  std::array<std::uint64_t, precisions * kinds> operations{};
  std::array<std::uint64_t, widths> flops{};
  bool operator==(const Piece&) const = default;
};

/// Instructions that QEMU executes one after another.
struct Block {
  std::size_t number = 0;
  bool of_program = true;
  std::uint64_t flops = 0;
  std::vector<Piece> pieces;
  std::vector<std::unique_ptr<Access>> accesses;  ///< one for each instruction
};

/// All that the plugin knows of the program.
struct State {
  explicit State(Options given) : options(std::move(given)), symbols(options), decoder(options.arm) {}

  const Options options;
  std::mutex mutex;  ///< of all that follows, but what a thread does with its own Cpu
  Symbols symbols;
  Decoder decoder;
  Regions regions;
  std::vector<std::unique_ptr<Block>> blocks;
  std::map<std::pair<std::uint64_t, std::size_t>, std::vector<Block*>> by_place;  ///< first address, instructions
  std::array<std::unique_ptr<Cpu>, 4096> cpus;
  std::set<std::string> notes;
  std::vector<std::string> refused;  ///< why, function, module of what the emulator does not execute; empty: nothing
  std::uint64_t address_shift = 0;   ///< from addresses of the program to those of this process
  pid_t process = ::getpid();
  bool ended = false;
};

/// Replaces the file counts.PID.json of this process in one step: the counts of its functions so far, and its regions.
/// The caller holds the mutex.
void write_counts(const State& state, bool complete);

}  // namespace roofline::any_program
