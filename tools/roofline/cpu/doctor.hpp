#pragma once

namespace roofline::cli::cpu_command {

/// Runs a program of known counts and prints what works here. Exit code: 0, or 3 where something is missing or wrong.
int doctor();

}  // namespace roofline::cli::cpu_command
