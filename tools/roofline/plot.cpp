#include <fmt/format.h>

#include <memory>

#include "bench/text/output.hpp"
#include "reporters/page.hpp"
#include "reporters/svg_plot.hpp"
#include "tools/roofline/inputs.hpp"
#include "tools/roofline/subcommand.hpp"

namespace roofline::cli {
namespace {

struct Arguments {
  Inputs inputs;
  std::string out = "roofline.svg";
};

int plot(Arguments& arguments) {
  const auto results = arguments.inputs.read();
  const std::filesystem::path out(arguments.out);
  require_writable(out);
  write_file(out, out.extension() == ".html" ? html_page(results) : svg_plot(results));
  for (const auto& warning : results.warnings) fmt::print(stderr, "{}\n", warning);
  print("written to " + arguments.out + "\n");
  return exit_ok;
}

Action define(Flags& flags) {
  const auto arguments = std::make_shared<Arguments>();
  arguments->inputs.define(flags);
  flags.add("-o,--out", arguments->out, "the plot, or with .html the page").shows_default();
  flags.footer(
      "Examples: roofline plot roofline-out/run.json -o plot.svg\n"
      "          roofline plot results.json --ceilings=run.json --flops=FLOP_rate --bytes=bytes_rate");
  return [arguments] { return plot(*arguments); };
}

const Subcommand registered("plot", "the roofline of one or several files, ours or others'", define);

}  // namespace
}  // namespace roofline::cli
