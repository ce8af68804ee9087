#include "bench/simulator/warp.hpp"

#include <bit>

namespace roofline {
namespace {

template <class F>
Warp map(F f) {
  Warp result;
  if (!warp_values) {
    result.v[0] = f(0);
    return result;
  }
  for (unsigned lane = 0; lane < warp_lanes; ++lane) result.v[lane] = f(lane);
  return result;
}

template <class F>
void for_active(F f) {
  for (auto rest = active_warp->active(); rest != 0; rest &= rest - 1) f(static_cast<unsigned>(std::countr_zero(rest)));
}

}  // namespace

WarpCounts& WarpCounts::operator+=(const WarpCounts& other) {
  operations += other.operations;
  reciprocals += other.reciprocals;
  instructions += other.instructions;
  lanes += other.lanes;
  for (std::size_t kind = 0; kind < requests.size(); ++kind) {
    requests[kind].requests += other.requests[kind].requests;
    requests[kind].sectors += other.requests[kind].sectors;
    requests[kind].lanes += other.requests[kind].lanes;
  }
  return *this;
}

Warp Warp::broadcast(double x) {
  return map([&](unsigned) { return x; });
}

Warp Warp::gather(const double* p) {
  Warp result = broadcast(0.0);
  if (!warp_values) return result;
  const auto& offsets = active_warp->offsets();
  for_active([&](unsigned lane) { result.v[lane] = p[offsets[lane]]; });
  return result;
}

Warp Warp::load(const double* p) {
  active_warp->request(Access::global_load, p, sizeof(double), sizeof(double));
  return gather(p);
}

void Warp::store(double* p, const Warp& x) {
  active_warp->request(Access::global_store, p, sizeof(double), sizeof(double));
  if (!warp_values) return;
  const auto& offsets = active_warp->offsets();
  for_active([&](unsigned lane) { p[offsets[lane]] = x.v[lane]; });
}

Warp Warp::add(const Warp& a, const Warp& b) {
  active_warp->count(&Operations::add);
  return map([&](unsigned lane) { return a.v[lane] + b.v[lane]; });
}

Warp Warp::sub(const Warp& a, const Warp& b) {
  active_warp->count(&Operations::add);
  return map([&](unsigned lane) { return a.v[lane] - b.v[lane]; });
}

Warp Warp::mul(const Warp& a, const Warp& b) {
  active_warp->count(&Operations::mul);
  return map([&](unsigned lane) { return a.v[lane] * b.v[lane]; });
}

Warp Warp::div(const Warp& a, const Warp& b) {
  bool reciprocal = a.v[0] == 1.0;
  if (warp_values)
    for (const double numerator : a.v) reciprocal &= numerator == 1.0;
  active_warp->count_division(reciprocal);
  return map([&](unsigned lane) { return a.v[lane] / b.v[lane]; });
}

Warp Warp::negate(const Warp& a) {
  return map([&](unsigned lane) { return -a.v[lane]; });
}

Warp Warp::fma(const Warp& a, const Warp& b, const Warp& c) {
  active_warp->count(&Operations::fma);
  return map([&](unsigned lane) { return __builtin_fma(a.v[lane], b.v[lane], c.v[lane]); });
}

Warp Warp::fms(const Warp& a, const Warp& b, const Warp& c) {
  active_warp->count(&Operations::fma);
  return map([&](unsigned lane) { return __builtin_fma(a.v[lane], b.v[lane], -c.v[lane]); });
}

Warp Warp::fnma(const Warp& a, const Warp& b, const Warp& c) {
  active_warp->count(&Operations::fma);
  return map([&](unsigned lane) { return __builtin_fma(-a.v[lane], b.v[lane], c.v[lane]); });
}

Warp Warp::sqrt(const Warp& a) {
  active_warp->count(&Operations::sqrt);
  return map([&](unsigned lane) { return std::sqrt(a.v[lane]); });
}

Warp Warp::abs(const Warp& a) {
  active_warp->count(&Operations::logic);
  return map([&](unsigned lane) { return std::abs(a.v[lane]); });
}

Warp Warp::min(const Warp& a, const Warp& b) {
  active_warp->count(&Operations::logic);
  return map([&](unsigned lane) { return a.v[lane] < b.v[lane] ? a.v[lane] : b.v[lane]; });
}

Warp Warp::max(const Warp& a, const Warp& b) {
  active_warp->count(&Operations::logic);
  return map([&](unsigned lane) { return a.v[lane] > b.v[lane] ? a.v[lane] : b.v[lane]; });
}

Warp::Mask Warp::less(const Warp& a, const Warp& b) {
  active_warp->count(&Operations::logic);
  Mask mask{};
  if (warp_values)
    for (unsigned lane = 0; lane < warp_lanes; ++lane) mask[lane] = a.v[lane] < b.v[lane];
  return mask;
}

Warp::Mask Warp::less_equal(const Warp& a, const Warp& b) {
  active_warp->count(&Operations::logic);
  Mask mask{};
  if (warp_values)
    for (unsigned lane = 0; lane < warp_lanes; ++lane) mask[lane] = a.v[lane] <= b.v[lane];
  return mask;
}

Warp Warp::select(const Mask& mask, const Warp& a, const Warp& b) {
  active_warp->count(&Operations::logic);
  return map([&](unsigned lane) { return mask[lane] ? a.v[lane] : b.v[lane]; });
}

double Warp::sum() const {
  double total = 0;
  if (!warp_values) return total;
  for_active([&](unsigned lane) { total += v[lane]; });
  return total;
}

}  // namespace roofline
