// SPDX-License-Identifier: MIT
#pragma once
#include "bench/any_program/preloaded_file.hpp"

namespace roofline::any_program {

extern PreloadedRegion* regions;  ///< null: this run is counted, not timed
std::uint64_t nanoseconds_now();
/// The entry of this thread, made if it does not exist. Null: there are too many.
PreloadedRegion* region_of_thread(const char* name);
/// A region begins or ends.
void mark(const char* name, bool begins);
/// Maps a file of regions. Null: it cannot be.
PreloadedRegion* map_file(const char* path, bool writes);

}  // namespace roofline::any_program
