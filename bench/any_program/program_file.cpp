#include "bench/any_program/program_file.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "bench/text/output.hpp"
#include "bench/text/words.hpp"

namespace roofline::any_program {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t largest_file = std::size_t{1} << 31;

[[noreturn]] void refuse(const fs::path& path, const std::string& why) {
  throw std::invalid_argument(fmt::format("{}: {}", path.string(), why));
}

/// Objects of a file that may be damaged.
template <class T>
std::vector<T> objects(const std::string& text, std::uint64_t at, std::uint64_t count) {
  if (at > text.size() || count > (text.size() - at) / sizeof(T)) return {};
  std::vector<T> all(count);
  if (count > 0) std::memcpy(all.data(), text.data() + at, count * sizeof(T));
  return all;
}

bool is_elf(const std::vector<Elf64_Ehdr>& header) {
  return !header.empty() && std::memcmp(header[0].e_ident, ELFMAG, SELFMAG) == 0;
}

/// For tests: as if the CPU had them.
bool cpu_has_tiles() {
#if defined(__x86_64__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned amx_tile = 1u << 24;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) && (d & amx_tile)) return true;
#endif
  return std::getenv("ROOFLINE_CPU_HAS_TILES") != nullptr;
}

/// Whether code between two offsets has an LDTILECFG, without which there are no tiles: C4, R, X and B, 78, 49, /0.
bool sets_tiles(const std::string& text, std::uint64_t from, std::uint64_t to) {
  for (auto at = text.find("\x78\x49", from); at != text.npos && at + 2 < to; at = text.find("\x78\x49", at + 1)) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at - 2 + i]); };
    constexpr unsigned registers_inverted = 0x60, map_0f38 = 2, reg = 0x38, mod_register = 0xc0;
    if (at >= from + 2 && byte(0) == 0xc4 && (byte(1) & ~registers_inverted) == (0x80 | map_0f38) &&
        (byte(4) & reg) == 0 && (byte(4) & mod_register) != mod_register)
      return true;
  }
  return false;
}

}  // namespace

std::optional<fs::path> find_program(const std::string& name) {
  std::error_code none;
  if (name.find('/') != name.npos) return fs::exists(name, none) ? std::optional<fs::path>(name) : std::nullopt;
  const char* const path = std::getenv("PATH");
  for (const auto& folder : split(path ? path : "", ':'))
    if (const auto file = fs::path(folder) / name; ::access(file.c_str(), X_OK) == 0 && !fs::is_directory(file, none))
      return file;
  return std::nullopt;
}

fs::path program_named(const std::string& name) {
  if (const auto found = find_program(name)) return *found;
  if (name.find('/') != name.npos) throw FileError(fmt::format("{}: there is no such program", name));
  throw FileError(fmt::format("{}: not found in PATH; a program here is ./{}", name, name));
}

ProgramFile program_file(const std::string& name) {
  const auto path = fs::canonical(program_named(name));
  for (const char* const launcher : {"mpirun", "mpiexec", "orterun", "prterun", "srun"})
    if (fs::path(name).filename() == launcher)
      refuse(path, "starts other programs, which would not be counted: mpirun -np 2 roofline cpu -- ./program");
  struct stat what {};
  if (::stat(path.c_str(), &what) != 0) throw FileError(fmt::format("{}: {}", name, std::strerror(errno)));
  if (!S_ISREG(what.st_mode)) refuse(path, "is not a file that can be run");
  if (::access(path.c_str(), X_OK) != 0) throw FileError(fmt::format("{}: may not be executed: chmod +x", name));
  if (what.st_mode & (S_ISUID | S_ISGID))
    refuse(path, "runs as another user (set-uid), which the kernel lets nobody count");
  const auto text = read_file(path, largest_file);
  if (text.starts_with("#!"))
    refuse(path, "is a script: name the program that it starts, as in roofline cpu -- ./program");
  const auto headers = objects<Elf64_Ehdr>(text, 0, 1);
  if (!is_elf(headers)) refuse(path, "is not a program (not an ELF file)");
  const auto& header = headers.front();
  if (header.e_ident[EI_CLASS] != ELFCLASS64) refuse(path, "is a program of 32 bit; only those of x86-64 are counted");
  if (header.e_machine != EM_X86_64)
    refuse(path,
           fmt::format("is a program for another machine (ELF number {}); only x86-64 is counted", header.e_machine));
  if (header.e_type != ET_EXEC && header.e_type != ET_DYN) refuse(path, "is an object file, not a program");
  ProgramFile program{.path = path};
  const auto segments = objects<Elf64_Phdr>(text, header.e_phoff, header.e_phnum);
  program.is_static =
      std::none_of(segments.begin(), segments.end(), [](const auto& s) { return s.p_type == PT_INTERP; });
  for (const auto& segment : segments)
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X) && cpu_has_tiles() &&
        sets_tiles(text, segment.p_offset, segment.p_offset + segment.p_filesz))
      refuse(path, "has AMX code, whose operations are not counted");
  for (const char* const name : {"likwid_markerStartRegion", "roofline_region_begin", "Py_BytesMain"})
    program.marks |= text.find(name) != text.npos;
  return program;
}

std::vector<Symbol> symbols_of(const std::filesystem::path& file) {
  std::string text;
  try {
    text = read_file(file, largest_file);
  } catch (const FileError&) {
    return {};
  }
  const auto header = objects<Elf64_Ehdr>(text, 0, 1);
  if (!is_elf(header) || header[0].e_ident[EI_CLASS] != ELFCLASS64) return {};
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
