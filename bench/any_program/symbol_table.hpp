#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace roofline::any_program {

/// A function in a file, by the symbol table.
struct Symbol {
  std::string name;
  std::uint64_t from = 0, to = 0;  ///< offsets in the file
};

/// Those of an ELF file of 64 bit, by their begin; of a stripped one what it exports. Empty where nothing can be read.
std::vector<Symbol> symbols_of(const std::filesystem::path& file);

/// The one that has an offset; null: none.
const Symbol* symbol_at(const std::vector<Symbol>& symbols, std::uint64_t offset);

}  // namespace roofline::any_program
