#include "bench/virtual_gpu/runtime/fatbin.hpp"

#include <fmt/format.h>
#include <lz4.h>
#include <zstd.h>

#include <cstring>

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
      throw FatbinError(fmt::format("fat binary: entry {} is longer than what is left", entries.size()));
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

}  // namespace roofline::runtime
