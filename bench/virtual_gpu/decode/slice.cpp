// A kernel reduced to what decides which addresses it touches: backward slices from addresses, guards and branches. All
// definitions of a needed value are kept, whatever the order: registers of PTX have few.
#include <algorithm>

#include "bench/virtual_gpu/decode/builder.hpp"
#include "bench/virtual_gpu/ops/control.hpp"

namespace roofline::ptx {
namespace {

bool is_data_access(const Operation& o) {
  return (o.form == Form::load || o.form == Form::store || o.form == Form::atomic) && o.number != 1;
}
/// Accesses that leave the multiprocessor, or may.
bool leaves_chip(const Operation& o) {
  return o.space == Space::global || o.space == Space::local || o.space == Space::generic;
}
bool is_control(const Node& node) {
  const Operation& o = node.operation;
  const bool barrier = o.kind == Class::barrier && o.alone;
  return o.form == Form::branch || o.form == Form::indexed_branch || o.form == Form::leave || barrier;
}
bool computes_real(const Node& node) {
  return node.operation.flop != FlopKind::none || node.operation.kind == Class::floating;
}

}  // namespace

Dependencies ProgramBuilder::dependencies_of(const Part& part, const Node& node) const {
  Dependencies d;
  const auto predicates = static_cast<uint32_t>(values_.size());
  const uint32_t carry = predicates + carry_predicate;
  const bool access = is_data_access(node.operation);
  for (const Reference& r : node.reads) (access && r.place == at_a ? d.address : d.others).push_back(r.value);
  for (const Reference& r : node.writes) d.results.push_back(r.value);
  if (!node.statement) return d;
  const Statement& s = *node.statement;
  const auto number = [&](int reg) { return predicates + part.predicates[static_cast<std::size_t>(reg)]; };
  if (s.guard >= 0) (access ? d.address : d.others).push_back(number(s.guard));
  const Form form = node.operation.form;
  const std::size_t written = form == Form::listed || form == Form::pack        ? node.operation.destinations
                              : form == Form::elementwise || form == Form::load ? 1
                                                                                : 0;
  for (std::size_t n = 0; n < s.operands.size(); ++n) {
    const Operand& o = s.operands[n];
    auto& to = n < written ? d.results : d.others;
    if (o.kind == OperandKind::reg && o.bank == Bank::predicate) to.push_back(number(o.reg));
    if (o.second >= 0) d.results.push_back(number(o.second));
  }
  if (s.has("cc")) d.results.push_back(carry);
  if (s.op() == "addc" || s.op() == "subc" || s.op() == "madc") d.others.push_back(carry);
  return d;
}

void ProgramBuilder::find_dependencies() {
  dependencies_.clear();
  for (const Node& node : parts_[0].nodes) dependencies_.push_back(dependencies_of(parts_[0], node));
}

std::vector<bool> ProgramBuilder::needed() const {
  const auto& nodes = parts_[0].nodes;
  std::vector<bool> needed(values_.size() + program_.predicates, false);
  const auto need = [&](const std::vector<uint32_t>& values) {
    bool fresh = false;
    for (const uint32_t v : values)
      if (!needed[v]) needed[v] = fresh = true;
    return fresh;
  };
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const Operation& o = nodes[n].operation;
    if (is_control(nodes[n])) need(dependencies_[n].others);
    if (is_data_access(o) && leaves_chip(o)) need(dependencies_[n].address);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t n = nodes.size(); n-- > 0;) {
      const auto& results = dependencies_[n].results;
      if (std::none_of(results.begin(), results.end(), [&](uint32_t v) { return needed[v]; })) continue;
      changed |= need(dependencies_[n].others);
      changed |= need(dependencies_[n].address);
    }
  }
  return needed;
}

/// Whether every value that the kernel stores in global memory comes out of floating-point arithmetic.
bool ProgramBuilder::stores_only_reals() const {
  const auto& nodes = parts_[0].nodes;
  // Real values: results of arithmetic, and what is moved or selected from them.
  std::vector<bool> real(values_.size() + program_.predicates, false);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      const auto& d = dependencies_[n];
      const Class kind = nodes[n].operation.kind;
      const bool carries = (kind == Class::move || kind == Class::compare) &&
                           std::any_of(d.others.begin(), d.others.end(), [&](uint32_t v) { return real[v]; });
      if (!carries && !computes_real(nodes[n])) continue;
      for (const uint32_t v : d.results)
        if (!real[v]) real[v] = changed = true;
    }
  }
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const Operation& o = nodes[n].operation;
    if (!is_data_access(o) || o.access == AccessKind::load || o.space == Space::shared || o.space == Space::local)
      continue;
    const std::string_view type = nodes[n].statement->type();
    if (type[0] == 'f') continue;
    for (const uint32_t v : dependencies_[n].others)
      if (!real[v]) return false;
  }
  return true;
}

