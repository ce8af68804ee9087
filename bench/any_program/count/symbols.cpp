// SPDX-License-Identifier: MIT
#include "bench/any_program/count/symbols.hpp"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <map>
#include <memory>
#include <stdexcept>

#include "bench/text/output.hpp"

namespace roofline::any_program {
namespace {

std::string without_folder(const char* path) {
  const std::string text = path ? path : "";
  return text.substr(text.rfind('/') + 1);
}

/// The unit of compilation that an address belongs to: by the table of ranges, which not all compilers write.
Dwarf_Die* unit_at(Dwfl_Module* module, std::uintptr_t address, Dwarf_Addr& bias) {
  if (auto* const unit = dwfl_module_addrdie(module, address, &bias)) return unit;
  for (Dwarf_Die* unit = nullptr; (unit = dwfl_module_nextcu(module, unit, &bias));)
    if (dwarf_haspc(unit, address - bias) == 1) return unit;
  return nullptr;
}

std::string text_of(Dwarf_Die* die, unsigned name) {
  Dwarf_Attribute attribute;
  const char* const text = dwarf_formstring(dwarf_attr_integrate(die, name, &attribute));
  return text ? text : "";
}

void add_inlined(Dwarf_Die* die, Dwarf_Addr bias, std::vector<Part>& parts) {
  Dwarf_Die child;
  for (int more = dwarf_child(die, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
    const int tag = dwarf_tag(&child);
    if (tag == DW_TAG_subprogram) continue;  // a function within a function: a symbol of its own
    add_inlined(&child, bias, parts);        // first, because functions that are inlined there are further inside
    if (tag != DW_TAG_inlined_subroutine) continue;
    Part part;
    part.function = text_of(&child, DW_AT_linkage_name);
    if (part.function.empty()) part.function = text_of(&child, DW_AT_name);
    if (part.function.empty()) continue;
    int line = 0;
    Dwarf_Attribute attribute;
    Dwarf_Die origin;
    if (auto* const of = dwarf_formref_die(dwarf_attr(&child, DW_AT_abstract_origin, &attribute), &origin);
        of && dwarf_decl_line(of, &line) == 0)
      part.source = without_folder(dwarf_decl_file(of)) + ":" + std::to_string(line);
    Dwarf_Addr base = 0, from = 0, to = 0;
    for (std::ptrdiff_t at = 0; (at = dwarf_ranges(&child, at, &base, &from, &to)) > 0;) {
      part.from = from + bias, part.to = to + bias;
      parts.push_back(part);
    }
  }
}

/// Stubs that jump into libraries do not count as callers.
bool is_stub(Dwfl_Module* module, std::uintptr_t address) {
  Dwarf_Addr in_section = address, bias = 0;
  auto* const section = dwfl_module_address_section(module, &in_section, &bias);
  GElf_Shdr header;
  std::size_t names = 0;
  if (!section || !gelf_getshdr(section, &header)) return false;
  auto* const elf = dwfl_module_getelf(module, &bias);
  if (!elf || elf_getshdrstrndx(elf, &names) != 0) return false;
  const auto* const name = elf_strptr(elf, names, header.sh_name);
  return name && std::string_view(name).starts_with(".plt");
}

struct Range {
  std::uintptr_t from = 0, to = 0;
};

/// The range of a function without a symbol, from what unwinding knows of it.
Range range_by_frames(Dwfl_Module* module, std::uintptr_t address) {
  Dwarf_Addr bias = 0;
  auto* const frames = dwfl_module_eh_cfi(module, &bias);
  Dwarf_Frame* frame = nullptr;
  if (!frames || dwarf_cfi_addrframe(frames, address - bias, &frame) != 0) return {};
  Dwarf_Addr from = 0, to = 0;
  bool is_signal = false;
  const bool known = dwarf_frame_info(frame, &from, &to, &is_signal) >= 0;
  std::free(frame);
  return known ? Range{from + bias, to + bias} : Range{};
}

}  // namespace

std::string line_at(Dwfl_Module* module, std::uintptr_t address) {
  auto* const line = dwfl_module_getsrc(module, address);
  int number = 0;
  const char* const file = line ? dwfl_lineinfo(line, nullptr, &number, nullptr, nullptr, nullptr) : nullptr;
  return file ? without_folder(file) + ":" + std::to_string(number) : "";
}

std::vector<Part> inlined_parts(Dwfl_Module* module, std::uintptr_t address) {
  std::vector<Part> parts;
  Dwarf_Addr bias = 0;
  auto* const unit = unit_at(module, address, bias);
  Dwarf_Die* found = nullptr;
  const int count = unit ? dwarf_getscopes(unit, address - bias, &found) : 0;
  const std::unique_ptr<Dwarf_Die, void (*)(void*)> scopes(found, std::free);
  for (int i = 0; i < count; ++i)
    if (dwarf_tag(&scopes.get()[i]) == DW_TAG_subprogram) return add_inlined(&scopes.get()[i], bias, parts), parts;
  return parts;
}

std::vector<Part> loop_parts(Dwfl_Module* module, const std::string& code, std::uintptr_t from, std::uintptr_t to) {
  const Decoder decoder;
  std::map<std::uintptr_t, Part> loops;  // by begin
  for (auto at = from; at < to && at - from < code.size();) {
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(code.data()) + (at - from);
    const auto instruction = decoder.decode(bytes, code.size() - (at - from), at);
    const auto next = at + std::max(1u, instruction.size);
    if (const auto target = instruction.jumps_to; target >= from && target <= at && target != 0) {
      const auto line = line_at(module, at);
      char offset[32];
      std::snprintf(offset, sizeof offset, "+0x%" PRIxPTR, target - from);
      // If several jumps lead to one place, the last one belongs to the loop and the others are a "continue".
      loops[target] = {target, next, "", "", "/loop@" + (line.empty() ? offset : line.substr(line.rfind(':') + 1))};
    }
    at = next;
  }
  std::vector<Part> parts;
  for (auto& [begin, loop] : loops) parts.push_back(std::move(loop));
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto& a, const auto& b) { return a.to - a.from < b.to - b.from; });
  return parts;
}

