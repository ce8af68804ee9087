#include "bench/library/build_doubt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace roofline {
namespace {

struct Width {
  const char* isa;   ///< as Machine::isa has it
  const char* name;  ///< as people call it
};
/// From narrow to wide.
constexpr std::array<Width, 3> widths{{{"sse", "SSE2"}, {"avx2", "AVX2"}, {"avx512", "AVX-512"}}};

const Width* find(const std::string& isa) {
  const auto* const found = std::find_if(widths.begin(), widths.end(), [&](const Width& w) { return w.isa == isa; });
  return found == widths.end() ? nullptr : found;
}

}  // namespace

std::string build_doubt(const BuiltAs& built_as, const std::string& machine_isa) {
  if (!built_as.optimised)
    return "this program was built without optimisation, so its rows say little: use -DCMAKE_BUILD_TYPE=Release or -O2";
  const auto *const built = find(built_as.isa), *const machine = find(machine_isa);
  if (!built || !machine || built >= machine) return "";
  return fmt::format("this program was built for {}, and this CPU has {}: -march=native uses its wider vectors",
                     built->name, machine->name);
}

}  // namespace roofline
