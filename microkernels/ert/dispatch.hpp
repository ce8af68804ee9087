#pragma once
#include "microkernels/ert/ert.hpp"

namespace roofline {

/// body.operator()<F, step, Fma>() with F, a power of two up to 1024, as a compile-time constant; with 0 for another F.
template <ErtStep step, bool Fma, int F = 1024, class Body>
auto with_ert_flops(int flops, Body body) {
  if constexpr (F == 0) {
    return body.template operator()<0, step, Fma>();
  } else {
    if (flops == F) return body.template operator()<F, step, Fma>();
    return with_ert_flops<step, Fma, F / 2>(flops, body);
  }
}

/// Calls `body` with the parameters of a kernel as template arguments: F as above, always 0 with divisions. Throws
/// std::invalid_argument for an F outside 1..2047 or an odd F with divisions (it leaves the fixed point).
template <class Body>
auto with_ert_kernel(const ErtKernel& kernel, Body body) {
  require_valid(kernel);
  if (kernel.step == ErtStep::divide)
    return kernel.fma ? body.template operator()<0, ErtStep::divide, true>()
                      : body.template operator()<0, ErtStep::divide, false>();
  return kernel.fma ? with_ert_flops<ErtStep::multiply_add, true>(kernel.flops, body)
                    : with_ert_flops<ErtStep::multiply_add, false>(kernel.flops, body);
}

}  // namespace roofline
