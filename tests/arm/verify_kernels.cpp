// Verifies the CPU's kernels and ceilings in a program of few parts, small enough for an emulator: tests/arm/verify.sh.
#include <fmt/format.h>

#include <cstdio>
#include <string>

#include "bench/cache_model/sampler.hpp"
#include "bench/machine/core_units.hpp"
#include "bench/space/pack.hpp"
#include "bench/suite/suite.hpp"
#include "tests/variants.hpp"

namespace roofline {
namespace {

int rows = 0, failures = 0;

void look(const std::string& row, const Check& check) {
  ++rows;
  if (check.ok) return;
  ++failures;
  fmt::print("FAILED {}: {}\n", row, check.message);
}

/// One launch against the reference, and what the counting space counts against the formula.
void verify(const Variant& variant) {
  const auto work = variant.make();
  work.launch();
  look(variant.name, work.check());
  Sampler sampler(nullptr, true);
  work.trace(sampler);
  const auto counted = sampler.counts().operations.flops();
  look(variant.name + " FLOPs", {counted == work.declared_flops, fmt::format("{} counted", counted)});
}

void verify(const CeilingVariant& variant) {
  for (const auto& make : variant.make) {
    const auto work = make();
    work.launch();
    if (work.check) look(variant.ceiling.name, work.check());
  }
}

Machine small_machine() {
  Machine machine;
  machine.cpus = {0};
  machine.caches = {{.level = MemoryLevel::L1, .size = 32 << 10}, {.level = MemoryLevel::L2, .size = 256 << 10}};
  machine.largest_llc = 256 << 10;
  return machine;
}

int verify_all() {
  Suite suite(cpu_target(small_machine(), 1), 3);
  ceiling_source(Platform::cpu)->add(suite);
  for (const auto& [family, ports] : families()) {
    suite.fix_size(family.name);
    suite.add_family(family.name, ports.at(Platform::cpu).add, testing::small_sizes(family));
  }
  for (const auto& variant : suite.variants()) verify(variant);
  for (const auto& variant : suite.ceilings()) verify(variant);
  fmt::print("kernels of {} lanes, vectors of {} bytes: {} of {} checks passed\n", native_lanes, widest_vector_bytes(),
             rows - failures, rows);
  return failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace roofline

int main() { return roofline::verify_all(); }
