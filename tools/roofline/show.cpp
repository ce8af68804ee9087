#include <clocale>
#include <memory>

#include "bench/run/stored_run.hpp"
#include "bench/text/output.hpp"
#include "reporters/flop_account.hpp"
#include "reporters/report.hpp"
#include "tools/roofline/subcommand.hpp"

namespace roofline::cli {
namespace {

struct Arguments {
  std::string file, divide = "1";
  std::size_t width = 0;
};

int show(const Arguments& arguments) {
  const auto results = by_account(read_run(arguments.file), parse_flop_account(arguments.divide));
  const auto width = arguments.width ? arguments.width : output_width();
  const bool utf8 = std::string(std::setlocale(LC_CTYPE, "") ? std::setlocale(LC_CTYPE, nullptr) : "").find("UTF-8") !=
                    std::string::npos;
  print(machine_text(results, width) + ceilings_text(results, width) + kernels_text(results, utf8, width));
  return exit_ok;
}

Action define(Flags& flags) {
  const auto arguments = std::make_shared<Arguments>();
  flags.add("run.json", arguments->file, "of a stored run").required();
  flags
      .add("--width", arguments->width,
           "columns of the tables, from 60; default: the terminal's, in a pipe what they need")
      .between(60, 100'000);
  flags.add("--divide", arguments->divide, divide_help).type_name("1|K|measured");
  flags.footer("Example: roofline show results/xeon-cascadelake-2cores/run.json");
  return [arguments] { return show(*arguments); };
}

const Subcommand registered("show", "the tables of a stored run", define);

}  // namespace
}  // namespace roofline::cli
