#include "reporters/cluster/node_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/text/format.hpp"
#include "bench/text/output.hpp"
#include "bench/text/parse_json.hpp"
#include "bench/text/words.hpp"

namespace roofline::cluster {
namespace {

/// The context of Google Benchmark has numbers as texts.
std::optional<double> number_in(const JsonReader& place, const std::string& key) {
  if (!place.has(key)) return std::nullopt;
  try {
    return place.number(key);
  } catch (const FileError&) {
    const auto value = as_number<double>(place.text(key).value_or(""));
    return value && std::isfinite(*value) ? value : std::nullopt;
  }
}

std::string caches_text(const JsonReader& list) {
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(list.size(), 8); ++i) {
    const auto cache = list.at(i);
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", cache.text("level").value_or("?"),
                        binary_size(cache.number("size").value_or(0)));
  }
  return text;
}

/// Machines without a name of their own have it, so that runs of several would look like runs of one.
bool is_name_of_every_host(const std::string& name) {
  return name == "localhost" || name.starts_with("localhost.") || name == "unnamed";
}

void read_context(const JsonReader& context, NodeRun& run, const std::string& group_by) {
  run.node = context.text("node").value_or("");
  if (run.node.empty()) run.node = context.text("host_name").value_or("");
  if (run.node.empty()) context.fail("node and host_name are missing, so the node is not known");
  if (run.node.ends_with('.')) run.node.pop_back();
  if (is_name_of_every_host(run.node))
    context.fail("every machine may be called '" + run.node +
                 "': measure with --node=NAME or ROOFLINE_NODE, or write the name into context.node");
  if (!is_host_name(run.node)) context.fail("'" + run.node.substr(0, 60) + "' is not the name of a host");
  const auto fact = [&](Fact which, const std::string& key) {
    if (const auto text = context.text(key)) run.facts[index(which)] = *text;
  };
  fact(Fact::compiler, "compiler"), fact(Fact::suite, "suite_version"), fact(Fact::kernel, "kernel");
  fact(Fact::clock_source, "clock_source");
  if (!group_by.empty()) {
    const auto number = number_in(context, group_by);
    run.facts[index(Fact::group_key)] = number ? fmt::format("{}", *number) : context.text(group_by).value_or("");
  }
  if (number_in(context, "local_ranks").value_or(1) > 1) {
    const double rank = number_in(context, "local_rank").value_or(-1);
    if (!(rank >= 0 && rank < 1e6)) context.fail("local_ranks without a local_rank");
    run.local_rank = static_cast<int>(rank);
    run.own_windows = context.text("window").value_or("own") != "common";
  }
  run.disturbed = context.text("disturbed").value_or("");
  if (context.has("verdict") && context.at("verdict").text("trust").value_or("") == "disturbed")
    run.disturbed = context.at("verdict").text("headline").value_or("disturbed");  // version 1 of the file
}

RowRate ceiling_of(const JsonReader& ceiling) {
  RowRate row{ceiling.at("name").text(), ceiling.number("rate").value_or(0)};
  const auto kind = ceiling.text("kind").value_or("");
  const bool of_dram = kind == "bandwidth" && ceiling.text("level").value_or("") == "DRAM";
  row.part = of_dram ? Part::memory : Part::core;
  if (kind == "bandwidth") row.sum = RowRate::Sum::bytes, row.headline = of_dram && ceiling.text("mix") == "read";
  if (kind == "compute")
    row.sum = RowRate::Sum::flops,
    row.headline = ceiling.text("precision") == "fp64" && ceiling.text("operation") == "fma";
  return row;
}

RowRate point_of(const JsonReader& point) {
  RowRate row{point.at("name").text()};
  // A node with other caches may have chosen another size: that is another row.
  if (const auto problem = point.text("problem")) row.name += " " + *problem;
  const double seconds = point.at("time").number("median").value_or(0);
  if (seconds > 0) row.rate = 1 / seconds;
  // The ceilings of its own accesses say more exactly what bounds it than the best of each level.
  for (const auto* const by : {"mix", "roof"})
    if (point.has(by)) {
      row.part = point.at(by).text("bound").value_or("").starts_with("DRAM") ? Part::memory : Part::core;
      break;
    }
  return row;
}

