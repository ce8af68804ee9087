#pragma once
#include <roofline/declared_work.hpp>

#include "bench/machine/machine.hpp"
#include "bench/model/counts.hpp"

namespace roofline {

/// Operations and bytes of one iteration as declared. Bytes of L1 are those declared; beyond, what remains of them when
/// the arrays are streamed once per iteration through a model of this machine's caches, `threads` cores sharing them:
/// nothing where they fit, whole lines with write-allocates where they do not. Throws std::invalid_argument, naming the
/// kind, on an amount that is negative or not finite.
Counts declared_counts(const DeclaredWork& work, const Machine& machine, int threads);

}  // namespace roofline
