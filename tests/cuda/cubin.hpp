#pragma once
#include <cxxabi.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace roofline::testing {

/// One machine instruction of a GPU since Volta: 16 bytes.
struct SassInstruction {
  std::uint64_t low, high;
  /// The operation, whatever the kind of its operands: families below.
  unsigned family() const { return low & 0x1ff; }
  // For a global access the size is in bits 73 to 75 (4, 5, 6: 4, 8, 16 B) and "memory that nobody writes" in bit 79
  // (sm_80 and later). Agrees with nvdisasm for sm_75 to sm_90.
  int global_access_bytes() const {
    const auto size = high >> 9 & 7;
    return size == 6 ? 16 : size == 5 ? 8 : 4;
  }
  bool reads_constant_memory() const { return high >> 15 & 1; }
};
namespace sass {
inline constexpr unsigned hgmma = 0x1f0, igmma = 0x1f1, qgmma = 0x1f3, qmma = 0x7a, dadd = 0x29, dmul = 0x28,
                          dfma = 0x2b, fadd = 0x21, fmul = 0x20, ffma = 0x23, ffma2 = 0x49, fadd2 = 0x4b, fmul2 = 0x4a,
                          hadd2 = 0x30, hfma2 = 0x31, hmul2 = 0x32, hfma2_mma = 0x35, hmma = 0x3c, dmma = 0x3f,
                          imma = 0x37, iadd3 = 0x10, imad = 0x24, lop3 = 0x12, nop = 0x118, branch = 0x147,
                          load_local = 0x183, store_local = 0x187, load_global = 0x181, store_global = 0x186,
                          store_generic = 0x185, load_shared = 0x184, store_shared = 0x188;
}

/// A kernel as it was compiled for one architecture.
struct SassKernel {
  std::string name;  ///< mangled
  int capability = 0;
  int registers = 0, frame_bytes = 0;  ///< frame: the stack, for spills among other things
  std::vector<SassInstruction> code;

  int count(std::initializer_list<unsigned> families) const { return count(code, families); }
  static int count(const std::vector<SassInstruction>& code, std::initializer_list<unsigned> families) {
    int n = 0;
    for (const auto family : families)
      n += static_cast<int>(
          std::count_if(code.begin(), code.end(), [&](const auto& i) { return i.family() == family; }));
    return n;
  }
  /// From the target of the longest backward branch to that branch. The branch to itself at the end does not count.
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

/// One cubin: a 64-bit ELF file for a GPU, somewhere in a larger file.
class Cubin {
 public:
  Cubin(const std::string& bytes, std::size_t begin) : bytes_(bytes), begin_(begin) {}
  bool is_one() const { return read<std::uint16_t>(18) == 190; }  // the machine's number: CUDA

  /// Adds its kernels.
  void append_to(std::vector<SassKernel>& kernels) const {
    const auto facts = read_facts();
    for (std::size_t i = 0; i < sections(); ++i) {
      const auto s = section(i);
      const auto name = name_of(s);
      if (name.rfind(".text.", 0) != 0) continue;
      SassKernel kernel{name.substr(6), static_cast<int>(read<std::uint32_t>(48) >> 8 & 0xff), 0, 0, {}};
      if (const auto found = facts.find(kernel.name); found != facts.end())
        std::tie(kernel.registers, kernel.frame_bytes) = found->second;
      for (std::size_t at = 0; at + 16 <= s.size; at += 16) kernel.code.push_back(read<SassInstruction>(s.offset + at));
      kernels.push_back(std::move(kernel));
    }
  }

 private:
  struct Section {
    std::uint32_t name, type;
    std::uint64_t flags, address, offset, size;
    std::uint32_t link, info;
    std::uint64_t align, entry;
  };

  template <class T>
  T read(std::size_t at) const {
    T value{};
    if (begin_ + at + sizeof(T) <= bytes_.size()) std::memcpy(&value, bytes_.data() + begin_ + at, sizeof(T));
    return value;
  }
  std::size_t sections() const { return read<std::uint16_t>(60); }
  Section section(std::size_t i) const { return read<Section>(read<std::uint64_t>(40) + i * sizeof(Section)); }
  std::string text(const Section& strings, std::uint32_t at) const {
    return bytes_.c_str() + begin_ + strings.offset + at;
  }
  std::string name_of(const Section& s) const { return text(section(read<std::uint16_t>(62)), s.name); }

  /// Registers and bytes of the frame, by the kernel's name.
  std::map<std::string, std::pair<int, int>> read_facts() const {
    std::map<std::uint32_t, std::pair<int, int>> by_symbol;
    std::map<std::string, std::uint32_t> symbols;
    for (std::size_t i = 0; i < sections(); ++i) {
      const auto s = section(i);
      if (name_of(s) == ".symtab")
        for (std::uint32_t k = 0; k < s.size / 24; ++k)
          symbols[text(section(s.link), read<std::uint32_t>(s.offset + 24 * k))] = k;
      if (name_of(s) != ".nv.info") continue;
      for (std::size_t at = 0; at + 4 <= s.size;) {
        const auto entry = s.offset + at;
        const auto format = read<std::uint8_t>(entry), attribute = read<std::uint8_t>(entry + 1);
        const auto value = static_cast<int>(read<std::uint32_t>(entry + 8));
        if (attribute == 0x2f) by_symbol[read<std::uint32_t>(entry + 4)].first = value;
        if (attribute == 0x11) by_symbol[read<std::uint32_t>(entry + 4)].second = value;
        at += 4 + (format == 4 ? read<std::uint16_t>(entry + 2) : 0u);
      }
    }
    std::map<std::string, std::pair<int, int>> facts;
    for (const auto& [name, symbol] : symbols)
      if (const auto found = by_symbol.find(symbol); found != by_symbol.end()) facts[name] = found->second;
    return facts;
  }

  const std::string& bytes_;
  std::size_t begin_;
};

/// A name as it is in the source; as it is where it is not mangled.
inline std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                         std::free);
  return status == 0 ? text.get() : name;
}

/// The kernels of all cubins in a file that are stored there uncompressed.
inline std::vector<SassKernel> kernels_in(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const std::string magic =
      "\x7f"
      "ELF";
  std::vector<SassKernel> kernels;
  for (auto at = bytes.find(magic, 1); at != std::string::npos; at = bytes.find(magic, at + 1))
    if (const Cubin cubin(bytes, at); cubin.is_one()) cubin.append_to(kernels);
  return kernels;
}

}  // namespace roofline::testing
