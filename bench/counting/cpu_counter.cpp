#include "bench/counting/cpu_counter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "bench/counters/perf/control.hpp"
#include "bench/counters/perf/counter.hpp"
#include "bench/counters/unavailable.hpp"

namespace roofline {
namespace {

using perf::Formula;

perf::CpuIdentity identity(const Machine& machine) {
  return {machine.vendor, machine.family, machine.model, perf::midr_part()};
}

std::vector<perf::KnownLaunch> own_kernels(int threads, const Machine& machine) {
  return perf::known_launches(threads, machine.caches, static_cast<double>(machine.largest_llc));
}

/// The formulas of a table, if there is one, and the formulas that every CPU has.
std::vector<Formula> formulas_of(const perf::EventTable* table) {
  auto formulas = table ? table->formulas : std::vector<Formula>();
  const auto& common = perf::common_formulas();
  formulas.insert(formulas.end(), common.begin(), common.end());
  return formulas;
}

/// Formulas that passed the self-test, those that every CPU has among them.
std::vector<Formula> tested(const perf::EventTable& table, const Machine& machine, int threads,
                            const PerfAccess& access, CpuCounter& counter) {
  const auto kernels = access.kernels ? access.kernels(threads, machine) : own_kernels(threads, machine);
  auto result =
      perf::self_test(formulas_of(&table), kernels, [&](const Formula& formula, const perf::KnownLaunch& kernel) {
        kernel.launch();
        return perf::count(formula, access.setup, kernel.launch);
      });
  auto& warnings = *counter.warnings;
  counter.self_test = std::move(result.outcomes);
  for (const auto& line : result.refused) warn_once(warnings, "counter refused: " + line);
  for (const auto& [quantity, why] : table.not_counted)
    warn_once(warnings, fmt::format("counter refused: {}: {}", name(quantity), why));
  return result.passed;
}

CpuCounter by_perf(const Machine& machine, int threads, std::shared_ptr<CounterSource> modelled,
                   const PerfAccess& access) {
  if (const auto why = perf_refusal(*access.setup.system); !why.empty()) throw CountersUnavailable(why);
  const auto* const table = perf::event_table(identity(machine));
  if (!table)
    throw CountersUnavailable(
        fmt::format("there is no table of events for {} (family {}, model {}); one is a JSON file in "
                    "bench/counters/perf/events",
                    machine.name, machine.family, machine.model));
  CpuCounter counter;
  auto formulas = tested(*table, machine, threads, access, counter);
  const auto counted = std::count_if(formulas.begin(), formulas.end(), [](const Formula& f) {
    return perf::is_flops(f.quantity) || perf::is_bytes(f.quantity);
  });
  if (counted == 0)
    throw CountersUnavailable(fmt::format("no quantity of {} passed its self-test; the first one: {}", table->title,
                                          counter.warnings->empty() ? "-" : counter.warnings->front()));
  counter.description = fmt::format("perf on {}: {} of {} quantities passed their self-test, at user level",
                                    table->title, counted, table->formulas.size());
  counter.source = std::make_shared<perf::Counter>(
      std::move(formulas), std::move(modelled),
      [to = counter.warnings](const std::string& line) { warn_once(*to, line); }, access.setup);
  return counter;
}

CpuCounter from_file(const std::string& file, const perf::ImportedEvents& imported, const Machine& machine,
                     std::shared_ptr<CounterSource> modelled) {
  const auto* const table = perf::event_table(identity(machine));
  const auto formulas = formulas_of(table);
  CpuCounter counter;
  counter.description = file;
  const auto count = [=, warnings = counter.warnings](const std::string& row,
                                                      const Workload& work) -> std::optional<Counts> {
    auto counts = modelled ? modelled->count(row, work) : std::nullopt;
    auto found = imported.find(row);
    if (found == imported.end()) found = imported.find("");
    if (found == imported.end())
      return warn_once(*warnings, fmt::format("{} has no region named {}", file, row)), counts;
    const auto values = perf::values_of(found->second, formulas);
    if (values.empty())
      return warn_once(*warnings,
                       fmt::format("{}: its events give no quantity of this CPU ({}); --describe counters lists "
                                   "them",
                                   file, table ? table->title : "no table of events for it")),
             counts;
    return perf::with_counted(counts.value_or(Counts()), values, Source::imported, "counts of " + file);
  };
  counter.source = std::make_shared<CounterFunction>(count);
  return counter;
}

}  // namespace

std::string perf_refusal(perf::System& system) {
  const auto& instructions = perf::common_formulas().front();
  try {
    perf::Group(system, perf::events_of(instructions), {0});
    return {};
  } catch (const CountersUnavailable& why) {
    return why.what();
  }
}

CpuCounter cpu_counter(const CountersChoice& choice, const perf::ImportedEvents& imported, const Machine& machine,
                       int threads, std::shared_ptr<CounterSource> modelled, const PerfAccess& access) {
  using Kind = CountersChoice::Kind;
  CpuCounter counter;
  switch (choice.kind) {
    case Kind::cupti:
      throw CountersUnavailable("--counters=cupti: this is a run on the CPU, CUPTI counts on NVIDIA GPUs");
    case Kind::file:
      return from_file(choice.file, imported, machine, std::move(modelled));
    case Kind::perf:
      return by_perf(machine, threads, std::move(modelled), access);
    case Kind::automatic:
      try {
        return by_perf(machine, threads, modelled, access);
      } catch (const CountersUnavailable& why) {
        // A line of a table. The remedy stands in brackets, and the refusal of --counters=perf prints it.
        const std::string text = why.what();
        counter.description = fmt::format("modelled; {}", text.substr(0, text.find(" (")));
      }
      break;
    case Kind::none:
      if (const char* const fifos = std::getenv("ROOFLINE_PERF_CONTROL"))
        modelled = std::make_shared<perf::Control>(fifos, std::move(modelled));
      else if (perf::LikwidMarkers::wanted())
        modelled = std::make_shared<perf::LikwidMarkers>(std::move(modelled));
      [[fallthrough]];
    case Kind::model:
      counter.description = "none: bytes are modelled";
  }
  counter.source = std::move(modelled);
  return counter;
}

std::string describe_cpu_counters(const Machine& machine) {
  const auto* const table = perf::event_table(identity(machine));
  auto text = fmt::format(
      "\nCounters of a run on a CPU (--counters=auto, perf)\n\nBy perf_event_open, at user level, one quantity at a "
      "time, each launch repeated for it after a\nself-test with kernels of known FLOPs and bytes. This CPU: {}.\n",
      table ? table->title : "no table of events for it");
  if (table && !table->unproven.empty()) text += fmt::format("Its table was {}.\n", table->unproven);
  std::string events;
  for (const auto& formula : table ? table->formulas : std::vector<Formula>()) {
    text += fmt::format("  {:<13}", name(formula.quantity));
    for (const auto& term : formula.terms) {
      text += fmt::format("{}{} x {} ({}{:#x})", &term == &formula.terms.front() ? "" : " + ", term.weight, term.event,
                          term.pmu.empty() ? "" : term.pmu + " ", term.config);
      if (formula.quantity == table->formulas.front().quantity) events += (events.empty() ? "" : ",") + term.event;
    }
    text += fmt::format("\n{:15}{}\n", "", formula.source);
  }
  if (table)
    for (const auto& [quantity, why] : table->not_counted)
      text += fmt::format("  {:<13}not counted: {}\n", name(quantity), why);
  return text + fmt::format(R"(
--counters=FILE takes counts of one launch of one row from perf stat -j, and LIKWID's CSV
(likwid-perfctr -O), whose regions are named like rows and are divided by their calls. perf shares
counters when there are too few, which the import refuses: the events of a quantity at a time.
likwid-perfctr -m gets a region for each row; -c names the CPUs of all threads, a group is a run.

mkfifo ctl ack
ROOFLINE_PERF_CONTROL=ctl,ack perf stat -j -o FILE -D -1 --control=fifo:ctl,ack \
  -e {} \
  roofline_bench --device=cpu --counters=none --ceilings=none --benchmark_filter='^ROW$'

likwid-perfctr -c 0-1 -g FLOPS_DP -m -O \
  roofline_bench --device=cpu --counters=none --ceilings=none --benchmark_filter=FILTER > FILE
)",
                            events.empty() ? "instructions,cycles" : events);
}

}  // namespace roofline