struct Symbols::File {
  Dwfl* dwfl = nullptr;
  Dwfl_Module* module = nullptr;
  Dwarf_Addr bias = 0;
  std::vector<GElf_Phdr> segments;
  std::string bytes;                                  ///< read where loops are looked for
  std::map<std::uintptr_t, std::vector<Part>> parts;  ///< by begin of a function

  explicit File(const std::string& name) {
    static char* no_path = nullptr;
    static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_build_id_find_elf,
                                             .find_debuginfo = dwfl_standard_find_debuginfo,
                                             .section_address = nullptr,
                                             .debuginfo_path = &no_path};
    if (!name.starts_with('/')) return;
    dwfl = dwfl_begin(&callbacks);
    if (!dwfl) throw std::runtime_error("libdw cannot be used");
    dwfl_report_begin(dwfl);
    constexpr std::uintptr_t anywhere = 0x10000000;
    module = dwfl_report_elf(dwfl, name.c_str(), name.c_str(), -1, anywhere, false);
    dwfl_report_end(dwfl, nullptr, nullptr);
    auto* const elf = module ? dwfl_module_getelf(module, &bias) : nullptr;
    std::size_t count = 0;
    if (elf && elf_getphdrnum(elf, &count) == 0)
      for (std::size_t i = 0; i < count; ++i)
        if (GElf_Phdr segment; gelf_getphdr(elf, static_cast<int>(i), &segment) && segment.p_type == PT_LOAD)
          segments.push_back(segment);
  }
  ~File() {
    if (dwfl) dwfl_end(dwfl);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  /// The address of an offset; 0: it is in no segment.
  std::uintptr_t address_of(std::uint64_t offset) const {
    for (const auto& segment : segments)
      if (offset >= segment.p_offset && offset < segment.p_offset + segment.p_filesz)
        return offset - segment.p_offset + segment.p_vaddr + bias;
    return 0;
  }
};

Symbols::Symbols(const Options& options) : program(options.program), by_(options.by), libraries_(options.libraries) {}

Symbols::~Symbols() = default;

Symbols::File& Symbols::file_named(const std::string& name) {
  auto& file = files_[name];
  if (!file) file = std::make_unique<File>(name);
  return *file;
}

std::string Symbols::line_of(const std::string& name, std::uint64_t offset) {
  const auto& file = file_named(name);
  return file.module ? line_at(file.module, file.address_of(offset)) : "";
}

