#pragma once
#include "bench/space/pass.hpp"
#include "bench/space/workload.hpp"

namespace roofline {

// Forms of a launch on this machine's cores. `in_space(pass)` launches once in a space with the pass; null: without.

/// A launch of chunks that read and write `chunk_bytes` each, out of the caches of a core.
template <class InSpace>
InCore in_core(InSpace in_space, double chunk_bytes) {
  const auto seconds = [in_space](Index parts) {
    auto pass = Pass::in_core(parts);
    in_space(&pass);
    return pass.seconds();
  };
  return {seconds, chunk_bytes};
}

/// A launch in parts. Only for a kernel whose chunks share no data: otherwise parts read some of it twice.
template <class InSpace>
Divided divided(InSpace in_space) {
  return [in_space](Index parts) -> std::function<double()> {
    return [in_space, pass = Pass::part(parts)]() mutable {
      in_space(&pass);
      return pass.next();
    };
  };
}

}  // namespace roofline
