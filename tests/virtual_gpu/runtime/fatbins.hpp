#pragma once
#include <lz4.h>
#include <zstd.h>

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace roofline::runtime {

/// Writes fat binaries as nvcc does, entry by entry.
class FatbinWriter {
 public:
  enum Kind : std::uint16_t { ptx = 1, elf = 2 };
  static constexpr std::uint64_t lz4 = 0x2000, zstd = 0x8000, exact = 0x100000, family = 0x200000;

  FatbinWriter& add(Kind kind, unsigned architecture, std::string program, std::uint64_t flags = 0) {
    const auto plain = program.size();
    if (flags & zstd) {
      std::string packed(ZSTD_compressBound(plain), '\0');
      packed.resize(ZSTD_compress(packed.data(), packed.size(), program.data(), plain, 3));
      program = packed;
    } else if (flags & lz4) {
      std::string packed(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(plain))), '\0');
      packed.resize(static_cast<std::size_t>(LZ4_compress_default(
          program.data(), packed.data(), static_cast<int>(plain), static_cast<int>(packed.size()))));
      program = packed;
    }
    const bool compressed = flags & (lz4 | zstd);
    const auto packed = static_cast<std::uint32_t>(compressed ? program.size() : 0);
    program.resize((program.size() + 7) / 8 * 8);
    put<std::uint16_t>(kind), put<std::uint16_t>(0x101), put<std::uint32_t>(64);
    put<std::uint64_t>(program.size()), put<std::uint32_t>(packed), put<std::uint32_t>(0);
    put<std::uint32_t>(0x90000), put<std::uint32_t>(architecture), put<std::uint64_t>(0);
    put<std::uint64_t>(flags | 0x11), put<std::uint64_t>(0), put<std::uint64_t>(compressed ? plain : 0);
    for (const char c : program) put(c);
    return *this;
  }

  std::vector<std::byte> bytes() const {
    std::vector<std::byte> result(16);
    const std::uint32_t magic = 0xba55ed50;
    const std::uint16_t version = 1, header = 16;
    const std::uint64_t size = entries_.size();
    std::memcpy(result.data(), &magic, 4), std::memcpy(result.data() + 4, &version, 2);
    std::memcpy(result.data() + 6, &header, 2), std::memcpy(result.data() + 8, &size, 8);
    result.insert(result.end(), entries_.begin(), entries_.end());
    return result;
  }

 private:
  template <class T>
  void put(T value) {
    const auto* const bytes = reinterpret_cast<const std::byte*>(&value);
    entries_.insert(entries_.end(), bytes, bytes + sizeof value);
  }
  std::vector<std::byte> entries_;
};

}  // namespace roofline::runtime