Symbols::Whole Symbols::whole_at(File& file, const std::string& name, std::uint64_t offset) {
  const auto address = file.address_of(offset);
  Whole whole{.function = {"[unknown]", name, "", "", {}}, .from = offset, .to = offset + 1};
  // A library is one row. In one of 100,000 symbols the search for each function would take a minute.
  if (!libraries_ && name != program && name.starts_with('/')) {
    whole.function.name = "[library]";
    whole.from = 0, whole.to = UINTPTR_MAX;
    return whole;
  }
  if (!file.module || !address) return whole;
  whole.from = address, whole.to = address + 1, whole.shift = offset - address;
  auto& function = whole.function;
  GElf_Off behind = 0;
  GElf_Sym symbol{};
  const char* const its_name = dwfl_module_addrinfo(file.module, address, &behind, &symbol, nullptr, nullptr, nullptr);
  if (is_stub(file.module, address)) {
    function.name = "[plt]";
  } else if (its_name && *its_name) {
    function.name = its_name;
    whole.from = address - behind, whole.to = whole.from + std::max<std::uintptr_t>(symbol.st_size, behind + 1);
  } else if (const auto frame = range_by_frames(file.module, address); frame.to > address) {
    whole.from = frame.from, whole.to = frame.to;
    char text[32];
    std::snprintf(text, sizeof text, "at:0x%" PRIx64, frame.from + whole.shift);
    function.name = text;
  }
  // Debug information of libraries is packed and large: a fifth of a second for that of the C library.
  if (function.name[0] == '[' || (!libraries_ && function.module != program)) return whole;
  function.source = line_at(file.module, whole.from);
  if (by_ == By::function) return whole;
  const auto [at, fresh] = file.parts.try_emplace(whole.from);
  if (fresh && by_ == By::loop) {
    if (file.bytes.empty()) file.bytes = read_file(name, std::size_t{1} << 31);
    const auto begin = std::min<std::uint64_t>(file.bytes.size(), whole.from + whole.shift);
    at->second = loop_parts(file.module, file.bytes.substr(begin, whole.to - whole.from), whole.from, whole.to);
  } else if (fresh) {
    at->second = inlined_parts(file.module, address);
  }
  whole.parts = &at->second;
  return whole;
}

int Symbols::number_of(const Whole& whole, const Part* part) {
  auto function = whole.function;
  if (part) function.loop = part->loop;
  if (part && !part->function.empty()) function.name = part->function, function.source = part->source;
  const bool has_begin = function.name[0] != '[' && by_ == By::function;
  const auto key = std::tuple(function.module, function.name, function.loop, has_begin ? whole.from + whole.shift : 0);
  const auto [at, fresh] = numbers_.try_emplace(key, static_cast<int>(functions_.size()));
  if (fresh) functions_.push_back(std::move(function));
  return at->second;
}

int Symbols::function_at(const std::string& name, std::uint64_t offset, unsigned size) {
  auto& file = file_named(name);
  const auto known = file.address_of(offset);
  const std::uintptr_t address = known ? known : offset;
  if (name != last_file_ || address < last_.from || address >= last_.to)
    last_ = whole_at(file, name, offset), last_file_ = name, last_number_ = -1;
  const Part* part = nullptr;
  if (last_.parts)
    for (const auto& it : *last_.parts)
      if (address >= it.from && address < it.to) {
        part = &it;
        break;
      }
  if (last_number_ < 0 || part != last_part_) last_number_ = number_of(last_, part), last_part_ = part;
  const int number = last_number_;
  auto& ranges = functions_[static_cast<std::size_t>(number)].ranges;
  if (by_ == By::function) {
    auto& to = ranges[last_.from + last_.shift];
    to = std::max(to, last_.to + last_.shift);
    return number;
  }
  // An instruction, as a part of the range that ends with it where there is one.
  const auto from = address + last_.shift, to = from + size;
  const auto next = ranges.upper_bound(from);
  if (next != ranges.begin() && std::prev(next)->second >= from)
    std::prev(next)->second = std::max(std::prev(next)->second, to);
  else
    ranges[from] = to;
  return number;
}

}  // namespace roofline::any_program
