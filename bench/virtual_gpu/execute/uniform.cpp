// Values that are the same in all lanes of a block whenever they are read: constants, parameters, block indices and
// what is computed from them by an instruction that is the only one to write its result. They are kept once and not
// 32 times, which is exact: such a value cannot change during a block, whichever lanes execute its instruction.
#include <algorithm>

#include "bench/virtual_gpu/parse/builder.hpp"

namespace roofline::ptx {

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
        if ((v & ~available) == 0 && node.operation.execute[v] && __builtin_popcount(v) > best)
          best = __builtin_popcount(v), node.scalars = v;
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

}  // namespace roofline::ptx
