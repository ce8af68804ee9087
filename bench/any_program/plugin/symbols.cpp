// SPDX-License-Identifier: MIT
#include "bench/any_program/plugin/symbols.hpp"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <stdexcept>

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

std::vector<Part> loop_parts(Dwfl_Module* module, Decoder& decoder, std::uintptr_t from, std::uintptr_t to) {
  std::map<std::uintptr_t, Part> loops;  // by begin
  for (auto at = from; at < to;) {
    const auto instruction = decoder.decode(reinterpret_cast<const std::uint8_t*>(at), to - at, at);
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

Symbols::Symbols(const Options& options) : by_(options.by), libraries_(options.libraries), decoder_(options.arm) {
  static char* no_path = nullptr;
  static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_build_id_find_elf,
                                           .find_debuginfo = dwfl_standard_find_debuginfo,
                                           .section_address = nullptr,
                                           .debuginfo_path = &no_path};
  dwfl_ = dwfl_begin(&callbacks);
  if (!dwfl_) throw std::runtime_error("libdw cannot be used");
  read_mappings();
  for (const auto& [begin, mapping] : mappings_) of_qemu_[begin] = true;
}

Symbols::~Symbols() { dwfl_end(dwfl_); }

void Symbols::read_mappings() {
  const bool first = of_qemu_.empty();
  mappings_.clear();
  std::ifstream maps("/proc/self/maps");
  dwfl_report_begin_add(dwfl_);
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0, end = 0;
    std::uint64_t offset = 0;
    int path_at = 0;
    if (std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR " %*s %" SCNx64 " %*s %*s %n", &begin, &end, &offset,
                    &path_at) < 3)
      continue;
    const auto path = path_at > 0 ? line.substr(static_cast<std::size_t>(path_at)) : std::string();
    mappings_[begin] = {end, offset, path};
    // A library of the program can be one of QEMU's, too.
    if (first || of_qemu_.contains(begin) || !path.starts_with('/') || offset != 0) continue;
    if (reported_.emplace(std::pair(path, begin), true).second)
      dwfl_report_elf(dwfl_, (path + line.substr(0, line.find('-'))).c_str(), path.c_str(), -1, begin, false);
  }
  dwfl_report_end(dwfl_, nullptr, nullptr);
}

const Symbols::Mapping* Symbols::mapping_at(std::uintptr_t address, std::uintptr_t* begin) const {
  const auto next = mappings_.upper_bound(address);
  if (next == mappings_.begin()) return nullptr;
  const auto found = std::prev(next);
  if (begin) *begin = found->first;
  return address < found->second.end ? &found->second : nullptr;
}

std::uintptr_t Symbols::readable_from(std::uintptr_t address) {
  if (!mapping_at(address)) read_mappings();
  auto end = address;
  while (const auto* const mapping = mapping_at(end)) {
    end = mapping->end;
    constexpr std::uintptr_t longest = 16;
    if (end - address >= longest) break;
  }
  return end - address;
}

Symbols::Whole Symbols::whole_at(std::uintptr_t address) {
  if (!mapping_at(address)) read_mappings();
  std::uintptr_t begin = 0;
  const auto* const mapping = mapping_at(address, &begin);
  Whole whole{.function = {"[unknown]", mapping ? mapping->file : "", "", "", {}}, .from = address, .to = address + 1};
  if (!mapping) return whole;
  whole.shift = mapping->offset - begin;
  auto& function = whole.function;
  auto* const module = dwfl_addrmodule(dwfl_, address);
  if (!module) return whole;
  GElf_Off offset = 0;
  GElf_Sym symbol{};
  const char* const name = dwfl_module_addrinfo(module, address, &offset, &symbol, nullptr, nullptr, nullptr);
  if (is_stub(module, address)) {
    function.name = "[plt]";
  } else if (name && *name) {
    function.name = name;
    whole.from = address - offset, whole.to = whole.from + std::max<std::uintptr_t>(symbol.st_size, offset + 1);
  } else if (const auto frame = range_by_frames(module, address); frame.to > address) {
    whole.from = frame.from, whole.to = frame.to;
    char text[32];
    std::snprintf(text, sizeof text, "at:0x%" PRIx64, frame.from + whole.shift);
    function.name = text;
  }
  // Debug information of libraries is packed and large: a fifth of a second for that of the C library.
  if (function.name[0] == '[' || (!libraries_ && function.module != program)) return whole;
  function.source = line_at(module, whole.from);
  if (by_ == By::function) return whole;
  const auto [at, fresh] = parts_.try_emplace(whole.from);
  if (fresh)
    at->second = by_ == By::loop ? loop_parts(module, decoder_, whole.from, whole.to) : inlined_parts(module, address);
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

int Symbols::function_at(std::uintptr_t address, unsigned size) {
  if (address < last_.from || address >= last_.to) last_ = whole_at(address), last_number_ = -1;
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
