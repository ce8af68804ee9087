#include "tests/validation/modelled_row.hpp"

#include <fmt/format.h>

#include <mutex>
#include <stdexcept>

namespace roofline {
namespace {

std::mutex one_at_a_time;  // recordings

}  // namespace

ModelledRow modelled_row(const std::string& name, const std::string& family, const Sizes& sizes) {
  const std::lock_guard lock(one_at_a_time);
  Target target;
  target.platform = Platform::cuda;
  Suite suite(target);
  suite.set_launches(Launches::modelled);
  add_families(suite, {{family, sizes}}, [](const Port& port) {
    return standard_sizes(port, Platform::cuda, Launches::modelled, SizeOf::usual);
  });
  for (const auto& variant : suite.variants()) {
    if (variant.name != name) continue;
    ModelledRow row{variant.make(), {}};
    row.kernels = recorded_kernels(row.work.launch, false);
    return row;
  }
  throw std::invalid_argument(fmt::format("{}: no device model has such a row", name));
}

}  // namespace roofline
