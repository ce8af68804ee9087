#include "bench/virtual_gpu/runtime/cubin.hpp"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <optional>
#include <vector>

namespace roofline::runtime {
namespace {

constexpr unsigned gpu_machine = 190;  // EM_CUDA
// Attributes of .nv.info, by the names that NVIDIA's tools print.
constexpr unsigned max_threads_attribute = 0x05, frame_size_attribute = 0x11, register_count_attribute = 0x2f;
constexpr unsigned sized_format = 4;

template <class T>
std::optional<T> read(std::string_view bytes, std::uint64_t offset) {
  if (offset > bytes.size() || sizeof(T) > bytes.size() - offset) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

std::string_view name_at(std::string_view table, std::uint64_t offset) {
  if (offset >= table.size()) return {};
  table.remove_prefix(offset);
  return table.substr(0, std::min(table.find('\0'), table.size()));
}

/// The parts of an ELF file that are needed, bounds checked.
class Elf {
 public:
  explicit Elf(std::string_view bytes) : bytes_(bytes) {
    const auto header = read<Elf64_Ehdr>(bytes, 0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_machine != gpu_machine ||
        header->e_ident[EI_CLASS] != ELFCLASS64)
      return;
    for (unsigned i = 0; i < header->e_shnum; ++i) {
      const auto section = read<Elf64_Shdr>(bytes, header->e_shoff + std::uint64_t{i} * sizeof(Elf64_Shdr));
      if (!section) {
        sections_.clear();
        return;
      }
      sections_.push_back(*section);
    }
    if (header->e_shstrndx < sections_.size()) names_ = contents(sections_[header->e_shstrndx]);
  }

  std::string_view contents(const Elf64_Shdr& section) const {
    if (section.sh_type == SHT_NOBITS || section.sh_offset > bytes_.size() ||
        section.sh_size > bytes_.size() - section.sh_offset)
      return {};
    return bytes_.substr(section.sh_offset, section.sh_size);
  }
  std::string_view section(std::string_view name) const {
    for (const auto& section : sections_)
      if (name_at(names_, section.sh_name) == name) return contents(section);
    return {};
  }
  std::string_view symbol(unsigned index) const {
    const auto symbol = read<Elf64_Sym>(section(".symtab"), std::uint64_t{index} * sizeof(Elf64_Sym));
    return symbol ? name_at(section(".strtab"), symbol->st_name) : std::string_view();
  }

 private:
  std::string_view bytes_, names_;
  std::vector<Elf64_Shdr> sections_;
};

/// Calls `see` with each record that has a size of its own; the others hold two bytes.
void for_each_record(std::string_view info, const std::function<void(unsigned attribute, std::string_view data)>& see) {
  for (std::uint64_t at = 0; at + 4 <= info.size();) {
    const auto format = static_cast<unsigned char>(info[at]), attribute = static_cast<unsigned char>(info[at + 1]);
    const std::uint64_t size = format == sized_format ? *read<std::uint16_t>(info, at + 2) : 0;
    at += 4;
    if (size > info.size() - at) return;
    if (format == sized_format) see(attribute, info.substr(at, size));
    at += size;
  }
}

}  // namespace

std::map<std::string, CompiledKernel> compiled_kernels(std::string_view cubin) {
  const Elf elf(cubin);
  std::map<std::string, CompiledKernel> kernels;
  for_each_record(elf.section(".nv.info"), [&](unsigned attribute, std::string_view data) {
    const auto symbol = read<std::uint32_t>(data, 0), value = read<std::uint32_t>(data, 4);
    if (!symbol || !value) return;
    const auto name = elf.symbol(*symbol);
    if (name.empty()) return;
    if (attribute == register_count_attribute) kernels[std::string(name)].registers = *value;
    if (attribute == frame_size_attribute) kernels[std::string(name)].frame = *value;
  });
  for (auto& [name, kernel] : kernels)
    for_each_record(elf.section(".nv.info." + name), [&](unsigned attribute, std::string_view data) {
      const auto x = read<std::uint32_t>(data, 0), y = read<std::uint32_t>(data, 4), z = read<std::uint32_t>(data, 8);
      if (attribute == max_threads_attribute && x && y && z) kernel.max_threads = *x * *y * *z;
    });
  return kernels;
}

}  // namespace roofline::runtime
