#include "bench/counting/gpu_counter.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "bench/counters/unavailable.hpp"
#include "bench/counting/bounded_model.hpp"
#include "bench/virtual_gpu/memory/gpu_counts.hpp"

namespace roofline {
namespace {

using Modelled = std::shared_ptr<CounterSource>;
using Report = std::shared_ptr<CountersReport>;

std::string instead(const Modelled& modelled) {
  return modelled ? "bytes are modelled" : "bytes are unknown: no model of this GPU";
}

/// Launches once, for profilers to see, and asks the model.
std::shared_ptr<CounterSource> without_counters(Modelled modelled, const GpuAccess& access) {
  return std::make_shared<CounterFunction>(
      [modelled = std::move(modelled), launch = access.launch](const std::string& row, const Workload& work) {
        launch(row, work);
        return gpu_counts(row, work, std::nullopt, modelled.get(), {});
      });
}

class ByCupti final : public CounterSource {
 public:
  ByCupti(GpuCounting counting, Modelled modelled, Report report)
      : counting_(std::move(counting)), modelled_(std::move(modelled)), report_(std::move(report)) {
    report_->description = counting_.description;
    report_->self_test = counting_.self_test;
    not_used_ = refused(report_->self_test);
    for (const auto& result : report_->self_test)
      if (!result.passed())
        warn_once(report_->warnings, "counter refused: " + result.text());
      else if (result.has_ecc())
        warn_once(report_->warnings, "counter with the words of ECC, which are DRAM traffic: " + result.text());
  }

  std::optional<Counts> count(const std::string& row, const Workload& work) override {
    const auto counted = refusals_ < enough_refusals ? hardware_counts(row, work) : std::nullopt;
    return gpu_counts(row, work, counted, modelled_.get(), "CUPTI");
  }
  void finish() override { report_->description += "; " + counting_.close(); }

 private:
  std::optional<HardwareCounts> hardware_counts(const std::string& row, const Workload& work) {
    try {
      auto values = counting_.collect(work);
      refusals_ = 0;
      for (const auto quantity : not_used_) values.erase(quantity);
      if (const auto why = repeat_complaint(values); !why.empty()) {
        warn_once(report_->warnings, fmt::format("GPU counters: {}: {}; {}", row, why, instead(modelled_)));
        return std::nullopt;
      }
      const auto counted = translate(values);
      if (const auto complaint = flops_complaint(work.declared_flops, counted); !complaint.empty())
        warn_once(report_->warnings, fmt::format("{}: {}", row, complaint));
      return counted;
    } catch (const CountersUnavailable& why) {
      warn_once(report_->warnings, fmt::format("GPU counters: {}; {}", why.what(), instead(modelled_)));
      refusals_ = why.what() == last_refusal_ ? refusals_ + 1 : 1;
      last_refusal_ = why.what();
      if (refusals_ == enough_refusals)
        warn_once(report_->warnings,
                  fmt::format("GPU counters: refused in {} rows, not tried after {}", refusals_, row));
      return std::nullopt;
    }
  }

  static constexpr int enough_refusals = 3;  // of one reason in a row: a fourth launch would meet it, too

  GpuCounting counting_;
  std::vector<Quantity> not_used_;
  Modelled modelled_;
  Report report_;
  int refusals_ = 0;
  std::string last_refusal_;
};

/// Counters of the rows that a file knows.
std::shared_ptr<CounterSource> from_file(std::string file, ImportedCounters imported, Modelled modelled,
                                         Report report) {
  return std::make_shared<CounterFunction>([=](const std::string& row, const Workload& work) {
    const auto found = imported.find(row);
    std::optional<HardwareCounts> counted;
    if (found == imported.end())
      warn_once(report->warnings, fmt::format("{} has no kernel named {}", file, row));
    else
      counted = translate(found->second);
    return gpu_counts(row, work, counted, modelled.get(), file);
  });
}

/// Executes and verifies every row; bytes of the rows that the file knows are the file's.
std::shared_ptr<CounterSource> measured_elsewhere(std::string file, ImportedCounters imported, Modelled model,
                                                  Report report) {
  return std::make_shared<CounterFunction>([=](const std::string& row, const Workload& work) {
    const auto modelled = model->count(row, work);
    const auto found = imported.find(row);
    if (found == imported.end()) {
      report->warnings.push_back(fmt::format("{} has no kernel named {}: its bytes are the model's", file, row));
      return modelled;
    }
    const auto counted = translate(found->second);
    if (const auto complaint = flops_complaint(work.declared_flops, counted); !complaint.empty())
      report->warnings.push_back(fmt::format("{}: {}", row, complaint));
    CounterFunction known([&](const std::string&, const Workload&) { return modelled.value_or(Counts()); });
    auto counts = std::optional(gpu_counts(row, work, counted, &known, file));
    if (!modelled) return counts;
    counts->operations = modelled->operations;
    counts->operations_source = modelled->operations_source;
    counts->kinds_known = modelled->kinds_known;
    counts->executed = modelled->executed;
    return counts;
  });
}

}  // namespace

GpuCounter gpu_counter(const CountersChoice& choice, const ImportedCounters& imported, const Gpu& gpu,
                       std::shared_ptr<CounterSource> modelled, const GpuAccess& access) {
  using Kind = CountersChoice::Kind;
  GpuCounter counter;
  auto& report = *counter.report;
  if (choice.kind != Kind::model)
    modelled = bounded(std::move(modelled), {},
                       [to = counter.report](const std::string& line) { warn_once(to->warnings, line); });
  switch (choice.kind) {
    case Kind::perf:
      throw CountersUnavailable("--counters=perf: this is a run on a GPU, perf counts on CPUs; --counters=cupti");
    case Kind::none:
      report.description = "none";
      counter.source = without_counters(nullptr, access);
      break;
    case Kind::model:
      report.description = "none: bytes are modelled";
      counter.source = without_counters(std::move(modelled), access);
      break;
    case Kind::cupti:
    case Kind::automatic:
      try {
        counter.source = std::make_shared<ByCupti>(access.open(gpu), modelled, counter.report);
      } catch (const CountersUnavailable& why) {
        if (choice.kind == Kind::cupti) throw;
        warn_once(report.warnings, fmt::format("GPU counters: {}; {}", why.what(), instead(modelled)));
        report.description = "none";
        counter.source = without_counters(std::move(modelled), access);
      }
      break;
    case Kind::file:
      report.description = choice.file;
      counter.source = from_file(choice.file, imported, std::move(modelled), counter.report);
  }
  return counter;
}

std::optional<GpuCounter> virtual_gpu_counter(const CountersChoice& choice, const ImportedCounters& imported,
                                              std::shared_ptr<CounterSource> model) {
  using Kind = CountersChoice::Kind;
  switch (choice.kind) {
    case Kind::automatic:
    case Kind::model:
      return std::nullopt;
    case Kind::cupti:
    case Kind::perf:
      throw CountersUnavailable(
          fmt::format("--counters={} counts on {}, and this run is on a virtual GPU; use --counters=auto, which counts "
                      "what a kernel executes",
                      choice.kind == Kind::cupti ? "cupti: CUPTI" : "perf: perf",
                      choice.kind == Kind::cupti ? "NVIDIA GPUs" : "CPUs"));
    case Kind::none:
      throw std::invalid_argument("--counters=none: a run on a virtual device makes its times of counts");
    case Kind::file:
      break;
  }
  GpuCounter counter;
  counter.report->description = choice.file;
  counter.source = measured_elsewhere(choice.file, imported, std::move(model), counter.report);
  return counter;
}

}  // namespace roofline
