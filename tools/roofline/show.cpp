#include <memory>

#include "bench/run/stored_run.hpp"
#include "bench/text/output.hpp"
#include "reporters/report.hpp"
#include "tools/roofline/subcommand.hpp"

namespace roofline::cli {
namespace {

struct Arguments {
  std::string file;
};

int show(const Arguments& arguments) {
  const auto results = read_run(arguments.file);
  print(machine_text(results));
  print(ceilings_text(results));
  print(kernels_text(results, true));
  return exit_ok;
}

Action define(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("run.json", arguments->file, "of a stored run")->required();
  app.footer("Example: roofline show results/epyc-zen5-2cores/run.json");
  return [arguments] { return show(*arguments); };
}

const Subcommand registered("show", "the tables of a stored run", define);

}  // namespace
}  // namespace roofline::cli
