#pragma once

namespace roofline::testing {

/// Whether this is a build with sanitizers, which stand between some tests and what they look at: machine code, address
/// space, page faults.
#ifdef __SANITIZE_ADDRESS__
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace roofline::testing
