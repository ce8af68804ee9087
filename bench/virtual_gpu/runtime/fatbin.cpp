#include "bench/virtual_gpu/runtime/fatbin.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <lz4.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <optional>
#include <vector>

namespace roofline::runtime {
namespace {

constexpr std::uint32_t wrapper_magic = 0x466243b1, fatbin_magic = 0xba55ed50;
constexpr std::uint64_t lz4_flag = 0x2000, zstd_flag = 0x8000, exact_flag = 0x100000, family_flag = 0x200000;
/// Nothing that nvcc writes is near this; a damaged length is.
constexpr std::uint64_t largest_program = std::uint64_t{1} << 30;

template <class T>
T field(std::span<const std::byte> bytes, std::size_t offset) {
  if (offset + sizeof(T) > bytes.size())
    throw FatbinError(fmt::format("fat binary: ends within its header at byte {}", offset));
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

FatbinEntry read_entry(std::span<const std::byte> entry, std::size_t header, std::uint64_t stored) {
  FatbinEntry result;
  const auto kind = field<std::uint16_t>(entry, 0);
  result.kind = kind == 1 ? FatbinEntry::Kind::ptx : kind == 2 ? FatbinEntry::Kind::elf : FatbinEntry::Kind::other;
  result.architecture = field<std::uint32_t>(entry, 28);
  const auto flags = field<std::uint64_t>(entry, 40);
  if (flags & exact_flag) result.reach = FatbinEntry::Reach::exact;
  if (flags & family_flag) result.reach = FatbinEntry::Reach::family;
  result.payload = entry.subspan(header, stored);
  if (flags & (lz4_flag | zstd_flag)) {
    result.compression = flags & zstd_flag ? Compression::zstd : Compression::lz4;
    const auto bytes = field<std::uint32_t>(entry, 16);
    if (bytes > stored)
      throw FatbinError(fmt::format("fat binary: {} compressed bytes in an entry of {}", bytes, stored));
    result.payload = result.payload.first(bytes);
    result.uncompressed = field<std::uint64_t>(entry, 56);
    if (result.uncompressed > largest_program)
      throw FatbinError(fmt::format("fat binary: an entry claims {} bytes", result.uncompressed));
  }
  return result;
}

bool runs_on(const FatbinEntry& entry, unsigned capability) {
  switch (entry.reach) {
    case FatbinEntry::Reach::later:
      return entry.architecture <= capability;
    case FatbinEntry::Reach::family:
      return entry.architecture <= capability && entry.architecture / 10 == capability / 10;
    case FatbinEntry::Reach::exact:
      return entry.architecture == capability;
  }
  return false;
}

/// The better of two that run: higher architecture first, then the more specific.
bool better(const FatbinEntry& a, const FatbinEntry* b) {
  if (b == nullptr || a.architecture != b->architecture) return b == nullptr || a.architecture > b->architecture;
  return a.reach > b->reach;
}

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

std::string FatbinEntry::name() const {
  const char* const suffix = reach == Reach::exact ? "a" : reach == Reach::family ? "f" : "";
  return fmt::format("{}_{}{}", kind == Kind::ptx ? "compute" : "sm", architecture, suffix);
}

std::string FatbinEntry::contents() const {
  std::string result;
  if (compression == Compression::none) {
    result.assign(reinterpret_cast<const char*>(payload.data()), payload.size());
  } else {
    result.resize(uncompressed);
    const auto* const source = reinterpret_cast<const char*>(payload.data());
    std::size_t written = 0;
    if (compression == Compression::zstd) {
      written = ZSTD_decompress(result.data(), result.size(), source, payload.size());
      if (ZSTD_isError(written))
        throw FatbinError(fmt::format("{}: Zstandard: {}", name(), ZSTD_getErrorName(written)));
    } else {
      const int n =
          LZ4_decompress_safe(source, result.data(), static_cast<int>(payload.size()), static_cast<int>(result.size()));
      if (n < 0) throw FatbinError(fmt::format("{}: its LZ4 data are damaged", name()));
      written = static_cast<std::size_t>(n);
    }
    if (written != uncompressed)
      throw FatbinError(fmt::format("{}: {} bytes instead of {} after decompression", name(), written, uncompressed));
  }
  if (kind == Kind::ptx) result.resize(std::min(result.find('\0'), result.size()));
  return result;
}

std::vector<FatbinEntry> read_fatbin(std::span<const std::byte> fatbin) {
  if (field<std::uint32_t>(fatbin, 0) != fatbin_magic)
    throw FatbinError("fat binary: does not start with its magic number");
  const auto header = field<std::uint16_t>(fatbin, 6);
  const auto size = field<std::uint64_t>(fatbin, 8);
  if (header < 16 || header > fatbin.size() || size > fatbin.size() - header)
    throw FatbinError(
        fmt::format("fat binary: {} bytes after a header of {} do not fit into {}", size, header, fatbin.size()));
  std::vector<FatbinEntry> entries;
  for (auto rest = fatbin.subspan(header, size); !rest.empty();) {
    const auto entry_header = field<std::uint32_t>(rest, 4);
    const auto stored = field<std::uint64_t>(rest, 8);
    if (entry_header < 64 || entry_header > rest.size() || stored > rest.size() - entry_header)
      throw FatbinError(fmt::format("fat binary: entry {} is longer than the rest of the binary", entries.size()));
    entries.push_back(read_entry(rest.first(entry_header + stored), entry_header, stored));
    rest = rest.subspan(entry_header + stored);
  }
  return entries;
}

std::span<const std::byte> fatbin_of_wrapper(const void* wrapper) {
  std::uint32_t magic = 0;
  std::memcpy(&magic, wrapper, sizeof magic);
  if (magic != wrapper_magic) throw FatbinError("fat binary: its wrapper has another magic number");
  const std::byte* data = nullptr;
  std::memcpy(&data, static_cast<const std::byte*>(wrapper) + 8, sizeof data);
  const auto head = std::span(data, 16);
  return {data, field<std::uint16_t>(head, 6) + field<std::uint64_t>(head, 8)};
}

const FatbinEntry* choose_ptx(const std::vector<FatbinEntry>& entries, unsigned capability) {
  const FatbinEntry* best = nullptr;
  for (const auto& entry : entries)
    if (entry.kind == FatbinEntry::Kind::ptx && runs_on(entry, capability) && better(entry, best)) best = &entry;
  return best;
}

const FatbinEntry* lowest_ptx(const std::vector<FatbinEntry>& entries) {
  const FatbinEntry* lowest = nullptr;
  for (const auto& entry : entries)
    if (entry.kind == FatbinEntry::Kind::ptx && entry.reach == FatbinEntry::Reach::later &&
        (lowest == nullptr || entry.architecture < lowest->architecture))
      lowest = &entry;
  return lowest;
}

const FatbinEntry* choose_cubin(const std::vector<FatbinEntry>& entries, unsigned capability) {
  const FatbinEntry* best = nullptr;
  for (const auto& entry : entries)
    if (entry.kind == FatbinEntry::Kind::elf && entry.architecture / 10 == capability / 10 &&
        runs_on(entry, capability) && better(entry, best))
      best = &entry;
  return best;
}

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
