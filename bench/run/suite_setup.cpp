#include "bench/run/suite_setup.hpp"

#include <fmt/format.h>

#include "bench/options/device_flag.hpp"
#include "bench/space/buffer.hpp"

namespace roofline {

Suite make_suite(const Target& target, const Options& options, const Model* model) {
  Suite suite(target, options.seed);
  if (options.verify && is_virtual(options.device)) suite.only_execute();
  if (model) {
    for (const auto& ceiling : model->ceilings) suite.add_ceiling({ceiling, Selection::quick, {}});
  } else if (const auto* const source = ceiling_source(suite.platform())) {
    source->add(suite);
  }
  for (const auto& [family, ports] : families()) {
    const auto port = ports.find(suite.platform());
    if (port == ports.end()) continue;
    const auto& [add, default_sizes, quick_sizes, executed_sizes] = port->second;
    const auto chosen = options.sizes.find(family.name);
    if (chosen != options.sizes.end()) suite.fix_size(family.name);
    const auto& standard = suite.only_executed() && !executed_sizes.empty() ? executed_sizes
                           : options.quick && !quick_sizes.empty()          ? quick_sizes
                                                                            : default_sizes;
    if (chosen != options.sizes.end()) {
      suite.add_family(family.name, add, chosen->second);
      continue;
    }
    try {
      suite.add_family(family.name, add, standard);
      suite.name_without(family.size_arguments, family.name);
    } catch (const TooLarge& reason) {  // that one family does not fit is no reason to refuse the others
      suite.leave_out(family.name, fmt::format("{} (--{}=...)", reason.what(), family.name));
    }
  }
  return suite;
}

}  // namespace roofline
