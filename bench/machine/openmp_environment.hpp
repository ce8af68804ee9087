#pragma once
#include <string>
#include <vector>

namespace roofline {

/// The variables OMP_..., GOMP_... and KMP_... that the environment had when the program started, NAME=VALUE. They
/// would change how many threads run, where, and how they wait, behind the back of a suite that says all three: they
/// are taken out before the OpenMP library reads them.
std::vector<std::string> overridden_openmp_variables();

}  // namespace roofline
