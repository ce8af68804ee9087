#pragma once

namespace roofline {

/// Vector instructions that the kernels of this program were compiled for.
struct BuiltFor {
  bool avx2, avx512;
  int sve_bits;  ///< length of Arm's scalable registers; 0 where the code does not rely on one
};
extern const BuiltFor built_for;

}  // namespace roofline
