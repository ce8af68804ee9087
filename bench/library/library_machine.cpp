#include "bench/library/library_machine.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <mutex>
#include <optional>

#include "bench/levels/measured_levels.hpp"
#include "bench/library/pinned.hpp"
#include "bench/suite/suite.hpp"

namespace roofline {
namespace {

std::mutex making;
std::optional<Machine> measured_one;

}  // namespace

Machine library_machine(bool measure) {
  const std::lock_guard lock(making);
  if (measured_one) return *measured_one;
  auto machine = detect_machine();
  const auto* const source = ceiling_source(Platform::cpu);
  if (!measure || !source) {
    recall_levels(machine, machine.usable_cores);
    return machine;
  }
  const Pinned pinned(machine, machine.usable_cores);
  for (const auto& note : measure_levels(machine, machine.usable_cores, source->read_probe))
    fmt::print(stderr, "roofline: {}\n", note);
  measured_one = machine;
  return machine;
}

}  // namespace roofline
