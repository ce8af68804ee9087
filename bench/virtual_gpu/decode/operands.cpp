// Statements become nodes: operations found, operands turned into values.
#include <algorithm>

#include "bench/virtual_gpu/decode/builder.hpp"
#include "bench/virtual_gpu/ops/control.hpp"

namespace roofline::ptx {
namespace {

// Special registers that are read anew by an operation of their own.
bool changes(const Operand& o) {
  return o.kind == OperandKind::special && (o.name.substr(0, 6) == "%clock" || o.name.substr(0, 12) == "%globaltimer");
}

}  // namespace

void ProgramBuilder::read(Part& part, Node& node, const Operand& o, Bank bank, uint8_t place) {
  const bool predicate = bank == Bank::predicate || (o.kind == OperandKind::reg && o.bank == Bank::predicate);
  if (predicate) {
    const uint32_t p = predicate_of(part, o);
    (place == at_a ? node.code.a : place == at_b ? node.code.b : node.code.c) = p;
    return;
  }
  node.reads.push_back({value_of(part, o, bank, node.statement->type()), place});
}

void ProgramBuilder::write(Part& part, Node& node, const Operand& o, uint8_t place) {
  if (o.kind == OperandKind::reg && o.bank == Bank::predicate) {
    node.code.d = predicate_of(part, o);
    return;
  }
  if (o.kind != OperandKind::reg) throw std::string("the result must be a register");
  const uint32_t value = part.first_value + static_cast<uint32_t>(o.reg);
  ++values_[value].definitions;
  node.writes.push_back({value, place});
}

// Adds an operand to the list of the instruction.
void ProgramBuilder::append(Part& part, Node& node, const Operand& o, Bank bank, bool written) {
  if (o.kind == OperandKind::vector) {
    for (const Operand& element : o.list) append(part, node, element, bank, written);
    return;
  }
  const auto place = static_cast<uint8_t>(in_list + node.list.size());
  node.list.push_back(~0u);
  if (node.list.size() > 239) throw std::string("too many operands");
  if (o.kind == OperandKind::sink) return;
  if (o.kind == OperandKind::reg && o.bank == Bank::predicate) {
    node.list.back() = predicate_of(part, o);
  } else if (written) {
    write(part, node, o, place);
    if (node.operation.reads_result) node.reads.push_back({node.writes.back().value, place});
  } else if (bank == Bank::predicate) {
    node.list.back() = predicate_of(part, o);
  } else {
    node.reads.push_back({value_of(part, o, bank, node.statement->type()), place});
  }
}

void ProgramBuilder::elementwise(Part& part, Node& node) {
  const auto& operands = node.statement->operands;
  if (operands.empty() || operands.size() > 4) throw std::string("wrong number of operands");
  node.code.list = ~0u;
  if (node.operation.makes_predicate && operands[0].kind == OperandKind::sink)
    throw std::string("a predicate that is thrown away");
  write(part, node, operands[0], at_d);
  if (operands[0].second >= 0) node.code.list = part.predicates[static_cast<std::size_t>(operands[0].second)];
  if (operands.size() == 2 && changes(operands[1])) return;
  for (std::size_t n = 1; n < operands.size(); ++n)
    read(part, node, operands[n], node.operation.banks[n - 1], static_cast<uint8_t>(at_d + n));
}

void ProgramBuilder::listed(Part& part, Node& node) {
  const Statement& s = *node.statement;
  const bool pad_barrier = node.operation.kind == Class::barrier && !s.has("warp");
  std::size_t source = 0;
  int addresses = 0;
  for (std::size_t n = 0; n < s.operands.size(); ++n) {
    const Operand& o = s.operands[n];
    const bool written = n < node.operation.destinations;
    const Bank bank = written ? Bank::narrow : node.operation.banks[std::min<std::size_t>(source, 3)];
    if (o.kind == OperandKind::address) {
      if (++addresses == 1) {
        base_of(part, node, o);
      } else {  // a slot, the offset, whether the slot has 32 bits
        Operand base = o;
        base.kind = o.reg >= 0 ? OperandKind::reg : OperandKind::immediate;
        base.value = o.reg >= 0 ? 0 : address_of(part, o);
        append(part, node, base, Bank::wide, false);
        node.list.push_back(o.reg >= 0 ? static_cast<uint32_t>(o.offset) : 0);
        node.list.push_back(o.reg >= 0 && o.bank == Bank::narrow ? 1 : 0);
      }
      ++source;
      continue;
    }
    // bar.red without a count: the predicate comes third.
    if (pad_barrier && s.has("red") && s.operands.size() == 3 && n == 2) node.list.push_back(~0u);
    append(part, node, o, pad_barrier && s.has("red") && n + 1 == s.operands.size() ? Bank::predicate : bank, written);
    if (written && node.operation.second)
      node.list.push_back(o.second >= 0 ? part.predicates[static_cast<std::size_t>(o.second)] : ~0u);
    if (!written) ++source;
  }
  while (node.list.size() < node.operation.pad_to) node.list.push_back(~0u);
  if (pad_barrier && !s.has("red"))
    while (node.list.size() < 2) node.list.push_back(~0u);
}

void ProgramBuilder::base_of(Part& part, Node& node, const Operand& o) {
  node.code.immediate = o.offset;
  if (o.reg >= 0) {
    node.code.base = o.bank == Bank::wide ? Base::lanes64 : Base::lanes32;
    node.reads.push_back({part.first_value + static_cast<uint32_t>(o.reg), at_a});
  } else {
    node.code.base = Base::none;
    if (o.symbol >= 0 || !o.name.empty()) node.code.immediate = static_cast<int64_t>(address_of(part, o));
  }
}

void ProgramBuilder::memory(Part& part, Node& node) {
  const Statement& s = *node.statement;
  const bool store = node.operation.form == Form::store;
  const bool red = s.op() == "red";
  const Operand& address = s.operands[store || red ? 0 : 1];
  if (node.operation.number == 1) {  // an argument of a call: the slot of its first word
    node.code.immediate = address.offset;
    node.code.a = part.symbols[static_cast<std::size_t>(address.symbol)].slot;
  } else {
    base_of(part, node, address);
  }
  if (node.operation.form == Form::atomic) {
    const std::size_t first = red ? 1 : 2;
    if (!red && s.operands[0].kind == OperandKind::reg)
      write(part, node, s.operands[0], at_d);
    else
      node.operation.flags &= static_cast<uint8_t>(~4);
    const std::size_t sources = s.has("cas") ? 2 : 1;
    if (s.operands.size() < first + sources) throw std::string("wrong number of operands");
    for (std::size_t n = 0; n < sources; ++n)
      read(part, node, s.operands[first + n], node.operation.banks[1], static_cast<uint8_t>(at_b + n));
    return;
  }
  const Operand& value = s.operands[store ? 1 : 0];
  if (node.operation.width > 1) {
    if (value.kind != OperandKind::vector || value.list.size() != node.operation.width)
      throw std::string("a vector of registers is expected");
    append(part, node, value, node.operation.banks[1], !store);
  } else if (store) {
    read(part, node, value, node.operation.banks[1], at_b);
  } else {
    write(part, node, value, at_d);
  }
}

void ProgramBuilder::control(Part& part, Node& node) {
  const Statement& s = *node.statement;
  const auto target = [&](std::string_view name) {
    const int64_t at = part.text->label(s.scope, name);
    if (at < 0) throw "unknown label '" + std::string(name) + "'";
    return at;
  };
  if (node.operation.form == Form::branch) {
    node.target = target(s.operands.at(0).name);
  } else if (node.operation.form == Form::indexed_branch) {
    const auto* const names = part.text->targets(s.scope, s.operands.at(1).name);
    if (!names) throw std::string("unknown branch targets");
    for (const std::string_view name : *names) node.targets.push_back(target(name));
    read(part, node, s.operands[0], Bank::narrow, at_a);
  } else if (part.number >= 0 && s.op() == "ret") {
    node.operation.execute[0] = function_return;
    node.code.d = static_cast<uint32_t>(part.number);
  }
}

// mov of the address of a recursive function's local memory.
bool ProgramBuilder::special_move(Part& part, Node& node) {
  const Statement& s = *node.statement;
  if (!part.recursive || s.op() != "mov" || s.operands.size() != 2 || s.operands[1].kind != OperandKind::symbol)
    return false;
  const auto symbol = static_cast<std::size_t>(s.operands[1].symbol);
  if (part.text->symbols[symbol].space != Space::local) return false;
  node.operation.execute = {recursive_local};
  node.operation.uniform = nullptr;
  node.code.a = static_cast<uint32_t>(part.number);
  node.code.immediate = static_cast<int64_t>(part.symbols[symbol].offset) + s.operands[1].offset;
  write(part, node, s.operands[0], at_d);
  return true;
}

void ProgramBuilder::operands_of(Part& part, Node& node) {
  switch (node.operation.form) {
    case Form::elementwise:
      if (!special_move(part, node)) elementwise(part, node);
      break;
    case Form::listed:
    case Form::pack:
      listed(part, node);
      break;
    case Form::load:
    case Form::store:
    case Form::atomic:
      memory(part, node);
      break;
    case Form::branch:
    case Form::indexed_branch:
    case Form::leave:
      control(part, node);
      break;
    case Form::call:
      call(part, node);
      break;
    case Form::nothing:
      break;
  }
}

void ProgramBuilder::make_node(Part& part, const Statement& s) {
  Node node;
  node.statement = &s;
  node.code.flip = s.guard_negated ? ~0u : 0;
  try {
    const Found found = find_operation(s, part.number >= 0);
    if (found) {
      node.operation = *found;
      operands_of(part, node);
    } else {
      unsupported(node, "");
    }
  } catch (const std::string& why) {
    unsupported(node, why);
  } catch (const std::out_of_range&) {
    unsupported(node, "wrong number of operands");
  }
  if (s.guard >= 0) node.code.guard = part.predicates[static_cast<std::size_t>(s.guard)];
  if ((s.op() == "membar" || s.op() == "fence") && !s.has("cta") && !s.has("proxy")) program_.has_fence = true;
  part.nodes.push_back(std::move(node));
}

void ProgramBuilder::make_nodes(Part& part) {
  for (const Statement& s : part.text->code) {
    part.node_of.push_back(static_cast<int64_t>(part.nodes.size()));
    make_node(part, s);
    // The results of a call are taken where the lanes come back to.
    if (s.op() == "call" && !s.operands.empty() && s.operands[0].kind == OperandKind::arguments &&
        s.operands.size() > 1 && !part.nodes.back().unsupported) {
      Node take;
      take.counted = false;
      take.operation.form = Form::nothing;
      take.operation.execute[0] = take_results;
      take.list = words_of(part, s.operands[0]);
      part.nodes.push_back(std::move(take));
    }
  }
  // Control that falls out of a function returns.
  static const Statement end = [] {
    Statement s;
    s.parts = {"ret"};
    return s;
  }();
  part.node_of.push_back(static_cast<int64_t>(part.nodes.size()));
  make_node(part, end);
  part.nodes.back().counted = false;
  for (Node& node : part.nodes) {
    if (node.target >= 0) node.target = part.node_of[static_cast<std::size_t>(node.target)];
    for (int64_t& target : node.targets) target = part.node_of[static_cast<std::size_t>(target)];
  }
}

}  // namespace roofline::ptx
