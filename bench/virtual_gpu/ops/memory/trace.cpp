
#include "bench/virtual_gpu/execute/stepped_launch.hpp"
#include "bench/virtual_gpu/ops/control.hpp"
#include "bench/virtual_gpu/ops/memory/access.hpp"

namespace roofline::ptx {

void trace_access(Warp& w, const Instruction& i) {
  Touch t;
  gather_sparsely(w, i, t);
  if (t.partial) expand(t);
  const TracedKind kind = decode(i.matrix);
  const auto tell = [&](Space space, const Touch& part) {
    if (space != Space::global && space != Space::local) return;
    static_cast<SlicedWorker*>(w.worker)->sink->access({.space = space,
                                                        .access = kind.access,
                                                        .phase = kind.phase,
                                                        .uniform = part.uniform,
                                                        .contiguous = part.contiguous,
                                                        .bytes = part.bytes,
                                                        .active = w.m,
                                                        .at = part.at});
  };
  if (kind.space == Space::generic)
    for_spaces(w, i, t, [&](Space found, Touch& part) { tell(found, part); });
  else
    tell(kind.space, t);
}

}  // namespace roofline::ptx
