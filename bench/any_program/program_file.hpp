#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace roofline::any_program {

/// A program that can be run and counted.
struct ProgramFile {
  std::filesystem::path path;  ///< absolute, without links
  bool is_static = false;      ///< nothing can be preloaded into it
  bool marks = false;          ///< it names LIKWID's marker calls or those of this project's library, or is Python
};

/// The file that the shell would run for a name, if there is one.
std::optional<std::filesystem::path> find_program(const std::string& name);
/// The same. Throws FileError, one line.
std::filesystem::path program_named(const std::string& name);

/// The one of a name. Throws FileError (no such program, no permission) and std::invalid_argument, one line each, for
/// what cannot be counted: a folder, a script, no ELF, 32 bit, set-uid, a machine other than x86-64, AMX code where the
/// CPU has AMX.
ProgramFile program_file(const std::string& name);

/// A function in a file, by the symbol table.
struct Symbol {
  std::string name;
  std::uint64_t from = 0, to = 0;  ///< offsets in the file
};

/// The symbols of a 64-bit ELF file, sorted by their begin. A stripped file gives the symbols that it exports. Empty if
/// nothing can be read.
std::vector<Symbol> symbols_of(const std::filesystem::path& file);

/// The one that has an offset; null: none.
const Symbol* symbol_at(const std::vector<Symbol>& symbols, std::uint64_t offset);

}  // namespace roofline::any_program
