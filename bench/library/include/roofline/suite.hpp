#pragma once
#include <roofline/kernel.hpp>

#include "bench/result/reports.hpp"
#include "bench/run/application.hpp"
#include "bench/suite/suite.hpp"

// A suite of one's own: families of kernels with sizes and variants, registered by Registrar as those of this project
// are, under its command line (--list, --describe, --quick, --verify, --modelled, ...). A file of results more is a
// ReportFile.

/// The program: `ROOFLINE_SUITE_MAIN();` at file scope, once.
#define ROOFLINE_SUITE_MAIN()                                              \
  int main(int argc, char** argv) { return ::roofline::main(argc, argv); } \
  int main(int, char**)
