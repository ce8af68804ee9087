#include "bench/counting/modelled_row.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <stdexcept>

namespace roofline {

namespace {

std::mutex one_at_a_time;  // recordings

}  // namespace

ModelledRow modelled_row(const std::string& name, const std::string& family, const Sizes& sizes) {
  const std::lock_guard lock(one_at_a_time);
  Target target;
  target.platform = Platform::modelled;
  Suite suite(target);
  for (const auto& [about, ports] : families())
    if (const auto port = ports.find(Platform::modelled); about.name == family && port != ports.end())
      port->second.add(suite, sizes);
  const auto& variants = suite.variants();
  const auto found = std::find_if(variants.begin(), variants.end(), [&](const Variant& v) { return v.name == name; });
  if (found == variants.end()) throw std::invalid_argument(fmt::format("{}: no device model has such a row", name));
  ModelledRow row{found->make(), {}};
  row.kernels = recorded_kernels(row.work.launch, false);
  return row;
}

}  // namespace roofline
