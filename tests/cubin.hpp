#pragma once
#include <cxxabi.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "tests/command_line.hpp"

namespace roofline::testing {

/// What ptxas made of one kernel for one architecture: no GPU and no disassembler is needed to know it.
struct MachineCode {
  std::string name;              ///< demangled
  int sm = 0;                    ///< 90
  int registers = 0, frame = 0;  ///< per thread; bytes of local memory, spilled registers among them
  int dadd = 0, dmul = 0, dfma = 0;
  int load32 = 0, load64 = 0, load128 = 0;  ///< global loads, and those among them of read-only memory
  int read_only = 0;
  int stores = 0, store128 = 0;  ///< global
  int local = 0, shared = 0;     ///< loads and stores
};

namespace cubin {

template <class T>
T read(const std::string& bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

inline std::string demangled(const std::string& name) {
  int status = 0;
  char* const text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  std::string result = status == 0 ? text : name;
  std::free(text);
  return result;
}

/// Instructions are 16 bytes; the low 9 bits are the family. Of a global access the size is in bits 73 to 75 (4, 5, 6:
/// 4, 8, 16 B) and "read-only" in bit 79 (sm_80 and later). Agrees with nvdisasm for sm_75 to sm_90.
inline void count(MachineCode& code, std::uint64_t low, std::uint64_t high) {
  const auto size = high >> 9 & 7;
  switch (low & 0x1ff) {
    case 0x29:
      ++code.dadd;
      break;
    case 0x28:
      ++code.dmul;
      break;
    case 0x2b:
      ++code.dfma;
      break;
    case 0x181:
      ++(size == 6 ? code.load128 : size == 5 ? code.load64 : code.load32);
      code.read_only += high >> 15 & 1;
      break;
    case 0x186:
      ++code.stores;
      code.store128 += size == 6;
      break;
    case 0x183:
    case 0x187:
      ++code.local;
      break;
    case 0x184:
    case 0x188:
      ++code.shared;
      break;
  }
}

struct Section {
  std::string name;
  std::size_t offset, size;
};

/// The kernels of the ELF file at `begin`.
inline void read_elf(const std::string& bytes, std::size_t begin, int sm, std::vector<MachineCode>& out) {
  const auto table = begin + read<std::uint64_t>(bytes, begin + 0x28);
  const auto count_of = read<std::uint16_t>(bytes, begin + 0x3c), names = read<std::uint16_t>(bytes, begin + 0x3e);
  const auto offset_of = [&](unsigned section) {
    return begin + read<std::uint64_t>(bytes, table + 64 * section + 24);
  };
  std::vector<Section> sections;
  for (unsigned i = 0; i < count_of; ++i) {
    const char* const name = bytes.data() + offset_of(names) + read<std::uint32_t>(bytes, table + 64 * i);
    sections.push_back({name, offset_of(i), read<std::uint64_t>(bytes, table + 64 * i + 32)});
  }
  // .nv.info: registers and frames by symbol
  std::map<unsigned, std::pair<int, int>> info;
  std::map<std::string, unsigned> symbol_of;
  for (const auto& section : sections) {
    if (section.name == ".nv.info")
      for (std::size_t at = section.offset; at < section.offset + section.size;) {
        const auto format = read<std::uint8_t>(bytes, at), attribute = read<std::uint8_t>(bytes, at + 1);
        const auto size = format == 4 ? read<std::uint16_t>(bytes, at + 2) : 0;
        if (format == 4 && size == 8) {
          auto& [registers, frame] = info[read<std::uint32_t>(bytes, at + 4)];
          if (attribute == 0x2f) registers = read<int>(bytes, at + 8);
          if (attribute == 0x11) frame = read<int>(bytes, at + 8);
        }
        at += 4 + size;
      }
    if (section.name == ".symtab")
      for (unsigned k = 0; k < section.size / 24; ++k) {
        const auto at = section.offset + 24 * k;
        for (const auto& strings : sections)
          if (strings.name == ".strtab") symbol_of[bytes.data() + strings.offset + read<std::uint32_t>(bytes, at)] = k;
      }
  }
  for (const auto& section : sections) {
    if (section.name.rfind(".text.", 0) != 0) continue;
    const auto mangled = section.name.substr(6);
    MachineCode code{.name = demangled(mangled), .sm = sm};
    std::tie(code.registers, code.frame) = info[symbol_of[mangled]];
    for (std::size_t at = section.offset; at < section.offset + section.size; at += 16)
      count(code, read<std::uint64_t>(bytes, at), read<std::uint64_t>(bytes, at + 8));
    out.push_back(std::move(code));
  }
}

}  // namespace cubin

/// All kernels in roofline_bench, for every architecture; empty in a build without CUDA.
inline const std::vector<MachineCode>& machine_code() {
  static const auto all = [] {
    const auto bytes = contents(ROOFLINE_BENCH);
    const std::string fat_binary("\x50\xed\x55\xba\x01\x00\x10\x00", 8);  // magic, version, size of its header
    std::vector<MachineCode> kernels;
    for (auto at = bytes.find(fat_binary); at != std::string::npos; at = bytes.find(fat_binary, at + 1)) {
      const auto end = at + 16 + cubin::read<std::uint64_t>(bytes, at + 8);
      for (auto entry = at + 16; entry < end && end <= bytes.size();) {
        const auto header = cubin::read<std::uint32_t>(bytes, entry + 4);
        const auto payload = cubin::read<std::uint64_t>(bytes, entry + 8);
        if (bytes.compare(entry + header, 4,
                          "\x7f"
                          "ELF") == 0)
          cubin::read_elf(bytes, entry + header, cubin::read<int>(bytes, entry + 28), kernels);
        entry += header + payload;
      }
    }
    return kernels;
  }();
  return all;
}

}  // namespace roofline::testing
