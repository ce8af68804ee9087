#pragma once
#include <string>
#include <vector>

#include "bench/options/choices.hpp"

namespace roofline {

/// The flags of a user's program that are ours, and those of Google Benchmark that decide who prints what.
struct RooflineFlags {
  bool roofline = false;
  std::string out = "roofline-out";
  CeilingsChoice ceilings;

  std::string format = "console";  ///< of standard output: console, json, csv
  std::string benchmark_out;
  std::string benchmark_out_format = "json";
  bool list_tests = false;
  bool says_how_to_measure = false;  ///< repetitions, iterations, an order or a warm-up of their own
  double min_time = 0.5;             ///< seconds of a row

  std::vector<char*> rest;  ///< the arguments without ours, for Google Benchmark; ends with a null pointer
  std::string command_line;
};

/// Reads the command line, and what Google Benchmark also takes from the environment. Throws std::invalid_argument, one
/// line with what to do, on a wrong value of a flag of ours, or one without --roofline.
RooflineFlags read_flags(int argc, char** argv);

/// The text of --help about them.
extern const char* const flags_help;

}  // namespace roofline
