// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

struct Dwfl;

namespace roofline::any_program {

/// A function of a file that is mapped into the program.
struct Function {
  std::string name;    ///< as its symbol has it; of a file without symbols "at:0x1139", its offset; "[plt]" of stubs
  std::string module;  ///< the file
  std::string source;  ///< "solver.c:34" of its begin; empty: no line table
  std::uint64_t from = 0, to = 0;  ///< offsets in the file
};

/// Says whose instructions are where in this process: QEMU maps the program's files into its own.
class Symbols {
 public:
  /// What is mapped now is QEMU's own.
  Symbols();
  ~Symbols();
  Symbols(const Symbols&) = delete;
  Symbols& operator=(const Symbols&) = delete;

  /// The number of the function whose instruction is at an address of this process.
  int function_at(std::uintptr_t address);
  const std::vector<Function>& functions() const { return functions_; }
  /// Bytes from an address to the end of what is mapped there and directly behind.
  std::uintptr_t readable_from(std::uintptr_t address) const;

 private:
  struct Mapping {
    std::uintptr_t end;
    std::uint64_t offset;
    std::string file;
  };
  void read_mappings();
  const Mapping* mapping_at(std::uintptr_t address, std::uintptr_t* begin = nullptr) const;

  Dwfl* dwfl_;
  std::map<std::uintptr_t, Mapping> mappings_;  ///< by begin
  std::map<std::uintptr_t, bool> of_qemu_;      ///< begins
  std::map<std::pair<std::string, std::uintptr_t>, bool> reported_;
  std::vector<Function> functions_;
  std::map<std::tuple<std::string, std::string, std::uint64_t>, int> numbers_;  ///< by module, name, begin
  std::uintptr_t last_from_ = 0, last_to_ = 0;  ///< addresses of the function that was asked for last
  int last_ = -1;
};

}  // namespace roofline::any_program
