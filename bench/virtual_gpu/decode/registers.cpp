// Uniform values, basic blocks, and slots for registers: a linear scan over live intervals (Poletto and Sarkar 1999).
#include <algorithm>

#include "bench/virtual_gpu/decode/builder.hpp"

namespace roofline::ptx {

// Values that are the same in all lanes of a block whenever they are read: constants, parameters, block indices and
// what is computed from them by an instruction that is the only one to write its result. They are kept once and not
// 32 times, which is exact: such a value cannot change during a block, whichever lanes execute its instruction.
void ProgramBuilder::find_uniform() {
  for (bool changed = true; changed;) {
    changed = false;
    for (Part& part : parts_)
      for (Node& node : part.nodes) {
        if (node.uniform || !node.operation.uniform || node.writes.size() != 1 ||
            (node.statement && node.statement->guard >= 0))
          continue;
        Value& result = values_[node.writes[0].value];
        const bool ready =
            result.definitions == 1 && std::all_of(node.reads.begin(), node.reads.end(),
                                                   [&](const Reference& r) { return values_[r.value].uniform; });
        if (!ready) continue;
        node.uniform = result.uniform = changed = true;
      }
  }
}

// The variant of each operation that reads as many scalars as it can; other uniform values are kept in lanes, too.
void ProgramBuilder::choose_variants(Part& part) {
  for (Node& node : part.nodes) {
    const auto memory = node.operation.form == Form::load || node.operation.form == Form::store ||
                        node.operation.form == Form::atomic ||
                        (node.operation.form == Form::listed && node.code.base != Base::none);
    uint8_t available = 0;
    for (const Reference& r : node.reads)
      if (values_[r.value].uniform && r.place >= at_a && r.place <= at_c)
        available |= static_cast<uint8_t>(1 << (r.place - at_a));
    if (node.uniform) {
      node.scalars = 7;
    } else if (memory) {
      node.scalars = available & 1;  // the address
    } else if (node.operation.form == Form::elementwise) {
      int best = -1;
      for (uint8_t v = 0; v < 8; ++v)
        if ((v & ~available) == 0 && node.operation.execute[v] && __builtin_popcount(v) > best) {
          best = __builtin_popcount(v);
          node.scalars = v;
        }
    }
    if (memory && (node.scalars & 1) && node.code.base != Base::none)
      node.code.base = node.code.base == Base::lanes64 ? Base::scalar64 : Base::scalar32;
    for (const Reference& r : node.reads) {
      Value& value = values_[r.value];
      const bool scalar = r.place >= at_a && r.place <= at_c && (node.scalars >> (r.place - at_a) & 1);
      (scalar ? value.scalar : value.lanes) = true;
    }
    for (const Reference& r : node.writes) (node.uniform ? values_[r.value].scalar : values_[r.value].lanes) = true;
  }
}

namespace {

struct Interval {
  uint32_t first = ~0u, last = 0;
  void extend(uint32_t at) {
    first = std::min(first, at);
    last = std::max(last, at);
  }
};

using Row = std::vector<uint64_t>;
bool has(const Row& row, uint32_t n) { return row[n / 64] >> n % 64 & 1; }
void add(Row& row, uint32_t n) { row[n / 64] |= uint64_t{1} << n % 64; }

}  // namespace

void ProgramBuilder::make_blocks(Part& part) {
  const auto count = static_cast<uint32_t>(part.nodes.size());
  std::vector<bool> begins(count + 1, false);
  begins[0] = true;
  for (uint32_t n = 0; n < count; ++n) {
    const Node& node = part.nodes[n];
    if (node.operation.ends_block || node.operation.alone) begins[n + 1] = true;
    if (node.operation.alone) begins[n] = true;
    if (node.target >= 0) begins[static_cast<std::size_t>(node.target)] = true;
    for (const int64_t target : node.targets) begins[static_cast<std::size_t>(target)] = true;
  }
  part.block_of.resize(count);
  for (uint32_t n = 0; n < count; ++n) {
    if (begins[n]) part.blocks.push_back({n, n, {}, -1});
    part.block_of[n] = static_cast<uint32_t>(part.blocks.size() - 1);
    part.blocks.back().end = n + 1;
  }
  for (uint32_t b = 0; b < part.blocks.size(); ++b) {
    FlowBlock& block = part.blocks[b];
    const Node& last = part.nodes[block.end - 1];
    const Form form = last.operation.form;
    const bool guarded = last.statement && last.statement->guard >= 0;
    const bool leaves = form == Form::branch || form == Form::indexed_branch || form == Form::leave;
    if (last.target >= 0) block.successors.push_back(part.block_of[static_cast<std::size_t>(last.target)]);
    for (const int64_t target : last.targets)
      block.successors.push_back(part.block_of[static_cast<std::size_t>(target)]);
    if ((!leaves || guarded) && b + 1 < part.blocks.size()) {
      block.falls_into = b + 1;
      block.successors.push_back(b + 1);
    }
    std::sort(block.successors.begin(), block.successors.end());
    block.successors.erase(std::unique(block.successors.begin(), block.successors.end()), block.successors.end());
  }
  part.placement = place(part.blocks);
}

void ProgramBuilder::allocate(Part& part) {
  const auto registers = static_cast<uint32_t>(part.text->registers.size());
  const auto local = [&](uint32_t value) {  // number of a register that needs a slot in the frame, or ~0
    const Value& v = values_[value];
    const bool mine = v.kind == Value::reg && value >= part.first_value && value < part.first_value + registers;
    return mine && !v.uniform && v.bank != Bank::predicate ? value - part.first_value : ~0u;
  };
  // Liveness by block, backwards to a fixed point.
  const std::size_t words = registers / 64 + 1, blocks = part.blocks.size();
  std::vector<Row> uses(blocks, Row(words)), kills(blocks, Row(words)), in(blocks, Row(words)), out(blocks, Row(words));
  for (std::size_t b = 0; b < blocks; ++b)
    for (uint32_t n = part.blocks[b].first; n < part.blocks[b].end; ++n) {
      const Node& node = part.nodes[n];
      const bool guarded = node.statement && node.statement->guard >= 0;
      for (const Reference& r : node.reads)
        if (const uint32_t v = local(r.value); v != ~0u && !has(kills[b], v)) add(uses[b], v);
      for (const Reference& r : node.writes)
        if (const uint32_t v = local(r.value); v != ~0u)
          guarded && !has(kills[b], v) ? add(uses[b], v) : add(kills[b], v);
    }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t b = blocks; b-- > 0;)
      for (std::size_t w = 0; w < words; ++w) {
        uint64_t live = 0;
        for (const uint32_t s : part.blocks[b].successors) live |= in[s][w];
        out[b][w] = live;
        const uint64_t before = in[b][w];
        in[b][w] = uses[b][w] | (live & ~kills[b][w]);
        changed |= in[b][w] != before;
      }
  }
  // Intervals in the order of execution; a node reads at 2n and writes at 2n + 1.
  std::vector<Interval> intervals(registers);
  uint32_t position = 0;
  for (const PlacedBlock& placed : part.placement.order) {
    if (placed.block == PlacedBlock::none) continue;
    const FlowBlock& block = part.blocks[placed.block];
    const uint32_t begin = 2 * position;
    for (uint32_t n = block.first; n < block.end; ++n, ++position) {
      const Node& node = part.nodes[n];
      for (const Reference& r : node.reads)
        if (const uint32_t v = local(r.value); v != ~0u)
          intervals[v].extend(2 * position +
                              (node.operation.in_place && node.operation.form == Form::elementwise ? 0 : 1));
      for (const Reference& r : node.writes)
        if (const uint32_t v = local(r.value); v != ~0u) intervals[v].extend(2 * position + 1);
    }
    for (uint32_t v = 0; v < registers; ++v) {
      if (has(in[placed.block], v)) intervals[v].extend(begin);
      if (has(out[placed.block], v)) intervals[v].extend(2 * position);
    }
  }
  assign_slots(part, [&] {
    std::vector<LiveRange> ranges;
    for (uint32_t v = 0; v < registers; ++v)
      if (intervals[v].first != ~0u) ranges.push_back({intervals[v].first, intervals[v].last, part.first_value + v});
    return ranges;
  }());
}

