// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "bench/any_program/count/instruction.hpp"
#include "bench/machine/topology.hpp"

struct Dwfl_Module;

namespace roofline::any_program {

/// The unit that a row of the counts describes.
enum class By { function, inlined, loop };

/// The command line of the counting program.
struct Options {
  std::filesystem::path folder = ".", program;
  std::string only;
  By by = By::function;
  std::vector<CacheLevel> levels;
  bool sampled = false;    ///< an eighth of the sets stands for all, windows for a long run
  bool libraries = false;  ///< their lines are wanted, too
};

/// Parses "folder=", "program=", "caches=", "sampled=", "only=", "by=" and "libraries=". Throws std::invalid_argument
/// if the caches are not valid.
Options options_of(const std::vector<std::string>& arguments);

/// A stretch of a function's code that is counted as a row of its own; addresses as libdw has them.
struct Part {
  std::uintptr_t from = 0, to = 0;
  std::string function;  ///< that was inlined there; empty: it is of the function itself
  std::string source;    ///< "solver.c:34" of that function
  std::string loop;      ///< "/loop@34"
};

/// "solver.c:34" of an instruction, without the folder; empty where the file has no line table.
std::string line_at(Dwfl_Module* module, std::uintptr_t address);

/// The functions that were inlined at an instruction, the innermost first. Empty without debug information.
std::vector<Part> inlined_parts(Dwfl_Module* module, std::uintptr_t address);

/// The loops of a function, the innermost first. A loop is the code that a backward jump encloses, named by the line of
/// that jump, for which compilers write the line of the loop's head.
/// `code`: the bytes at `from`.
std::vector<Part> loop_parts(Dwfl_Module* module, const std::string& code, std::uintptr_t from, std::uintptr_t to);

/// A function of a file that is mapped into the program, or a loop of it.
struct Function {
  std::string name;  ///< as in the symbol table; "at:0x1139" (the offset) in a file without symbols; "[plt]" for stubs
  std::string module;  ///< the file
  std::string source;  ///< "solver.c:34" of its begin; empty: no line table
  std::string loop;    ///< "/loop@34"; empty outside of loops, or if loops are not told apart
  std::map<std::uint64_t, std::uint64_t> ranges;  ///< offsets in the file, to by from
};

/// Says whose instructions are where in the files that the program mapped.
class Symbols {
 public:
  const std::string program;  ///< the file

  explicit Symbols(const Options& options);
  ~Symbols();
  Symbols(const Symbols&) = delete;
  Symbols& operator=(const Symbols&) = delete;

  /// The number of the function whose instruction of `size` bytes is at an offset in a file; or of what was inlined
  /// there, or of its loop. An empty file is code that the program made.
  int function_at(const std::string& file, std::uint64_t offset, unsigned size);
  const std::vector<Function>& functions() const { return functions_; }
  /// "solver.c:34" of an instruction; empty where the file has no line table.
  std::string line_of(const std::string& file, std::uint64_t offset);

 private:
  /// A mapped file with what libdw knows of it.
  struct File;
  File& file_named(const std::string& name);

  /// A function as its symbol has it, and what it consists of.
  struct Whole {
    Function function;
    std::uintptr_t from = 0, to = 0;           ///< addresses
    std::uint64_t shift = 0;                   ///< from addresses to offsets in the file
    const std::vector<Part>* parts = nullptr;  ///< the innermost first
  };
  Whole whole_at(File& file, const std::string& name, std::uint64_t offset);
  int number_of(const Whole& whole, const Part* part);

  const By by_;
  const bool libraries_;
  std::map<std::string, std::unique_ptr<File>> files_;
  std::vector<Function> functions_;
  /// By module, name, loop, and, of those without a name for all, begin.
  std::map<std::tuple<std::string, std::string, std::string, std::uint64_t>, int> numbers_;
  // The last query and its answer.
  std::string last_file_;
  Whole last_;
  const Part* last_part_ = nullptr;
  int last_number_ = -1;
};

}  // namespace roofline::any_program
