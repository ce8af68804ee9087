#include "microkernels/ert/ert.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "bench/space/pack.hpp"
#include "microkernels/ert/kernel.hpp"
#include "microkernels/lanes.hpp"

namespace roofline {
namespace {

template <class T>
using Wide = Lanes<T, native_lanes * 8 / static_cast<int>(sizeof(T))>;
template <class T>
using Single = Lanes<T, 1>;

}  // namespace

void require_valid(const ErtKernel& kernel) {
  if (kernel.flops < 1 || kernel.flops > 2047)
    throw std::invalid_argument(fmt::format("ert: {} FLOPs per element, expected 1 to 2047", kernel.flops));
  if (kernel.step == ErtStep::divide && kernel.flops % 2 == 1)
    throw std::invalid_argument(
        fmt::format("ert: {} FLOPs per element with divisions, expected an even number", kernel.flops));
}

template <class T>
ErtFunction<T> ert_function(const ErtKernel& kernel) {
  return with_ert_kernel(kernel, []<int F, ErtStep step, bool Fma>() -> ErtFunction<T> {
    return ert_trials<F, step, Fma, Wide<T>, Single<T>, T>;
  });
}

template ErtFunction<double> ert_function<double>(const ErtKernel&);
template ErtFunction<float> ert_function<float>(const ErtKernel&);

int ert_lanes() { return Wide<double>::lanes; }

}  // namespace roofline
