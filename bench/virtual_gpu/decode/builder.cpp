#include "bench/virtual_gpu/decode/builder.hpp"

#include <algorithm>
#include <set>

namespace roofline::ptx {
namespace {

constexpr uint32_t recursion_bytes = 16384;  // of local memory, for the stack of recursive functions

uint64_t align_up(uint64_t x, uint64_t align) { return (x + align - 1) / align * align; }

const Operand* called(const Statement& s) {
  for (const Operand& o : s.operands)
    if (o.kind != OperandKind::arguments) return &o;
  return nullptr;
}

}  // namespace

std::vector<std::string_view> ProgramBuilder::callees(const FunctionText& function) const {
  std::vector<std::string_view> names;
  for (const Statement& s : function.code) {
    if (s.op() != "call") continue;
    const Operand* const target = called(s);
    if (!target) continue;
    if (target->kind == OperandKind::name)
      names.push_back(target->name);
    else
      names.insert(names.end(), names_.taken.begin(), names_.taken.end());
  }
  return names;
}

void ProgramBuilder::collect(const FunctionText& entry) {
  parts_.emplace_back().text = &entry;
  for (std::size_t n = 0; n < parts_.size(); ++n)
    for (const std::string_view name : callees(*parts_[n].text)) {
      const FunctionText* const f = names_.text->function(name);
      if (!f || !f->defined || f->entry) continue;
      if (std::any_of(parts_.begin(), parts_.end(), [&](const Part& p) { return p.text == f; })) continue;
      Part part;
      part.text = f;
      part.number = static_cast<int>(parts_.size()) - 1;
      parts_.push_back(std::move(part));
    }
  program_.functions.resize(parts_.size() - 1);
}

int ProgramBuilder::function_number(std::string_view name) const {
  for (const Part& p : parts_)
    if (p.number >= 0 && p.text->name == name) return p.number;
  return -1;
}

void ProgramBuilder::find_recursion() {
  for (Part& part : parts_) {
    if (part.number < 0) continue;
    std::set<int> seen;
    std::vector<int> open{part.number};
    while (!open.empty() && !part.recursive) {
      const int at = open.back();
      open.pop_back();
      for (const std::string_view name : callees(*parts_[static_cast<std::size_t>(at) + 1].text)) {
        const int to = function_number(name);
        part.recursive |= to == part.number;
        if (to >= 0 && seen.insert(to).second) open.push_back(to);
      }
    }
  }
}

uint64_t ProgramBuilder::shared_offset(std::string_view name, std::size_t bytes, std::size_t align) {
  const auto [found, fresh] = shared_.try_emplace(name, 0);
  if (fresh) {
    found->second = align_up(program_.shared_bytes, align);
    program_.shared_bytes = static_cast<uint32_t>(found->second + bytes);
  }
  return found->second;
}

// Shared variables of the module that the function names.
void ProgramBuilder::place_shared(const FunctionText& function) {
  const auto visit = [&](const Operand& o, auto&& self) -> void {
    for (const Operand& part : o.list) self(part, self);
    if (o.symbol >= 0 || o.name.empty()) return;
    const VariableText* const v = names_.text->variable(o.name);
    if (!v || v->space != Space::shared) return;
    if (v->bytes == 0)
      kernel_->dynamic_shared = true;
    else
      shared_offset(v->name, v->bytes, v->align);
  };
  for (const Statement& s : function.code)
    for (const Operand& o : s.operands) visit(o, visit);
}

void ProgramBuilder::place_symbols(Part& part) {
  uint64_t param = 0;
  const std::size_t formals = part.text->formals.size() + part.text->returns.size();
  for (std::size_t n = 0; n < part.text->symbols.size(); ++n) {
    const LocalSymbol& symbol = part.text->symbols[n];
    SymbolPlace place;
    if (symbol.space == Space::local) {
      place.offset = align_up(part.local_bytes, symbol.align);
      part.local_bytes = static_cast<uint32_t>(place.offset + symbol.bytes);
    } else if (symbol.space == Space::shared) {
      if (symbol.dynamic) kernel_->dynamic_shared = true;
      place.offset = symbol.dynamic ? ~uint64_t{0} : shared_offset(symbol.name, symbol.bytes, symbol.align);
    } else if (part.number < 0 && n < formals) {
      place.offset = align_up(param, symbol.align);
      param = place.offset + symbol.bytes;
      kernel_->parameters.push_back({std::string(symbol.name), place.offset, symbol.bytes});
      kernel_->parameter_bytes = param;
    } else {
      place.slot = part.argument_words;
      part.argument_words += static_cast<uint32_t>((symbol.bytes + 3) / 4);
    }
    part.symbols.push_back(place);
  }
  if (part.number >= 0) ++part.argument_words;  // the last one: where the lanes return to
  part.local_bytes = static_cast<uint32_t>(align_up(part.local_bytes, 16));
  for (const Bank bank : part.text->registers) {
    part.predicates.push_back(bank == Bank::predicate ? program_.predicates : 0);
    program_.predicates += bank == Bank::predicate;
  }
  part.first_value = static_cast<uint32_t>(values_.size());
  for (const Bank bank : part.text->registers) {
    Value value;
    value.bank = bank;
    values_.push_back(value);
  }
}

void ProgramBuilder::build(const FunctionText& entry, Kernel& kernel) {
  kernel_ = &kernel;
  kernel.name = entry.name;
  kernel.max_threads = entry.max_threads;
  program_.name = entry.name;
  for (const auto& [number, name] : names_.text->files) {
    if (program_.files.size() <= number) program_.files.resize(number + 1);
    program_.files[number] = name;
  }
  collect(entry);
  find_recursion();
  // Sizes of frames and predicates are needed before any call is decoded.
  uint32_t recursive = 0;
  for (Part& part : parts_) {
    const uint32_t first = program_.predicates;
    place_symbols(part);
    if (part.recursive)
      recursive = recursion_bytes;
    else {
      part.local_offset = program_.local_bytes;
      program_.local_bytes += part.local_bytes;
    }
    if (part.number >= 0) {
      FunctionFrame& frame = program_.functions[static_cast<std::size_t>(part.number)];
      frame.name = part.text->name;
      frame.recursive = part.recursive;
      frame.first_predicate = first;
      frame.end_predicate = program_.predicates;
      frame.local_bytes = part.local_bytes;
      const auto address = names_.functions.find(part.text->name);
      frame.address = address == names_.functions.end() ? 0 : address->second;
    }
  }
  for (const Part& part : parts_) place_shared(*part.text);
  program_.shared_bytes = static_cast<uint32_t>(align_up(program_.shared_bytes, 16));
  program_.recursive_local = program_.local_bytes;
  program_.local_bytes += recursive;
  for (Part& part : parts_) make_nodes(part);
  if (slices_) slice();
  find_uniform();
  for (Part& part : parts_) {
    choose_variants(part);
    make_blocks(part);
    if (slices_) find_phases(part);
    allocate(part);
  }
  layout();
  for (Part& part : parts_) emit(part);
  fill_constants();
  kernel.shared_bytes = program_.shared_bytes;
  kernel.local_bytes = program_.local_bytes;
  for (const Part& part : parts_) kernel.registers = std::max(kernel.registers, part.most_live + 8);
  kernel.program = slices_ ? std::make_shared<const Slice>(std::move(program_))
                           : std::make_shared<const Program>(std::move(program_));
}

}  // namespace roofline::ptx
