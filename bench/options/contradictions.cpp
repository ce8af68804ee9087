#include "bench/options/contradictions.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "bench/options/device_flag.hpp"
#include "bench/virtual_gpu/runtime/settings.hpp"

namespace roofline {

void refuse_contradictions(const Options& o) {
  if (!o.case_study.empty() && (o.full || o.has_filter()))
    throw std::invalid_argument("--case-study: chooses the rows itself; leave --full and --benchmark_filter out");
  if (o.quick && o.full) throw std::invalid_argument("--quick --full: leave one of them out");
  if (o.resume && o.verify)
    throw std::invalid_argument("--resume: --verify keeps nothing that could be resumed; leave it out");
  if (!o.sanitize.empty()) {
    if (!o.verify || !is_virtual(o.device))
      throw std::invalid_argument(fmt::format("--sanitize={}: goes with --device=virtual --verify", o.sanitize));
    runtime::Settings known;
    runtime::set_checks(known, o.sanitize);
  }
  if (!o.modelled) return;
  if (o.verify) throw std::invalid_argument("--verify --modelled: a model launches nothing to verify");
  if (o.time_limit > 0) throw std::invalid_argument("--time-limit: a model times nothing; leave it out");
  if (o.device != "auto" && o.device != "cpu" && !is_virtual(o.device))
    throw std::invalid_argument(
        fmt::format("--modelled --device={}: only cpu and virtual[:DEVICE] are modelled", o.device));
}

}  // namespace roofline
