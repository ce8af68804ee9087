#include "bench/cuda/cache_state.hpp"

#include "bench/cuda/event_timer.hpp"

namespace roofline::cuda {
namespace {

Variant timed(Variant variant, Cache cache) {
  variant.make = [make = std::move(variant.make), cache] {
    auto work = make();
    work.time = event_timer(work.launch, cache, Batch::graph);
    work.clock = event_clock;
    work.cold = cache == Cache::cold;
    return work;
  };
  return variant;
}

}  // namespace

std::string cold_name(const std::string& name) {
  if (name.ends_with("/tuned")) return name.substr(0, name.rfind('/')) + "/cache:cold/tuned";
  return name + "/cache:cold";
}

void add_cache_state(Suite& suite, const Variant& variant) {
  if (suite.is_modelled()) return suite.add(variant);
  suite.add(timed(variant, Cache::hot));
  auto cold = timed(variant, Cache::cold);
  cold.name = cold_name(variant.name);
  cold.selection = Selection::full;
  cold.about += "; L2 is emptied before each launch";
  suite.add(std::move(cold));
}

}  // namespace roofline::cuda
