#pragma once

namespace roofline {

/// From now on SIGINT and SIGTERM only ask: the run finishes its current point and writes what it has. A second signal
/// ends the process at once.
void catch_interrupts();

/// The signal that asked for the end (SIGINT, SIGTERM), or 0.
int interrupted();

}  // namespace roofline
