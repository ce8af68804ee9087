#pragma once
#include "apps/lbm/lattice.hpp"

namespace roofline::lbm {
namespace {

/// The tables in constant memory. Their values may change at run time as far as the compiler knows, so it neither folds
/// nor shares operations: at fixed addresses they are operands of instructions.
__constant__ Tables constant_tables = known_tables;

struct ConstantMemory {
  static ROOFLINE_BODY const Tables& tables() {
#if defined(__CUDA_ARCH__)
    return constant_tables;
#else
    return static_tables;
#endif
  }
};

template <class Real>
using FixedConstants = FoldedTables<Real, ConstantMemory>;

}  // namespace
}  // namespace roofline::lbm
