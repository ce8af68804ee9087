#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace roofline::testing {

/// One machine instruction of a GPU since Volta: 16 bytes.
struct SassInstruction {
  std::uint64_t low, high;
  /// What it does, whatever the kind of its operands: families below.
  unsigned family() const { return low & 0x1ff; }
  // Of a global access the size is in bits 73 to 75 (4, 5, 6: 4, 8, 16 B) and "memory that nobody writes" in bit 79
  // (sm_80 and later). Agrees with nvdisasm for sm_75 to sm_90.
  int global_access_bytes() const {
    const auto size = high >> 9 & 7;
    return size == 6 ? 16 : size == 5 ? 8 : 4;
  }
  bool reads_constant_memory() const { return high >> 15 & 1; }
};
namespace sass {
inline constexpr unsigned hgmma = 0x1f0, igmma = 0x1f1, qgmma = 0x1f3, qmma = 0x7a, dadd = 0x29, dmul = 0x28,
                          dfma = 0x2b, fadd = 0x21, fmul = 0x20, ffma = 0x23, hadd2 = 0x30, hfma2 = 0x31, hmul2 = 0x32,
                          hfma2_mma = 0x35, hmma = 0x3c, dmma = 0x3f, imma = 0x37, nop = 0x118, branch = 0x147,
                          load_local = 0x183, store_local = 0x187, load_global = 0x181, store_global = 0x186,
                          load_shared = 0x184, store_shared = 0x188, atomic_global = 0x1a8;
}

/// A kernel as it was compiled for one architecture.
struct SassKernel {
  std::string name;  ///< mangled
  int capability = 0;
  int registers = 0, frame_bytes = 0;  ///< frame: the stack, for spills among other things
  std::vector<SassInstruction> code;

  int count(unsigned family) const { return count(code, family); }
  static int count(const std::vector<SassInstruction>& code, unsigned family) {
    return static_cast<int>(
        std::count_if(code.begin(), code.end(), [&](const auto& i) { return i.family() == family; }));
  }
  /// From the target of the longest backward branch to that branch; the branch to itself at the end is none.
  std::vector<SassInstruction> longest_loop() const {
    std::size_t first = 0, last = 0;
    for (std::size_t i = 0; i < code.size(); ++i) {
      if (code[i].family() != sass::branch) continue;
      // In units of 4 bytes from the next instruction: bits 34 to 81, since Hopper with 8 lower ones in bits 16 to 23.
      auto offset = static_cast<std::int64_t>(code[i].high << 46 | (code[i].low >> 34) << 16) >> 16;
      if (capability >= 90) offset = offset * 256 + static_cast<std::int64_t>(code[i].low >> 16 & 0xff);
      const auto target = static_cast<std::int64_t>(i) + 1 + offset / 4;
      if (target < 0 || target >= static_cast<std::int64_t>(i)) continue;
      if (i - static_cast<std::size_t>(target) > last - first) first = static_cast<std::size_t>(target), last = i;
    }
    if (last == first) return {};
    return {code.begin() + static_cast<std::ptrdiff_t>(first), code.begin() + static_cast<std::ptrdiff_t>(last) + 1};
  }
};

/// The kernels of all cubins in a file that are stored there uncompressed.
inline std::vector<SassKernel> kernels_in(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const auto read = [&]<class T>(std::size_t at, T zero) {
    if (at + sizeof(T) <= bytes.size()) std::memcpy(&zero, bytes.data() + at, sizeof(T));
    return zero;
  };
  constexpr std::uint16_t cuda_machine = 190;
  std::vector<SassKernel> kernels;
  for (auto elf = bytes.find("\x7f"
                             "ELF",
                             1);
       elf != std::string::npos; elf = bytes.find("\x7f"
                                                  "ELF",
                                                  elf + 1)) {
    if (read(elf + 18, std::uint16_t{}) != cuda_machine) continue;
    struct Section {
      std::uint32_t name, type;
      std::uint64_t flags, address, offset, size;
      std::uint32_t link, info;
      std::uint64_t align, entry;
    };
    const auto table = elf + read(elf + 40, std::uint64_t{});
    const auto section = [&](std::size_t i) { return read(table + i * sizeof(Section), Section{}); };
    const std::size_t n = read(elf + 60, std::uint16_t{});
    const auto names = section(read(elf + 62, std::uint16_t{}));
    const auto text = [&](const Section& strings, std::uint32_t at) {
      return std::string(bytes.c_str() + elf + strings.offset + at);
    };
    std::map<std::uint32_t, std::pair<int, int>> facts;  // by symbol: registers, frame
    std::map<std::string, std::uint32_t> symbols;
    for (std::size_t i = 0; i < n; ++i) {
      const auto s = section(i);
      const auto name = text(names, s.name);
      if (name == ".symtab")
        for (std::uint32_t k = 0; k < s.size / 24; ++k)
          symbols[text(section(s.link), read(elf + s.offset + 24 * k, std::uint32_t{}))] = k;
      if (name != ".nv.info") continue;
      for (std::size_t at = 0; at + 4 <= s.size;) {
        const auto entry = elf + s.offset + at;
        const auto format = read(entry, std::uint8_t{}), attribute = read(entry + 1, std::uint8_t{});
        const auto symbol = read(entry + 4, std::uint32_t{});
        const auto value = static_cast<int>(read(entry + 8, std::uint32_t{}));
        if (attribute == 0x2f) facts[symbol].first = value;
        if (attribute == 0x11) facts[symbol].second = value;
        at += 4 + (format == 4 ? read(entry + 2, std::uint16_t{}) : 0u);
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      const auto s = section(i);
      const auto name = text(names, s.name);
      if (name.rfind(".text.", 0) != 0) continue;
      SassKernel kernel{name.substr(6), static_cast<int>(read(elf + 48, std::uint32_t{}) >> 8 & 0xff), 0, 0, {}};
      std::tie(kernel.registers, kernel.frame_bytes) = facts[symbols[kernel.name]];
      for (std::size_t at = 0; at + 16 <= s.size; at += 16)
        kernel.code.push_back(read(elf + s.offset + at, SassInstruction{}));
      kernels.push_back(std::move(kernel));
    }
  }
  return kernels;
}

}  // namespace roofline::testing
