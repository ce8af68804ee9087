// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bench/any_program/count/cpu.hpp"
#include "bench/any_program/count/instruction.hpp"
#include "bench/any_program/count/symbols.hpp"
#include "bench/any_program/counter/ledger.hpp"

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
};

/// An instruction of a block that loads or stores.
struct Access {
  int function = 0;
  bool streaming = false, local = false, seen = true;
  MemoryOperand operand;
  mutable Trail trail = {};
};

/// Instructions that are executed one after another.
struct Block {
  // The first two members are those that each execution needs.
  std::size_t words = 1;  ///< that an execution writes
  /// Loads and stores of a plain block: of a load and store of the same bytes first the one, then the other.
  struct Touch {
    std::uint32_t word, size;
    bool stores, local;
    mutable Trail trail = {};
  };
  std::vector<Touch> touches;
  int caller = -1;       ///< the function of the program that is seen last now; -1: the same as before
  bool is_plain = true;  ///< each access is one address, of one function
  /// By an execution, by function; masked and repeated accesses as if they had one lane or repetition.
  std::vector<std::pair<int, Accessed>> accessed;
  std::uint64_t flops = 0;
  std::vector<Piece> pieces;           ///< without the operations under a mask
  std::vector<Piece> instructions;     ///< one of each
  std::vector<std::uint32_t> offsets;  ///< of them in the block
  std::vector<bool> masked;            ///< whether the lanes of one are counted apart; `instructions` then has one lane
  std::vector<Access> accesses;
};

/// All that is known of the program.
struct State {
  State(Options given, Ledger& of) : options(std::move(given)), ledger(of), symbols(options) {}

  const Options options;
  Ledger& ledger;
  Symbols symbols;
  const Decoder decoder;
  Regions regions;
  std::vector<std::unique_ptr<Block>> blocks = std::vector<std::unique_ptr<Block>>(most_records);  ///< by record
  std::vector<std::unique_ptr<Cpu>> cpus;  ///< by region of the ledger
  std::set<std::string> notes;
  std::vector<std::string> refused;  ///< why, function, module of what cannot be counted; empty: nothing

  /// The block of a record, read when it is first asked for.
  const Block& block_of(std::uint32_t record) { return blocks[record] ? *blocks[record] : read_block(record); }
  /// Reads the parts of words that the threads have filled. False: there was nothing to read.
  bool read_words();
  /// Adds what a thread has done since the last call to its tally. `waits`: it does nothing meanwhile.
  void take(std::size_t cpu, bool waits);
  /// A region of the program's own begins or ends. False: none does.
  bool take_mark();

 private:
  const Block& read_block(std::uint32_t record);
  /// A part of words, up to `end`.
  void read_part(Cpu& cpu, const Slot& slot, std::size_t end, bool with_last);
};

/// Writes the file counts.1.json: the counts of the functions, and of the regions. Throws std::runtime_error.
void write_counts(State& state, bool complete);

}  // namespace roofline::any_program
