// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace roofline::any_program {

/// A name for people, without parameters and the endings of a compiler's clones: "solve" of "_Z5solvePdi.constprop.0".
/// The body of a parallel region is a part of its function: "solve/omp@34", by the line of its `source` ("a.c:34").
std::string readable(const std::string& symbol, const std::string& source);

/// A symbol without the endings that compilers give to parts and clones of a function.
std::string whole_name(const std::string& symbol);

}  // namespace roofline::any_program
