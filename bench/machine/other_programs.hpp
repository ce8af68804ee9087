#pragma once

namespace roofline {

/// Puts the OpenMP threads before other programs, if the system permits it (often only to the superuser). A sample of
/// some milliseconds is as long as a time slice, so a program on one of the cores would take half of it. A program that
/// was started with a nice value of its own keeps that.
void come_before_others();

/// The nice value of this thread: 0 is the usual one, -20 comes first.
int nice_value();

}  // namespace roofline