void read_rows(const JsonReader& block, NodeRun& run) {
  const auto add = [&](const char* list, RowRate (*read)(const JsonReader&)) {
    if (!block.has(list)) return;
    const auto rows = block.at(list);
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (auto row = read(rows.at(i)); row.rate > 0 && std::isfinite(row.rate)) run.rows.push_back(std::move(row));
  };
  add("ceilings", ceiling_of), add("points", point_of);
  const auto by_name = [](const RowRate& a, const RowRate& b) { return a.name < b.name; };
  std::stable_sort(run.rows.begin(), run.rows.end(), by_name);
  const auto same = [](const RowRate& a, const RowRate& b) { return a.name == b.name; };
  run.rows.erase(std::unique(run.rows.begin(), run.rows.end(), same), run.rows.end());
}

void read_measured(const JsonReader& block, NodeRun& run) {
  const double schema = block.at("schema").number();
  if (!(schema >= 1 && schema <= newest_schema))
    block.fail(fmt::format("schema {}, this program reads 1 to {}", schema, newest_schema));
  if (block.has("model")) block.fail("a modelled run: nothing in it was measured");
  run.date = block.text("date").value_or("");
  // "complete" alone, in older files, was the opposite of interrupted.
  run.complete = !block.truth("interrupted").value_or(!block.truth("complete").value_or(true));
  const auto fact = [&](Fact which, const JsonReader& place, const std::string& key) {
    if (const auto text = place.has(key) ? place.text(key) : std::nullopt) run.facts[index(which)] = *text;
  };
  const auto count = [&](Fact which, const JsonReader& place, const std::string& key) {
    if (const auto number = place.number(key)) run.facts[index(which)] = fmt::format("{}", *number);
  };
  const auto machine = block.at("machine");
  fact(Fact::fingerprint, machine, "fingerprint"), fact(Fact::isa, machine, "isa");
  fact(Fact::processor, machine, "name"), fact(Fact::huge_pages, machine, "huge_pages");
  count(Fact::cores, machine, "usable_cores"), count(Fact::smt, machine, "smt");
  count(Fact::memory_nodes, machine, "numa_nodes"), count(Fact::threads, block, "threads");
  // Measured ones differ from run to run.
  const auto* const caches = machine.has("declared_caches") ? "declared_caches" : "caches";
  if (machine.has(caches)) run.facts[index(Fact::caches)] = caches_text(machine.at(caches));
  run.memory_bytes = machine.number("memory_bytes").value_or(0);
  run.clock_hz = machine.number("clock_hz").value_or(0);
  if (block.has("gpu")) {
    fact(Fact::gpu, block.at("gpu"), "name");
    count(Fact::driver, block.at("gpu"), "driver_version");
  }
  if (block.has("noise")) {
    run.steal = block.at("noise").number("steal").value_or(0);
    run.throttled = block.at("noise").number("throttled").value_or(0);
  }
  read_rows(block, run);
}

/// Version 1 of the file has them as lines of the context, later ones in the block: each a row and the reason.
void read_failures(const JsonReader& context, const JsonReader& block, NodeRun& run) {
  const bool in_block = block.has("failures") && block.at("failures").size() > 0;
  if (!in_block && !context.has("failures")) return;
  const auto failures = (in_block ? block : context).at("failures");
  run.failures = static_cast<int>(failures.size());
  if (run.failures == 0) return;
  const auto first = failures.at(0);
  run.failure = (in_block ? first.at(0).text() + ": " + first.at(1).text() : first.text()).substr(0, 300);
}

void read_block(const JsonReader& context, const JsonReader& block, NodeRun& run) {
  read_measured(block, run);
  read_failures(context, block, run);
  if (run.rows.empty() && run.failures == 0) block.fail("no row has a rate");
}

}  // namespace

std::string_view name(Fact fact) {
  constexpr std::array<std::string_view, fact_count> names{
      "fingerprint",  "instruction set", "threads",    "GPU",          "group",  "processor", "cores",    "SMT",
      "memory nodes", "caches",          "huge pages", "clock source", "kernel", "driver",    "compiler", "suite"};
  return names[index(fact)];
}

bool is_host_name(std::string_view text) {
  const auto fits = [](unsigned char c) { return std::isalnum(c) || c == '.' || c == '_' || c == '-'; };
  constexpr std::size_t longest = 253;
  return !text.empty() && text.size() <= longest && text.front() != '-' && std::all_of(text.begin(), text.end(), fits);
}

NodeRun read_node_run(std::string_view text, const std::string& origin, const std::string& group_by) {
  const auto document = parse_json(text, origin);
  const JsonReader file(document, origin);
  if (!file.has("roofline") || !file.has("context"))
    file.fail("context and roofline are missing: no run.json of this suite");
  NodeRun run;
  const auto context = file.at("context");
  read_context(context, run, group_by);
  read_block(context, file.at("roofline"), run);
  return run;
}

}  // namespace roofline::cluster
