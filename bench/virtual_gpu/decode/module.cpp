#include "bench/virtual_gpu/decode/module.hpp"

#include <algorithm>
#include <cstring>

#include "bench/virtual_gpu/decode/builder.hpp"
#include "bench/virtual_gpu/execute/memory.hpp"
#include "bench/virtual_gpu/parse/syntax.hpp"

namespace roofline::ptx {

struct Module::Storage {
  struct Release {
    void operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t{256}); }
  };
  std::vector<std::unique_ptr<std::byte[], Release>> bytes;
};

Module::Module() : storage_(std::make_unique<Storage>()) {}
Module::Module(Module&&) noexcept = default;
Module& Module::operator=(Module&&) noexcept = default;
Module::~Module() = default;

const Kernel* Module::kernel(std::string_view name) const {
  const auto found = std::find_if(kernels_.begin(), kernels_.end(), [&](const Kernel& k) { return k.name == name; });
  return found == kernels_.end() ? nullptr : &*found;
}

const Variable* Module::variable(std::string_view name) const {
  const auto found =
      std::find_if(variables_.begin(), variables_.end(), [&](const Variable& v) { return v.name == name; });
  return found == variables_.end() ? nullptr : &*found;
}

void Module::add_to(GlobalMemory& memory) const {
  for (const Variable& v : variables_)
    if (v.address) memory.add(v.address, v.bytes, v.constant ? Origin::constant : Origin::variable, v.name);
}

void Module::remove_from(GlobalMemory& memory) const {
  for (const Variable& v : variables_)
    if (v.address) memory.remove(v.address);
}

namespace {

// Functions whose address something other than a direct call uses.
std::vector<std::string_view> taken_functions(const ModuleText& text) {
  std::vector<std::string_view> taken;
  const auto add = [&](std::string_view name) {
    const FunctionText* const f = text.function(name);
    if (f && !f->entry && f->defined && std::find(taken.begin(), taken.end(), f->name) == taken.end())
      taken.push_back(f->name);
  };
  for (const VariableText& v : text.variables)
    for (const Relocation& r : v.relocations) add(r.name);
  for (const FunctionText& f : text.functions)
    for (const Statement& s : f.code)
      for (const Operand& o : s.operands)
        if (o.kind == OperandKind::name && s.op() != "call" && s.op() != "bra") add(o.name);
  return taken;
}

}  // namespace

Module Module::of_text(std::string_view text, const Module* original) {
  const ModuleText parsed = parse_text(text);
  Module module;
  module.target_ = parsed.target;
  module.version_ = parsed.version;
  ModuleNames names;
  names.text = &parsed;
  constexpr std::size_t zone = 256;  // between variables, so that running over the end is seen
  for (const VariableText& v : parsed.variables) {
    if (v.space == Space::shared) continue;
    Variable variable{std::string(v.name), v.space == Space::constant, v.managed, v.external, v.bytes, nullptr};
    if (original) {
      const Variable* const known = original->variable(v.name);
      if (known && known->address) names.variables[v.name] = reinterpret_cast<uint64_t>(known->address);
    } else if (!v.external) {
      const std::size_t size = (v.bytes + zone - 1) / zone * zone + 2 * zone;
      auto* const base = static_cast<std::byte*>(::operator new[](size, std::align_val_t{256}));
      module.storage_->bytes.emplace_back(base);
      std::memset(base, 0, size);
      variable.address = base + zone;
      if (!v.initial.empty()) std::memcpy(variable.address, v.initial.data(), v.initial.size());
      names.variables[v.name] = reinterpret_cast<uint64_t>(variable.address);
    }
    module.variables_.push_back(std::move(variable));
  }
  uint64_t number = 0;
  for (const FunctionText& f : parsed.functions)
    if (!f.entry && f.defined) names.functions[f.name] = function_window | (++number * 16);
  names.taken = taken_functions(parsed);
  for (const VariableText& v : parsed.variables)
    for (const Relocation& r : v.relocations) {
      if (original) break;
      const auto variable = names.variables.find(r.name), function = names.functions.find(r.name);
      const auto place = names.variables.find(v.name);
      if (place == names.variables.end()) continue;
      const uint64_t address = variable != names.variables.end()   ? variable->second
                               : function != names.functions.end() ? function->second
                                                                   : 0;
      const uint64_t value = address ? address + static_cast<uint64_t>(r.addend) : 0;
      std::memcpy(reinterpret_cast<std::byte*>(place->second) + r.offset, &value, sizeof value);
    }
  for (const FunctionText& f : parsed.functions) {
    if (!f.entry || !f.defined) continue;
    Kernel kernel;
    ProgramBuilder(names, original != nullptr).build(f, kernel);
    module.kernels_.push_back(std::move(kernel));
  }
  return module;
}

Module parse(std::string_view text) { return Module::of_text(text, nullptr); }

Module parse_slices(std::string_view text, const Module& module) { return Module::of_text(text, &module); }

}  // namespace roofline::ptx
