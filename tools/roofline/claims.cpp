#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "bench/result/reports.hpp"
#include "bench/storage/stored_run.hpp"
#include "bench/text/clean.hpp"
#include "bench/text/output.hpp"
#include "bench/text/table.hpp"
#include "bench/text/words.hpp"
#include "reporters/claims/claim_result.hpp"
#include "tools/roofline/subcommand.hpp"

namespace roofline::cli::claims_command {
namespace {

struct Arguments {
  std::vector<std::string> files, ids;
  std::string pages;
  bool json = false, strict = false, core = false, details = false, published = false;
};

std::string name_of(const std::string& file, const Results& run, const std::vector<claims::JudgedRun>& others) {
  std::string name = run.model ? "model " + run.model->device : run.gpu ? run.gpu->name : run.machine.name;
  if (name.empty()) name = file;
  for (const auto& other : others)
    if (other.name == name) return name + " " + std::to_string(others.size() + 1);
  return name;
}

std::vector<const claims::Claim*> wanted(const Arguments& arguments) {
  std::vector<const claims::Claim*> found;
  for (const auto& claim : arguments.published ? claims::published_claims() : claims::all_claims()) {
    const bool named = std::any_of(arguments.ids.begin(), arguments.ids.end(),
                                   [&](const std::string& id) { return fits(id, claim.id); });
    if ((claim.core || !arguments.core) && (named || arguments.ids.empty())) found.push_back(&claim);
  }
  return found;
}

/// Which command measures what a run did not have.
std::string advice(const claims::JudgedRun& run) {
  const auto rows = claims::lacking(run.results);
  if (rows.empty()) return {};
  const auto device = run.device == "host" ? std::string("cpu") : "virtual:" + run.device;
  const auto flags = run.backend == claims::Backend::model ? " --device=" + device + " --modelled"
                     : run.backend == claims::Backend::gpu ? " --device=cuda:0"
                                                           : std::string();
  const auto what = rows.size() == 1 ? fmt::format("claims look at a row that it does not have ({})", rows.front())
                                     : fmt::format("claims look at {} rows that it does not have ({}, ...)",
                                                   rows.size(), rows.front());
  return wrap(fmt::format("{}: {}; this measures all of them:", run.name, what), terminal_width) +
         fmt::format("  roofline_bench{} --case-study=all\n", flags);
}

/// The pages of all case studies, from a run that is over.
int write_pages(const Arguments& arguments) {
  if (arguments.files.size() != 1) throw std::invalid_argument("--pages: needs one run.json");
  const auto results = read_run(arguments.files.front());
  for (const auto& [name, content] : case_study("all").pages(results, "all")) {
    const auto path = std::filesystem::path(arguments.pages) / name;
    require_writable(path);
    write_file(path, content);
  }
  return exit_ok;
}

int judge_runs(const Arguments& arguments) {
  if (!arguments.pages.empty()) return write_pages(arguments);
  const auto claims = wanted(arguments);
  if (claims.empty()) {
    fmt::print(stderr, "roofline: claims: no claim {}is called {}; roofline claims lists all\n",
               arguments.published ? "with a published check "
               : arguments.core    ? "of the core set "
                                   : "",
               printable(arguments.ids.front()));
    return exit_no_match;
  }
  std::vector<claims::JudgedRun> runs;
  if (arguments.published)
    runs.push_back({"the published figures", claims::judge(claims, claims::PublishedFacts()),
                    claims::Backend::published, std::string()});
  for (const auto& file : arguments.files) {
    const auto results = read_run(file);
    const claims::RunFacts facts(results);
    runs.push_back({name_of(file, results, runs), claims::judge(claims, facts), facts.backend(),
                    results.model ? results.model->device : std::string()});
  }
  if (arguments.json) {
    print(claims_json(runs));
  } else {
    const auto width = std::min(output_width(), terminal_width);
    print(printable(claims_text(claims, runs, arguments.details || !arguments.ids.empty(), width)));
    for (const auto& run : runs) print(printable(advice(run)));
  }
  const bool refuted = std::any_of(runs.begin(), runs.end(), [](const auto& run) {
    return std::any_of(run.results.begin(), run.results.end(),
                       [](const auto& result) { return result.verdict == claims::Verdict::not_reproduced; });
  });
  return arguments.strict && refuted ? exit_failed : exit_ok;
}

void define(CLI::App& flags, Arguments& arguments) {
  flags.add_option("run.json", arguments.files, "run.json of stored runs; without one the claims are listed");
  flags.add_option("--id", arguments.ids, "only claims with a matching id, with their numbers: GPP-12, 'LBM-*'")
      ->type_name("ID")
      ->allow_extra_args(false);
  flags.add_flag("--core", arguments.core, "the core set alone");
  flags.add_flag("--details", arguments.details, "the numbers of every decision next to the published ones");
  flags.add_flag("--published", arguments.published, "check the talks' figures against one another");
  flags.add_option("--pages", arguments.pages, "write the pages of all case studies, from one run")
      ->type_name("FOLDER");
  flags.add_flag("--json", arguments.json, "the same for machines, with every figure and its origin");
  flags.add_flag("--strict", arguments.strict, "exit 1 where a claim is not reproduced");
  for (const auto* flag : {"--json", "--strict"}) flags.get_option(flag)->needs(flags.get_option("run.json"));
  exclude(flags, "--published", {"run.json", "--pages", "--core"});
  // Pages have all claims with their numbers, and no verdict of their own.
  exclude(flags, "--pages", {"--id", "--core", "--details", "--json", "--strict"});
  flags.footer("Example: roofline claims roofline-out/run.json --id='GPP-*'");
}

const Subcommand registered("claims", "which statements of the talks a run reproduces, with the numbers", define,
                            judge_runs);

}  // namespace
}  // namespace roofline::cli::claims_command
