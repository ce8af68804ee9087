#include "bench/any_program/program_file.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include "bench/text/output.hpp"
#include "bench/text/words.hpp"

namespace roofline::any_program {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& path, const std::string& why) {
  throw std::invalid_argument(fmt::format("{}: {}", path.string(), why));
}

template <class T>
std::optional<T> read_at(std::ifstream& file, std::uint64_t at) {
  T value;
  file.clear(), file.seekg(static_cast<std::streamoff>(at));
  return file.read(reinterpret_cast<char*>(&value), sizeof value) ? std::optional(value) : std::nullopt;
}

bool has_loader(std::ifstream& file, const Elf64_Ehdr& header) {
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    const auto segment = read_at<Elf64_Phdr>(file, header.e_phoff + i * std::uint64_t{header.e_phentsize});
    if (segment && segment->p_type == PT_INTERP) return true;
  }
  return false;
}

bool has_markers(const fs::path& path) {
  const auto text = read_file(path, std::size_t{1} << 31);
  return text.find("likwid_markerStartRegion") != text.npos || text.find("roofline_region_begin") != text.npos;
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
  if (!S_ISREG(what.st_mode)) refuse(path, "is no file that can be run");
  if (::access(path.c_str(), X_OK) != 0) throw FileError(fmt::format("{}: may not be executed: chmod +x", name));
  if (what.st_mode & (S_ISUID | S_ISGID)) refuse(path, "runs as another user (set-uid), which an emulator cannot do");
  std::ifstream file(path, std::ios::binary);
  char magic[SELFMAG] = "";
  if (!file.read(magic, 2)) throw FileError(fmt::format("{}: cannot be read", name));
  if (std::memcmp(magic, "#!", 2) == 0)
    refuse(path, fmt::format("is a script: name the program that it starts, as in roofline cpu -- ./program"));
  const auto header = read_at<Elf64_Ehdr>(file, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) refuse(path, "is no program (no ELF file)");
  if (header->e_ident[EI_CLASS] != ELFCLASS64)
    refuse(path, "is a program of 32 bit; only x86-64 and AArch64 are counted");
  if (header->e_machine != EM_X86_64 && header->e_machine != EM_AARCH64)
    refuse(path, fmt::format("is a program for another machine (ELF number {}); only x86-64 and AArch64 are counted",
                             header->e_machine));
  if (header->e_type != ET_EXEC && header->e_type != ET_DYN) refuse(path, "is no program but an object file");
  ProgramFile program{.path = path, .arm = header->e_machine == EM_AARCH64};
#ifdef __aarch64__
  program.native = program.arm;
#else
  program.native = !program.arm;
#endif
  program.is_static = !has_loader(file, *header);
  program.marks = has_markers(path);
  return program;
}

}  // namespace roofline::any_program
