#include "bench/suite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roofline {
namespace {

struct Registry {
  std::vector<Registration> families;
  std::vector<std::pair<std::string, std::pair<Platform, Port>>> ports;  ///< of families that may come later
};

Registry& registry() {
  static Registry all;
  return all;
}

}  // namespace

Timer timer(const Workload& work) { return work.time ? work.time : host_timer(work.launch); }

const CeilingVariant* Suite::ceiling(const std::string& name) const {
  const auto found = std::find_if(ceilings_.begin(), ceilings_.end(),
                                  [&](const CeilingVariant& variant) { return variant.ceiling.name == name; });
  return found == ceilings_.end() ? nullptr : &*found;
}

void Suite::add_sustained(CeilingVariant ceiling, Selection selection) {
  auto& name = ceiling.ceiling.name;
  name.insert(std::min(name.find("/threads:"), name.size()), "/sustained");
  ceiling.ceiling.sustained = true;
  ceiling.selection = selection;
  add_ceiling(std::move(ceiling));
}

Registrar::Registrar(Family (*describe)(), AddVariants add) {
  auto family = describe();
  Port port{add, family.default_sizes, family.quick_sizes};
  registry().families.push_back({std::move(family), {{Platform::cpu, std::move(port)}}});
}

Registrar::Registrar(const char* family, Platform platform, Port port) {
  registry().ports.push_back({family, {platform, std::move(port)}});
}

const std::vector<Registration>& families() {
  auto& [all, ports] = registry();
  for (auto& [name, port] : ports)
    for (auto& registration : all)
      if (registration.family.name == name) registration.ports.insert(port);
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.family.name < b.family.name; });
  return all;
}

Check compare(const double* got, const std::function<double(Index)>& expected, Index n, double tolerance,
              double floor) {
  Index first_bad = n;
#pragma omp parallel for schedule(static) reduction(min : first_bad)
  for (Index i = 0; i < n; ++i) {
    const double want = expected(i), bound = tolerance * std::max(std::abs(want), floor);
    if (!(std::abs(got[i] - want) <= bound)) first_bad = std::min(first_bad, i);
  }
  if (first_bad == n) return {};
  const double want = expected(first_bad);
  return {false, fmt::format("element {}: got {:.17g}, expected {:.17g} within {:.3g}", first_bad, got[first_bad], want,
                             tolerance * std::max(std::abs(want), floor))};
}

}  // namespace roofline
