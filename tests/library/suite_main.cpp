#include <roofline/suite.hpp>

// One file of results more than a suite has by itself.
const roofline::ReportFile names("names.txt", [](const roofline::Results& results) {
  std::string text;
  for (const auto& point : results.points) text += point.name + "\n";
  return text;
});

ROOFLINE_SUITE_MAIN();
