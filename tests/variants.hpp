#pragma once
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/machine/machine.hpp"
#include "bench/suite/suite.hpp"

namespace roofline::testing {

/// Sizes in which every row of a family is set up and launched in a moment, on any platform.
inline const Sizes& small_sizes(const Family& family) {
  if (!family.small_sizes.empty()) return family.small_sizes;
  return family.quick_sizes.empty() ? family.default_sizes : family.quick_sizes;
}

/// The variants of a linked-in family for given sizes; fails the test by exception if there is no such family.
inline std::vector<Variant> variants_of(const std::string& family, const Sizes& sizes, std::uint64_t seed = 0) {
  static const Machine machine;
  Suite suite(cpu_target(machine, 1), seed);
  for (const auto& registration : families())
    if (registration.family.name == family) {
      registration.ports.at(Platform::cpu).add(suite, sizes);
      return suite.variants();
    }
  throw std::logic_error("no family " + family);
}

/// The one variant of that name.
inline Variant variant(const std::string& family, const Sizes& sizes, const std::string& name, std::uint64_t seed = 0) {
  for (const auto& v : variants_of(family, sizes, seed))
    if (v.name == name) return v;
  throw std::logic_error("no variant " + name);
}

}  // namespace roofline::testing
