#pragma once
#include <string>
#include <vector>

#include "bench/model/ceiling.hpp"

namespace roofline::cli {

/// A file as it is where there is one, else NAME of the archive of machines: results/machines/NAME.json in the tree,
/// share/roofline/machines in an installation, or in the folder $ROOFLINE_MACHINES. Throws FileError with the names
/// that there are.
std::string file_of_machine(const std::string& name);

/// The roofs of such a machine, named after it, to be shown next to those of another: FP64 FMA, and each level.
std::vector<Ceiling> roofs_of_machine(const std::string& name);

}  // namespace roofline::cli
