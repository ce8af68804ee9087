#include "bench/run/suite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roofline {
namespace {

struct Registry {
  std::vector<Registration> families;
  std::vector<std::pair<std::string, std::pair<Platform, Port>>> ports;  ///< of families that may come later
  std::map<Platform, CeilingSource> ceilings;
};

Registry& registry() {
  static Registry all;
  return all;
}

}  // namespace

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

CeilingRegistrar::CeilingRegistrar(Platform platform, CeilingSource source) {
  registry().ceilings.emplace(platform, source);
}

const CeilingSource* ceiling_source(Platform platform) {
  const auto found = registry().ceilings.find(platform);
  return found == registry().ceilings.end() ? nullptr : &found->second;
}

const std::vector<Registration>& families() {
  auto& [all, ports, ceilings] = registry();
  for (auto& [name, port] : ports)
    for (auto& registration : all)
      if (registration.family.name == name) registration.ports.insert(port);
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.family.name < b.family.name; });
  return all;
}

}  // namespace roofline
