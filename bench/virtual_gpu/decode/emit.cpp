// Slots become offsets, nodes become instructions.
#include <algorithm>

#include "bench/virtual_gpu/decode/builder.hpp"
#include "bench/virtual_gpu/ops/control.hpp"

namespace roofline::ptx {
namespace {

constexpr uint32_t narrow_bytes = 128, wide_bytes = 256;

bool guarded_node(const Node& node) { return node.statement && node.statement->guard >= 0; }

}  // namespace

// The register file: scalars, values that keep their lanes (constants, special registers), arguments, frames.
void ProgramBuilder::layout() {
  uint32_t at = 0;
  for (Value& v : values_)
    if (v.scalar) {
      v.scalar_slot = at;
      at += 8;
    }
  at = (at + 63) / 64 * 64;
  for (Value& v : values_)
    if (v.lanes && (v.uniform || v.kind != Value::reg)) {
      v.lane_slot = at;
      at += v.bank == Bank::wide ? wide_bytes : narrow_bytes;
    }
  program_.argument_area = at;
  if (!program_.functions.empty() ||
      std::any_of(parts_.begin(), parts_.end(), [](const Part& p) { return p.argument_words > 0; }))
    at += argument_words * narrow_bytes;
  if (!program_.functions.empty()) {
    program_.local_top = at;
    at += narrow_bytes;
  }
  for (Part& part : parts_) {
    part.frame = at;
    at += part.narrow * narrow_bytes + part.wide * wide_bytes;
    if (part.number < 0) continue;
    FunctionFrame& frame = program_.functions[static_cast<std::size_t>(part.number)];
    frame.begin = part.frame;
    frame.middle = part.frame + part.narrow * narrow_bytes;
    frame.end = at;
    frame.return_block = argument_slot(part, part.argument_words - 1);
    const auto words = [&](const std::vector<int>& symbols, std::vector<uint32_t>& slots) {
      for (const int n : symbols)
        for (std::size_t w = 0; w < (part.text->symbols[static_cast<std::size_t>(n)].bytes + 3) / 4; ++w)
          slots.push_back(
              argument_slot(part, part.symbols[static_cast<std::size_t>(n)].slot + static_cast<uint32_t>(w)));
    };
    words(part.text->formals, frame.formals);
    words(part.text->returns, frame.results);
  }
  program_.file_bytes = at;
  uint32_t blocks = 0;
  for (Part& part : parts_) {
    part.first_block = blocks;
    blocks += static_cast<uint32_t>(part.placement.order.size());
    if (part.number >= 0 && !part.placement.place_of.empty())
      program_.functions[static_cast<std::size_t>(part.number)].entry = part.first_block + part.placement.place_of[0];
  }
}

uint32_t ProgramBuilder::argument_slot(const Part& part, uint32_t word) const {
  return part.frame + word * narrow_bytes;
}

uint32_t ProgramBuilder::slot_of(const Part& part, const Reference& r, bool scalar) const {
  const Value& v = values_[r.value];
  if (scalar) return v.scalar_slot;
  if (v.uniform || v.kind != Value::reg) return v.lane_slot;
  return v.bank == Bank::wide ? part.frame + part.narrow * narrow_bytes + v.lane_slot * wide_bytes
                              : part.frame + v.lane_slot * narrow_bytes;
}

void ProgramBuilder::fill_constants() {
  for (const Value& v : values_) {
    if (v.kind == Value::constant) {
      if (v.scalar) program_.constants.push_back({v.scalar_slot, v.bits});
      if (v.lanes)
        (v.bank == Bank::wide ? program_.vector_constants8 : program_.vector_constants4)
            .push_back({v.lane_slot, v.bits});
    } else if (v.kind == Value::special) {
      if (!v.uniform && v.lanes) program_.specials.push_back({v.lane_slot, v.which});
      if (v.uniform && v.scalar) program_.specials.push_back({v.scalar_slot, v.which});
      if (v.uniform && v.lanes) program_.vector_specials.push_back({v.lane_slot, v.which});
    }
  }
}

void ProgramBuilder::emit(Part& part) {
  for (const PlacedBlock& placed : part.placement.order) {
    const auto block = static_cast<uint32_t>(program_.blocks.size());
    BasicBlock range;
    range.first = static_cast<uint32_t>(program_.code.size());
    BlockCost cost;
    if (placed.block == PlacedBlock::none) {
      Node jump;
      jump.counted = false;
      Instruction code;
      code.execute = plain_branch;
      code.immediate = part.first_block + placed.jump_to;
      emit_instruction(code, jump, block);
    } else {
      for (uint32_t n = part.blocks[placed.block].first; n < part.blocks[placed.block].end; ++n) {
        const Node& node = part.nodes[n];
        if (slices_) count_cost(node, cost);
        if (node.addressed) emit_trace(part, node, block);
        if (!node.dropped) emit_node(part, node, block);
      }
    }
    range.end = static_cast<uint32_t>(program_.code.size());
    program_.blocks.push_back(range);
    if (slices_) program_.costs.push_back(cost);
  }
}

Detail ProgramBuilder::detail_of(const Node& node, uint32_t block) const {
  Detail d;
  d.block = block;
  if (!node.counted || !node.statement) return d;
  const Statement& s = *node.statement;
  const Operation& o = node.operation;
  d.line = s.line;
  d.source_file = s.source_file;
  d.source_line = s.source_line;
  d.text = s.text;
  d.kind = o.kind;
  d.flop = o.flop;
  d.precision = o.precision;
  d.weight = o.weight;
  d.branch = o.form == Form::branch || o.form == Form::indexed_branch;
  d.memory =
      (o.form == Form::load || o.form == Form::store || o.form == Form::atomic || o.bytes_moved) && o.number != 1;
  d.space = o.space;
  d.access = o.access;
  d.bytes = o.bytes_moved ? o.bytes_moved : uint32_t{o.size} * o.width;
  return d;
}

void ProgramBuilder::emit_instruction(Instruction code, const Node& node, uint32_t block) {
  Detail detail = detail_of(node, block);
  code.index = static_cast<uint32_t>(program_.code.size());
  code.counter = program_.counters;
  const Operation& o = node.operation;
  if (o.form == Form::load || o.form == Form::store || o.form == Form::atomic || o.form == Form::call ||
      o.bytes_moved) {
    detail.counter = program_.counters;
    ++program_.counters;
  }
  Execute checked = o.checked && !node.uniform ? o.checked : code.execute;
  Instruction with_checks = code;
  with_checks.execute = checked;
  if (guarded_node(node)) {
    detail.guard_counter = program_.guard_counters;
    for (Instruction* const i : {&code, &with_checks}) {
      i->inner = i->execute;
      i->execute = guarded;
      i->guard_counter = program_.guard_counters;
    }
    ++program_.guard_counters;
  }
  program_.code.push_back(code);
  program_.checked.push_back(with_checks);
  program_.details.push_back(std::move(detail));
}

void ProgramBuilder::emit_node(Part& part, const Node& node, uint32_t block) {
  const Operation& o = node.operation;
  Instruction code = node.code;
  code.execute = node.uniform ? o.uniform : o.execute[o.form == Form::elementwise ? node.scalars : 0];
  code.size = o.size;
  code.width = o.width;
  code.flags |= o.flags;
  if (o.immediate) code.immediate = o.immediate;
  code.matrix = o.matrix;
  std::vector<uint32_t> list = node.list;
  const bool words = o.form == Form::call || !node.statement;  // entries are words of the frame
  if (words)
    for (uint32_t& word : list) word = argument_slot(part, word);
  const auto put = [&](const Reference& r, bool scalar) {
    uint32_t* const fields[] = {&code.d, &code.a, &code.b, &code.c};
    *(r.place < in_list ? fields[r.place] : &list[r.place - in_list]) = slot_of(part, r, scalar);
  };
  for (const Reference& r : node.reads)
    put(r, r.place >= at_a && r.place <= at_c && (node.scalars >> (r.place - at_a) & 1));
  for (const Reference& r : node.writes) put(r, node.uniform);
  if (node.operation.number == 1 && (o.form == Form::load || o.form == Form::store))
    code.a = argument_slot(part, code.a);
  if (o.form == Form::atomic && !(o.flags & 4)) code.d = 0;
  const auto target = [&](int64_t to) {
    const uint32_t here = part.block_of[static_cast<std::size_t>(&node - part.nodes.data())];
    return part.first_block + part.placement.target(here, part.block_of[static_cast<std::size_t>(to)]);
  };
  if (node.target >= 0) code.immediate = target(node.target);
  if (!node.targets.empty()) {
    list.clear();
    for (const int64_t to : node.targets) list.push_back(target(to));
  }
  if (!list.empty()) {
    code.list = static_cast<uint32_t>(program_.lists.size());
    if (o.form != Form::elementwise && !(o.form == Form::listed && o.own_number))
      code.number = static_cast<uint16_t>(list.size());
    program_.lists.insert(program_.lists.end(), list.begin(), list.end());
  }
  if (o.own_number || o.form == Form::elementwise) code.number = o.number;
  emit_instruction(code, node, block);
  if (node.uniform && values_[node.writes[0].value].lanes) emit_spread(values_[node.writes[0].value], block);
}

void ProgramBuilder::emit_spread(const Value& value, uint32_t block) {
  Node spread;
  spread.counted = false;
  Instruction copy;
  copy.execute = broadcast;
  copy.d = value.lane_slot;
  copy.a = value.scalar_slot;
  copy.flags = value.bank == Bank::wide ? 1 : 0;
  emit_instruction(copy, spread, block);
}

}  // namespace roofline::ptx
