// Resolves operands: constants, special registers, addresses, predicates, and the function and words of a call.
#include <bit>

#include "bench/virtual_gpu/decode/builder.hpp"
#include "bench/virtual_gpu/ops/control.hpp"
#include "bench/virtual_gpu/ops/half.hpp"

namespace roofline::ptx {
namespace {

constexpr std::pair<std::string_view, Special> special_names[] = {
    {"%tid.x", Special::tid_x},
    {"%tid.y", Special::tid_y},
    {"%tid.z", Special::tid_z},
    {"%laneid", Special::lane},
    {"%warpid", Special::warp},
    {"%lanemask_eq", Special::lanemask_eq},
    {"%lanemask_le", Special::lanemask_le},
    {"%lanemask_lt", Special::lanemask_lt},
    {"%lanemask_ge", Special::lanemask_ge},
    {"%lanemask_gt", Special::lanemask_gt},
    {"%ntid.x", Special::ntid_x},
    {"%ntid.y", Special::ntid_y},
    {"%ntid.z", Special::ntid_z},
    {"%ctaid.x", Special::ctaid_x},
    {"%ctaid.y", Special::ctaid_y},
    {"%ctaid.z", Special::ctaid_z},
    {"%nctaid.x", Special::nctaid_x},
    {"%nctaid.y", Special::nctaid_y},
    {"%nctaid.z", Special::nctaid_z},
    {"%nwarpid", Special::nwarps},
    {"%smid", Special::smid},
    {"%nsmid", Special::nsmid},
    {"%gridid", Special::grid},
    {"%dynamic_smem_size", Special::dynamic_shared},
    {"%total_smem_size", Special::total_shared},
    {"%envreg1", Special::envreg1},
    {"%envreg2", Special::envreg2},
    // Without clusters a block is a cluster of its own.
    {"%clusterid.x", Special::ctaid_x},
    {"%clusterid.y", Special::ctaid_y},
    {"%clusterid.z", Special::ctaid_z},
    {"%nclusterid.x", Special::nctaid_x},
    {"%nclusterid.y", Special::nctaid_y},
    {"%nclusterid.z", Special::nctaid_z},
    {"%cluster_ctaid.x", Special::zero},
    {"%cluster_ctaid.y", Special::zero},
    {"%cluster_ctaid.z", Special::zero},
    {"%cluster_nctaid.x", Special::one},
    {"%cluster_nctaid.y", Special::one},
    {"%cluster_nctaid.z", Special::one},
    {"%cluster_ctarank", Special::zero},
    {"%cluster_nctarank", Special::one},
    {"%is_explicit_cluster", Special::zero},
};

}  // namespace

void ProgramBuilder::unsupported(Node& node, const std::string& why) {
  const Statement& s = *node.statement;
  kernel_->unsupported.push_back({why.empty() ? std::string(s.text) : why + ": " + std::string(s.text), s.line});
  node.unsupported = true;
  node.operation = Operation{};
  node.operation.form = Form::nothing;
  node.operation.execute[0] = unknown_instruction;
  node.reads.clear();
  node.writes.clear();
  node.list.clear();
}

uint32_t ProgramBuilder::constant(Bank bank, uint64_t bits) {
  if (bank == Bank::narrow) bits &= 0xffffffff;
  const auto [found, fresh] = constants_.try_emplace({bank, bits}, static_cast<uint32_t>(values_.size()));
  if (fresh) {
    Value v;
    v.kind = Value::constant;
    v.bank = bank;
    v.bits = bits;
    v.uniform = true;
    values_.push_back(v);
  }
  return found->second;
}

uint32_t ProgramBuilder::special(std::string_view name) {
  const auto known = specials_.find(name);
  if (known != specials_.end()) return known->second;
  for (const auto& [text, which] : special_names) {
    if (text != name) continue;
    Value v;
    v.kind = Value::special;
    v.bank = Bank::narrow;
    v.which = which;
    v.uniform = which >= Special::first_scalar;
    specials_[name] = static_cast<uint32_t>(values_.size());
    values_.push_back(v);
    return specials_[name];
  }
  if (name.substr(0, 7) == "%envreg" || name.substr(0, 3) == "%pm") return constant(Bank::narrow, 0);
  throw std::string("unknown special register");
}

uint64_t ProgramBuilder::address_of(Part& part, const Operand& o) {
  const auto offset = static_cast<uint64_t>(o.offset);
  if (o.symbol >= 0) {
    const SymbolPlace& place = part.symbols[static_cast<std::size_t>(o.symbol)];
    const LocalSymbol& symbol = part.text->symbols[static_cast<std::size_t>(o.symbol)];
    if (symbol.space == Space::shared) return offset + (symbol.dynamic ? program_.shared_bytes : place.offset);
    if (symbol.space == Space::local) {
      if (part.recursive) throw std::string("local memory of a recursive function without its address in a register");
      return offset + part.local_offset + place.offset;
    }
    if (o.local_argument || part.number >= 0) throw std::string("the address of an argument");
    return offset + place.offset;
  }
  if (const auto v = names_.variables.find(o.name); v != names_.variables.end()) return v->second + offset;
  if (const auto f = names_.functions.find(o.name); f != names_.functions.end()) return f->second + offset;
  const VariableText* const v = names_.text->variable(o.name);
  if (v && v->space == Space::shared) return offset + (v->bytes == 0 ? program_.shared_bytes : shared_[v->name]);
  throw "'" + std::string(o.name) + "' is not defined in this module";
}

uint32_t ProgramBuilder::predicate_of(const Part& part, const Operand& o) const {
  if (o.kind == OperandKind::reg && o.bank == Bank::predicate) return part.predicates[static_cast<std::size_t>(o.reg)];
  if (o.kind == OperandKind::immediate) return o.value != 0 ? 1 : 0;
  if (o.kind == OperandKind::sink) return ~0u;
  throw std::string("a predicate is expected");
}

uint32_t ProgramBuilder::value_of(Part& part, const Operand& o, Bank bank, std::string_view type) {
  switch (o.kind) {
    case OperandKind::reg:
      return part.first_value + static_cast<uint32_t>(o.reg);
    case OperandKind::immediate:
      return constant(bank, o.value);
    case OperandKind::real: {
      const auto x = std::bit_cast<double>(o.value);
      if (bank == Bank::wide) return constant(bank, o.value);
      const auto f = static_cast<float>(x);
      if (type == "f16" || type == "bf16") return constant(bank, type == "f16" ? float_to_half(f) : float_to_bfloat(f));
      return constant(bank, std::bit_cast<uint32_t>(f));
    }
    case OperandKind::special:
      return special(o.name);
    case OperandKind::symbol:
    case OperandKind::name:
      return constant(bank, address_of(part, o));
    default:
      throw std::string("an operand of this kind is not expected");
  }
}

// Numbers of words in the frame; made slots when the frame has its place.
std::vector<uint32_t> ProgramBuilder::words_of(const Part& part, const Operand& list) {
  std::vector<uint32_t> words;
  for (const Operand& o : list.list) {
    if (o.kind != OperandKind::symbol) throw std::string("arguments of calls must be .param variables");
    const auto n = static_cast<std::size_t>(o.symbol);
    const std::size_t count = (part.text->symbols[n].bytes + 3) / 4;
    for (std::size_t w = 0; w < count; ++w) words.push_back(part.symbols[n].slot + static_cast<uint32_t>(w));
  }
  return words;
}

void ProgramBuilder::call(Part& part, Node& node) {
  const auto& operands = node.statement->operands;
  if (operands.empty()) throw std::string("a call without a function");
  const bool results = operands[0].kind == OperandKind::arguments;
  const Operand& target = operands.at(results ? 1 : 0);
  const std::size_t next = results ? 2 : 1;
  if (operands.size() > next && operands[next].kind == OperandKind::arguments)
    node.list = words_of(part, operands[next]);
  if (node.list.size() > argument_words) throw std::string("too many arguments");
  if (target.kind == OperandKind::reg) {
    node.operation.execute[0] = indirect_call;
    node.reads.push_back({part.first_value + static_cast<uint32_t>(target.reg), at_a});
    return;
  }
  if (const int number = function_number(target.name); number >= 0) {
    node.operation.execute[0] = direct_call;
    node.code.d = static_cast<uint32_t>(number);
    return;
  }
  constexpr std::pair<std::string_view, Builtin> builtins[] = {{"vprintf", Builtin::printf},
                                                               {"__assertfail", Builtin::assertion},
                                                               {"malloc", Builtin::malloc},
                                                               {"free", Builtin::free}};
  for (const auto& [name, builtin] : builtins)
    if (target.name == name) {
      node.operation.execute[0] = builtin_call;
      node.operation.size = static_cast<uint8_t>(builtin);
      return;
    }
  throw "call of '" + std::string(target.name) + "', which this module does not define";
}

}  // namespace roofline::ptx
