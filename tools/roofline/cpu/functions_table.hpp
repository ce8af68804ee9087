#pragma once
#include <string>
#include <vector>

#include "bench/any_program/program_rows.hpp"
#include "bench/result/results.hpp"
#include "bench/text/table.hpp"

namespace roofline::cli::cpu_command {

/// The functions of a program, the one with most time first. The first of `rows` are those that `results` has points
/// of, in the same order.
Table function_table(const std::string& program, const std::vector<any_program::ProgramRow>& rows,
                     const Results& results);

}  // namespace roofline::cli::cpu_command
