#include "bench/run/suite_setup.hpp"

#include "bench/options/device_flag.hpp"

namespace roofline {

Suite make_suite(const Target& target, const Options& options, const Model* model) {
  Suite suite(target, options.seed);
  if (options.verify && is_virtual(options.device))
    suite.set_launches(Launches::verified);
  else if (model)
    suite.set_launches(model->launches);
  if (model) {
    for (const auto& ceiling : model->ceilings) suite.add_ceiling({ceiling, Selection::quick, {}});
  } else if (const auto* const source = ceiling_source(suite.platform())) {
    source->add(suite);
  }
  add_families(suite, options.sizes, [&](const Port& port) {
    return standard_sizes(port, suite.platform(), suite.launches(), options.size_of());
  });
  return suite;
}

}  // namespace roofline
