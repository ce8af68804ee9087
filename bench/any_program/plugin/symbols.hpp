// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "bench/any_program/plugin/instruction.hpp"
#include "bench/any_program/plugin/options.hpp"
#include "bench/any_program/plugin/parts.hpp"

struct Dwfl;

namespace roofline::any_program {

/// A function of a file that is mapped into the program, or a loop of it.
struct Function {
  std::string name;    ///< as its symbol has it; of a file without symbols "at:0x1139", its offset; "[plt]" of stubs
  std::string module;  ///< the file
  std::string source;  ///< "solver.c:34" of its begin; empty: no line table
  std::string loop;    ///< "/loop@34"; empty: what is in none, or in any
  std::map<std::uint64_t, std::uint64_t> ranges;  ///< offsets in the file, to by from
};

/// Says whose instructions are where in this process: QEMU maps the program's files into its own.
class Symbols {
 public:
  std::string program;  ///< the file

  /// What is mapped now is QEMU's own.
  explicit Symbols(const Options& options);
  ~Symbols();
  Symbols(const Symbols&) = delete;
  Symbols& operator=(const Symbols&) = delete;

  /// The number of the function whose instruction of `size` bytes is at an address of this process; or of what was
  /// inlined there, or of its loop.
  int function_at(std::uintptr_t address, unsigned size);
  const std::vector<Function>& functions() const { return functions_; }
  /// Bytes from an address to the end of what is mapped there and directly behind.
  std::uintptr_t readable_from(std::uintptr_t address);

 private:
  struct Mapping {
    std::uintptr_t end;
    std::uint64_t offset;
    std::string file;
  };
  void read_mappings();
  const Mapping* mapping_at(std::uintptr_t address, std::uintptr_t* begin = nullptr) const;

  /// A function as its symbol has it, and what it consists of.
  struct Whole {
    Function function;
    std::uintptr_t from = 0, to = 0;           ///< addresses
    std::uint64_t shift = 0;                   ///< from addresses to offsets in the file
    const std::vector<Part>* parts = nullptr;  ///< the innermost first
  };
  Whole whole_at(std::uintptr_t address);
  int number_of(const Whole& whole, const Part* part);

  const By by_;
  const bool libraries_;
  Decoder decoder_;
  Dwfl* dwfl_;
  std::map<std::uintptr_t, Mapping> mappings_;  ///< by begin
  std::map<std::uintptr_t, bool> of_qemu_;      ///< begins
  std::map<std::pair<std::string, std::uintptr_t>, bool> reported_;
  std::vector<Function> functions_;
  /// By module, name, loop, and, of those without a name for all, begin.
  std::map<std::tuple<std::string, std::string, std::string, std::uint64_t>, int> numbers_;
  std::map<std::uintptr_t, std::vector<Part>> parts_;  ///< by begin of a function
  // What was asked for last.
  Whole last_;
  const Part* last_part_ = nullptr;
  int last_number_ = -1;
};

}  // namespace roofline::any_program