void ProgramBuilder::assign_slots(Part& part, std::vector<LiveRange> ranges) {
  std::sort(ranges.begin(), ranges.end(), [](const LiveRange& a, const LiveRange& b) { return a.first < b.first; });
  struct Pool {
    std::vector<uint32_t> free;
    std::vector<std::pair<uint32_t, uint32_t>> active;  // end, slot: a heap with the earliest end on top
    uint32_t slots = 0;
  } pools[2];
  pools[0].slots = part.argument_words;
  for (const LiveRange& range : ranges) {
    Value& value = values_[range.value];
    for (Pool& pool : pools)
      while (!pool.active.empty() && pool.active.front().first < range.first) {
        std::pop_heap(pool.active.begin(), pool.active.end(), std::greater<>());
        pool.free.push_back(pool.active.back().second);
        pool.active.pop_back();
      }
    Pool& pool = pools[value.bank == Bank::wide];
    if (pool.free.empty()) pool.free.push_back(pool.slots++);
    value.lane_slot = pool.free.back();
    pool.free.pop_back();
    pool.active.push_back({range.last, value.lane_slot});
    std::push_heap(pool.active.begin(), pool.active.end(), std::greater<>());
    part.most_live =
        std::max(part.most_live, static_cast<uint32_t>(pools[0].active.size() + 2 * pools[1].active.size()));
  }
  part.narrow = pools[0].slots;
  part.wide = pools[1].slots;
}

}  // namespace roofline::ptx
