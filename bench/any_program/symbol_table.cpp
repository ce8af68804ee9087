#include "bench/any_program/symbol_table.hpp"

#include <elf.h>

#include <algorithm>
#include <cstring>

#include "bench/text/output.hpp"

namespace roofline::any_program {
namespace {

/// Objects of a file that may be damaged.
template <class T>
std::vector<T> objects(const std::string& text, std::uint64_t at, std::uint64_t count) {
  if (at > text.size() || count > (text.size() - at) / sizeof(T)) return {};
  std::vector<T> all(count);
  if (count > 0) std::memcpy(all.data(), text.data() + at, count * sizeof(T));
  return all;
}

}  // namespace

std::vector<Symbol> symbols_of(const std::filesystem::path& file) {
  std::string text;
  try {
    text = read_file(file, std::size_t{1} << 31);
  } catch (const FileError&) {
    return {};
  }
  const auto header = objects<Elf64_Ehdr>(text, 0, 1);
  if (header.empty() || std::memcmp(header[0].e_ident, ELFMAG, SELFMAG) != 0 ||
      header[0].e_ident[EI_CLASS] != ELFCLASS64)
    return {};
  const auto segments = objects<Elf64_Phdr>(text, header[0].e_phoff, header[0].e_phnum);
  const auto sections = objects<Elf64_Shdr>(text, header[0].e_shoff, header[0].e_shnum);
  const auto table = [&](unsigned type) {
    return std::find_if(sections.begin(), sections.end(), [&](const auto& s) { return s.sh_type == type; });
  };
  auto found = table(SHT_SYMTAB);
  if (found == sections.end()) found = table(SHT_DYNSYM);
  if (found == sections.end() || found->sh_link >= sections.size()) return {};
  const auto& names = sections[found->sh_link];
  std::vector<Symbol> symbols;
  for (const auto& symbol : objects<Elf64_Sym>(text, found->sh_offset, found->sh_size / sizeof(Elf64_Sym))) {
    if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_size == 0 || symbol.st_shndx == SHN_UNDEF) continue;
    const auto name = names.sh_offset + symbol.st_name;
    if (symbol.st_name >= names.sh_size || name >= text.size()) continue;
    for (const auto& segment : segments)
      if (segment.p_type == PT_LOAD && symbol.st_value >= segment.p_vaddr &&
          symbol.st_value < segment.p_vaddr + segment.p_filesz) {
        const auto from = symbol.st_value - segment.p_vaddr + segment.p_offset;
        symbols.push_back({std::string(text.c_str() + name), from, from + symbol.st_size});
      }
  }
  std::sort(symbols.begin(), symbols.end(), [](const auto& a, const auto& b) { return a.from < b.from; });
  return symbols;
}

const Symbol* symbol_at(const std::vector<Symbol>& symbols, std::uint64_t offset) {
  auto next = std::upper_bound(symbols.begin(), symbols.end(), offset,
                               [](std::uint64_t at, const auto& symbol) { return at < symbol.from; });
  if (next == symbols.begin() || offset >= std::prev(next)->to) return nullptr;
  return &*std::prev(next);
}

}  // namespace roofline::any_program
