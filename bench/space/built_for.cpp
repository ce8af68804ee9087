#include "bench/space/built_for.hpp"

#include "bench/space/vector_extensions.hpp"

namespace roofline {

constinit const BuiltFor built_for {
#if defined(__AVX2__) && defined(__FMA__)
  .avx2 = true,
#else
  .avx2 = false,
#endif
#if defined(__AVX512F__) && defined(__AVX512VL__)
  .avx512 = true,
#else
  .avx512 = false,
#endif
  .sve_bits = ROOFLINE_SVE_BITS
};

}  // namespace roofline
