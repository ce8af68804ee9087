#include "microkernels/ert.hpp"

#include <fmt/format.h>

#include <array>
#include <stdexcept>
#include <utility>

#include "bench/space/pack.hpp"
#include "microkernels/ert_kernel.hpp"
#include "microkernels/lanes.hpp"

namespace roofline {
namespace {

template <class T>
using Wide = Lanes<T, native_lanes * 8 / static_cast<int>(sizeof(T))>;
template <class T>
using Single = Lanes<T, 1>;

template <class T, bool Fma, std::size_t... exponents>
ErtFunction<T> multiply_add_function(int flops, std::index_sequence<exponents...>) {
  constexpr std::array<ErtFunction<T>, sizeof...(exponents)> powers_of_two{
      ert_trials<1 << exponents, ErtStep::multiply_add, Fma, Wide<T>, Single<T>, T>...};
  for (std::size_t k = 0; k < powers_of_two.size(); ++k)
    if (flops == 1 << k) return powers_of_two[k];
  return ert_trials<0, ErtStep::multiply_add, Fma, Wide<T>, Single<T>, T>;
}

}  // namespace

template <class T>
ErtFunction<T> ert_function(const ErtKernel& kernel) {
  if (kernel.flops < 1 || kernel.flops > 2047)
    throw std::invalid_argument(fmt::format("ert: {} FLOPs per element, expected 1 to 2047", kernel.flops));
  if (kernel.step == ErtStep::divide) {
    if (kernel.flops % 2 == 1)
      throw std::invalid_argument(
          fmt::format("ert: {} FLOPs per element with divisions, expected an even number", kernel.flops));
    return kernel.fma ? ert_trials<0, ErtStep::divide, true, Wide<T>, Single<T>, T>
                      : ert_trials<0, ErtStep::divide, false, Wide<T>, Single<T>, T>;
  }
  constexpr auto exponents = std::make_index_sequence<11>();
  return kernel.fma ? multiply_add_function<T, true>(kernel.flops, exponents)
                    : multiply_add_function<T, false>(kernel.flops, exponents);
}

template ErtFunction<double> ert_function<double>(const ErtKernel&);
template ErtFunction<float> ert_function<float>(const ErtKernel&);

int ert_lanes() { return Wide<double>::lanes; }

Operations ert_operations(const ErtKernel& kernel) {
  const auto odd = static_cast<std::uint64_t>(kernel.flops % 2), steps = static_cast<std::uint64_t>(kernel.flops / 2);
  if (kernel.step == ErtStep::divide) return {.add = steps, .mul = 0, .fma = 0, .div = steps};
  if (kernel.fma) return {.add = odd, .mul = 0, .fma = steps, .div = 0};
  return {.add = odd + steps, .mul = steps, .fma = 0, .div = 0};
}

}  // namespace roofline
