#include <fmt/format.h>

#include "bench/text/output.hpp"
#include "reporters/cluster/fleet.hpp"
#include "reporters/cluster/verdicts.hpp"
#include "tools/roofline/subcommand.hpp"

namespace roofline::cli::cluster_command {
namespace {

struct Arguments {
  std::vector<std::string> files;
  std::string exclude, suspects, form = "slurm";
  std::string json, csv;
  std::string floor = "3%", limit, group_by;
  double alpha = 0.01;
  bool strict = false, exclude_suspects = false, all = false;
};

int exit_code(const cluster::ClusterReport& report, bool strict) {
  using cluster::Verdict;
  if (report.nodes.empty() || (strict && !report.unread.empty())) return exit_io;
  if (report.count(Verdict::slow) + report.count(Verdict::failed) > 0) return exit_failed;
  const auto& groups = report.groups;
  const bool judged = std::any_of(groups.begin(), groups.end(), [](const auto& g) { return g.has_verdicts; }) &&
                      std::none_of(groups.begin(), groups.end(), [](const auto& g) { return g.unjudged; });
  return judged && report.suspects().empty() ? exit_ok : exit_inconclusive;
}

int run(const Arguments& arguments) {
  cluster::Options options;
  constexpr double least = 1e-12;
  options.limits = {share_of("--floor", arguments.floor, least, 1 - least), arguments.alpha};
  if (!arguments.limit.empty()) options.limit = share_of("--limit", arguments.limit, least, 1 - least);
  for (const auto* file : {&arguments.exclude, &arguments.suspects, &arguments.json, &arguments.csv})
    if (!file->empty()) require_writable(*file);
  const auto files = cluster::files_named(arguments.files);
  if (files.empty()) {
    fmt::print(stderr, "roofline: cluster: no run.json in the named files and folders\n");
    return exit_no_match;
  }
  Progress progress;
  const auto report = cluster::judge(
      cluster::read_fleet(
          files, arguments.group_by,
          [&](std::size_t done) { progress.show(fmt::format("file {} of {}", done + 1, files.size())); }),
      options);
  progress.clear();
  print(cluster::cluster_text(report, arguments.all));
  const auto write = [](const std::string& file, const std::string& text) {
    if (!file.empty()) write_file(file, text);
  };
  write(arguments.exclude, cluster::node_list(report.exclude(arguments.exclude_suspects), arguments.form));
  write(arguments.suspects, cluster::node_list(report.suspects(), arguments.form));
  write(arguments.csv, cluster::cluster_csv(report));
  write(arguments.json, cluster::cluster_json(report, arguments.exclude_suspects));
  return exit_code(report, arguments.strict);
}

void define(CLI::App& flags, Arguments& arguments) {
  flags
      .add_option("FILE", arguments.files,
                  "run.json of each node, folders in which to find them, or - for names on standard input")
      ->required()
      ->type_name("RUN.json ...");
  flags.add_option("--exclude", arguments.exclude, "write the nodes that are slow or failed; none: an empty file")
      ->type_name("FILE");
  flags.add_option("--suspects", arguments.suspects, "write the nodes to be measured again")->type_name("FILE");
  flags.add_option("--form", arguments.form, "format of these lists")
      ->check(CLI::IsMember(std::vector<std::string>(std::begin(cluster::list_forms), std::end(cluster::list_forms))))
      ->capture_default_str();
  flags.add_flag("--exclude-suspects", arguments.exclude_suspects,
                 "also exclude the nodes that are to be measured again");
  flags.add_option("--json", arguments.json, "write every verdict")->type_name("FILE");
  flags.add_option("--csv", arguments.csv, "write a line a node")->type_name("FILE");
  flags.add_option("--floor", arguments.floor, "the smallest loss that is told")
      ->type_name("PERCENT")
      ->capture_default_str();
  flags
      .add_option("--limit", arguments.limit, "list nodes this far below the median as BELOW: a policy, not a finding")
      ->type_name("PERCENT");
  flags.add_option("--alpha", arguments.alpha, "sound nodes that may be called slow, in each group")
      ->check(between(1e-9, 0.5))
      ->capture_default_str();
  flags.add_option("--group-by", arguments.group_by, "a key of the context that tells groups apart, too")
      ->type_name("KEY");
  flags.add_flag("--strict", arguments.strict, "a file that cannot be read is exit code 4");
  flags.add_flag("--all", arguments.all, "every node, group and difference, not the first of them");
  flags.footer(
      "Exit codes: 0 none is slow, 1 some are slow or failed, 2 usage, 3 some are to be measured again or nothing can "
      "be told, 4 no file can be read, 5 no file.\nExample: roofline cluster runs --exclude=slow.txt "
      "--suspects=again.txt");
}

const Subcommand registered("cluster", "find slow nodes in the runs of many: which, in what, and how sure that is",
                            define, run);

}  // namespace
}  // namespace roofline::cli::cluster_command
