#include "bench/virtual_gpu/parse/finding.hpp"

#include <fmt/format.h>

namespace roofline::ptx {

std::string name_of(FindingKind kind) {
  switch (kind) {
    case FindingKind::out_of_bounds:
      return "out_of_bounds";
    case FindingKind::use_after_free:
      return "use_after_free";
    case FindingKind::misaligned:
      return "misaligned";
    case FindingKind::uninitialised_read:
      return "uninitialised_read";
    case FindingKind::race:
      return "race";
    case FindingKind::divergent_barrier:
      return "divergent_barrier";
    case FindingKind::invalid_warp_mask:
      return "invalid_warp_mask";
    case FindingKind::invalid_barrier:
      return "invalid_barrier";
  }
  return "unknown";
}

std::string describe(const Finding& f) {
  const auto triple = [](const auto& x) { return fmt::format("({},{},{})", x[0], x[1], x[2]); };
  std::string text = fmt::format("{} in {}: block {} thread {}", name_of(f.kind), f.place.kernel, triple(f.place.block),
                                 triple(f.place.thread));
  if (f.bytes) text += fmt::format(", {} bytes of {} memory at {:#x}", f.bytes, f.space, f.address);
  if (!f.allocation.empty()) text += ", " + f.allocation;
  if (!f.detail.empty()) text += ", " + f.detail;
  if (f.place.ptx_line) text += fmt::format(", PTX line {}: {}", f.place.ptx_line, f.place.instruction);
  if (!f.place.source.empty()) text += ", " + f.place.source;
  if (f.times > 1) text += fmt::format(" ({} times)", f.times);
  return text;
}

}  // namespace roofline::ptx