/// Whether an address may depend on what the kernel itself has stored: then everything must be computed. A real number
/// in memory is not read as an integer (strict aliasing), and addresses are made of integers.
bool ProgramBuilder::computes_addresses_from_stores(const std::vector<bool>& needed) const {
  const auto& nodes = parts_[0].nodes;
  bool loads = false;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const auto& results = dependencies_[n].results;
    if (std::none_of(results.begin(), results.end(), [&](uint32_t v) { return needed[v]; })) continue;
    const Operation& o = nodes[n].operation;
    const bool listed = o.form == Form::listed && o.bytes_moved > 0;
    if (o.form == Form::atomic || o.form == Form::call || listed) return true;
    if (!is_data_access(o) || o.space == Space::param || o.space == Space::constant) continue;
    if (o.space != Space::global) return true;
    loads = true;
  }
  return loads && !stores_only_reals();
}

void ProgramBuilder::drop(const std::vector<bool>& needed) {
  auto& nodes = parts_[0].nodes;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    Node& node = nodes[n];
    const auto& results = dependencies_[n].results;
    node.dropped = !is_control(node) && node.statement && node.counted &&
                   std::none_of(results.begin(), results.end(), [&](uint32_t v) { return needed[v]; });
    if (!node.dropped) continue;
    std::erase_if(node.reads, [&](const Reference& r) { return !node.addressed || r.place != at_a; });
    node.writes.clear();
  }
}

void ProgramBuilder::slice() {
  if (parts_.size() > 1) {  // functions: all of it is executed
    program_.untraced = true;
    return;
  }
  find_dependencies();
  bool calls = false;
  for (Node& node : parts_[0].nodes) {
    const Operation& o = node.operation;
    node.addressed = is_data_access(o) && leaves_chip(o);
    calls |= o.form == Form::call;
    program_.synchronises |= o.kind == Class::barrier;
    program_.untraced |= o.bytes_moved > 0 && o.space != Space::shared;
  }
  const auto values = needed();
  program_.leaves_out = !calls && !computes_addresses_from_stores(values);
  if (program_.leaves_out) drop(values);
}

/// A compiler moves the loads of a block to its beginning as far as their addresses allow. So a block has phases: an
/// access belongs to the first one in which all that it depends on is there. Stores and what may read them keep their
/// order.
void ProgramBuilder::find_phases(Part& part) {
  if (parts_.size() > 1) return;
  constexpr uint8_t most = 15;
  std::vector<uint8_t> level(values_.size() + program_.predicates, 0);
  for (const FlowBlock& block : part.blocks) {
    std::fill(level.begin(), level.end(), uint8_t{0});
    uint8_t stored = 0, loaded = 0;
    for (uint32_t n = block.first; n < block.end; ++n) {
      Node& node = part.nodes[n];
      const Dependencies& d = dependencies_[n];
      uint8_t phase = 0;
      for (const auto* const values : {&d.address, &d.others})
        for (const uint32_t v : *values) phase = std::max(phase, level[v]);
      if (node.addressed) {
        const bool load = node.operation.access == AccessKind::load;
        if (load && !node.statement->has("nc")) phase = std::max(phase, stored);
        if (!load) phase = std::max({phase, stored, loaded});
        (load ? loaded : stored) = std::max(phase, load ? loaded : stored);
        node.phase = phase;
        if (node.operation.access != AccessKind::store) phase = std::min<uint8_t>(most, phase + 1);
      }
      for (const uint32_t v : d.results) level[v] = phase;
    }
  }
}

void ProgramBuilder::count_cost(const Node& node, BlockCost& cost) const {
  const Operation& o = node.operation;
  if (o.precision != Precision::fp64 || !node.statement || !node.counted) return;
  if (o.flop == FlopKind::special)
    ++cost.divisions;
  else if (o.flop == FlopKind::add || o.flop == FlopKind::mul || o.flop == FlopKind::fma)
    cost.fp64 += o.weight;
}

void ProgramBuilder::emit_trace(Part& part, const Node& node, uint32_t block) {
  Node trace = node;
  std::erase_if(trace.reads, [](const Reference& r) { return r.place != at_a; });
  trace.writes.clear();
  trace.list.clear();
  trace.operation.execute = {trace_access};
  trace.operation.checked = nullptr;
  trace.operation.matrix = encode({node.operation.space, node.operation.access, node.phase});
  trace.uniform = false;
  emit_node(part, trace, block);
}

}  // namespace roofline::ptx
