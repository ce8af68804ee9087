// SPDX-License-Identifier: MIT
#include "bench/any_program/plugin/parts.hpp"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>

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
    add_inlined(&child, bias, parts);        // first: what is inlined there is further inside
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
      // Of several jumps to one place the last is that of the loop, the others are a "continue".
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

}  // namespace roofline::any_program
