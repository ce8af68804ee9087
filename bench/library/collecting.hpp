#pragma once

namespace roofline {

/// Whether this run makes a roofline (--roofline): what benchmarks declare is wanted.
bool collecting();
void collect(bool wanted);

/// A check of Work said no; the program will return 1.
void note_wrong_result();
bool any_wrong_result();

}  // namespace roofline
