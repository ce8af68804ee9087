#pragma once
#include <string>
#include <vector>

#include "bench/any_program/program_rows.hpp"
#include "bench/any_program/runs.hpp"
#include "bench/machine/machine.hpp"

namespace roofline::cli::cpu_command {

/// What the hardware's counters say of the whole program, which runs by itself once more for each quantity, next to
/// what was counted in the emulator; one line that says why where they cannot be used.
std::vector<std::string> by_hardware(const any_program::Runner& runner, const any_program::ProgramFile& program,
                                     const Machine& machine, const std::vector<any_program::ProgramRow>& rows);

}  // namespace roofline::cli::cpu_command
