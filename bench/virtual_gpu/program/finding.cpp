#include "bench/virtual_gpu/program/finding.hpp"

#include <fmt/format.h>

namespace roofline::ptx {

std::string name_of(FindingKind kind) {
  constexpr const char* names[] = {"out_of_bounds", "use_after_free",    "misaligned",        "uninitialised_read",
                                   "race",          "divergent_barrier", "invalid_warp_mask", "invalid_barrier"};
  return names[static_cast<std::size_t>(kind)];
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
