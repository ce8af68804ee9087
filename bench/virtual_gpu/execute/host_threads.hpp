#pragma once

namespace roofline::ptx {

/// How many threads work on a launch where nobody says: one for each CPU that this process had when it began.
unsigned all_host_threads();

/// Lets the calling thread run on any of these CPUs. A thread begins on the CPUs of the one that made it, and who
/// launches may be pinned to one, as the first thread of OpenMP is: then all of them would share it.
void leave_the_launching_cpu();

}  // namespace roofline::ptx
