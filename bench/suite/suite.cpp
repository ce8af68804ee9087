#include "bench/suite/suite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "bench/model/ceiling.hpp"

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

void Suite::add_family(const std::string& family, AddVariants add, const Sizes& sizes) {
  const auto before = static_cast<std::ptrdiff_t>(variants_.size());
  try {
    add(*this, sizes);
  } catch (...) {  // half a family would look like all of it
    variants_.erase(variants_.begin() + before, variants_.end());
    throw;
  }
  for (auto variant = variants_.begin() + before; variant != variants_.end(); ++variant) {
    if (variant->family.empty()) variant->family = family;
    if (variant->family != family)
      throw std::invalid_argument(fmt::format("{}: .family is '{}', but the registrar's family is '{}'; leave it out",
                                              variant->name, variant->family, family));
    if (std::any_of(variants_.begin(), variant, [&](const Variant& other) { return other.name == variant->name; }))
      throw std::invalid_argument(
          fmt::format("{}: two variants have this name; add the difference between them to the names", variant->name));
  }
}

void Suite::name_without(const std::vector<std::string>& arguments, const std::string& family) {
  for (auto& variant : variants_) {
    if (variant.family != family) continue;
    for (const auto& argument : arguments) {
      const auto begin = variant.name.find('/' + argument + ':');
      if (begin == std::string::npos) continue;
      const auto end = std::min(variant.name.find('/', begin + 1), variant.name.size());
      variant.problem += (variant.problem.empty() ? "" : "/") + variant.name.substr(begin + 1, end - begin - 1);
      variant.name.erase(begin, end - begin);
    }
  }
}

void Suite::add_sustained(CeilingVariant ceiling, Selection selection) {
  ceiling.ceiling.sustained = true;
  ceiling.ceiling.name = ceiling_name(ceiling.ceiling);
  ceiling.selection = selection;
  add_ceiling(std::move(ceiling));
}

Index within_memory(const Suite& suite, const std::string& family, Index size, double bytes_per_unit) {
  const double memory = suite.machine().memory_bytes;
  if (suite.has_fixed_size(family) || memory <= 0) return size;
  return std::max<Index>(1, std::min(size, static_cast<Index>(memory / 4 / bytes_per_unit)));
}

std::optional<Sizes> standard_sizes(const Port& port, Platform platform, Launches launches, SizeOf of) {
  const bool quick = of == SizeOf::quick;
  const bool published = of == SizeOf::published && launches == Launches::timed;
  if (published && !port.modelled_sizes.empty()) return port.modelled_sizes;
  if (platform == Platform::cuda && launches == Launches::modelled) {
    if (port.modelled_sizes.empty()) return std::nullopt;
    return quick && !port.quick_modelled_sizes.empty() ? port.quick_modelled_sizes : port.modelled_sizes;
  }
  if (launches == Launches::verified && !port.verified_sizes.empty()) return port.verified_sizes;
  return quick && !port.quick_sizes.empty() ? port.quick_sizes : port.default_sizes;
}

void add_families(Suite& suite, const std::map<std::string, Sizes>& chosen,
                  const std::function<std::optional<Sizes>(const Port&)>& standard) {
  for (const auto& [family, ports] : families()) {
    const auto port = ports.find(suite.platform());
    if (port == ports.end()) continue;
    const auto sizes = standard(port->second);
    if (!sizes) continue;
    if (const auto given = chosen.find(family.name); given != chosen.end()) {
      suite.fix_size(family.name);
      suite.add_family(family.name, port->second.add, given->second);
      continue;
    }
    try {
      suite.add_family(family.name, port->second.add, *sizes);
      suite.name_without(family.size_arguments, family.name);
    } catch (const TooLarge& reason) {  // one family that does not fit does not exclude the others
      suite.skip(family.name, fmt::format("{} (--{}=...)", reason.what(), family.name));
    }
  }
}

Registrar::Registrar(Family (*describe)(), AddVariants add) {
  auto family = describe();
  Port port{.add = add, .default_sizes = family.default_sizes, .quick_sizes = family.quick_sizes};
  port.modelled_sizes = family.published_sizes;
  registry().families.push_back({std::move(family), {{Platform::cpu, std::move(port)}}});
}

Registrar::Registrar(const char* family, Platform platform, Port port) {
  registry().ports.push_back({family, {platform, std::move(port)}});
}

CeilingRegistrar::CeilingRegistrar(Platform platform, CeilingSource source) {
  auto& registered = registry().ceilings[platform];
  source.parts.insert(source.parts.end(), registered.parts.begin(), registered.parts.end());
  registered = std::move(source);
}

CeilingRegistrar::CeilingRegistrar(Platform platform, void (*part)(Suite&)) {
  registry().ceilings[platform].parts.push_back(part);
}

const CeilingSource* ceiling_source(Platform platform) {
  const auto found = registry().ceilings.find(platform);
  return found == registry().ceilings.end() ? nullptr : &found->second;
}

const std::vector<Registration>& families() {
  // Joined when it is first asked for: sources are initialised in any order.
  static const auto all = [] {
    auto& [known, ports, ceilings] = registry();
    for (auto& [name, port] : ports) {
      const auto family =
          std::find_if(known.begin(), known.end(), [&, &name = name](const auto& r) { return r.family.name == name; });
      if (family == known.end())
        throw std::logic_error(fmt::format("a port of the family '{}' is registered and no such family", name));
      if (!family->ports.insert(port).second)
        throw std::logic_error(fmt::format("the family '{}' has two ports to one platform", name));
    }
    std::sort(known.begin(), known.end(), [](const auto& a, const auto& b) { return a.family.name < b.family.name; });
    return known;
  }();
  return all;
}

}  // namespace roofline
