#include "bench/space/launches.hpp"

#include <utility>

namespace roofline {

InCore in_core(InSpace in_space, double chunk_bytes) {
  const auto seconds = [in_space = std::move(in_space)](Index parts) {
    auto pass = Pass::in_core(parts);
    in_space(&pass);
    return pass.seconds();
  };
  return {seconds, chunk_bytes};
}

Divided divided(InSpace in_space) {
  return [in_space = std::move(in_space)](Index parts) -> std::function<double()> {
    return [in_space, pass = Pass::part(parts)]() mutable {
      in_space(&pass);
      return pass.next();
    };
  };
}

void set_forms(Workload& workload, const InSpace& in_space, double chunk_bytes, Neighbours neighbours) {
  workload.launch = [in_space] { in_space(nullptr); };
  if (chunk_bytes > 0) workload.in_core = in_core(in_space, chunk_bytes);
  if (neighbours == Neighbours::share_nothing) workload.divided = divided(in_space);
}

}  // namespace roofline
