#include "bench/counting/modelled_counter.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "bench/counters/unavailable.hpp"
#include "bench/virtual_gpu/memory/gpu_counts.hpp"

namespace roofline {
namespace {

/// Executes and verifies every row; bytes of the rows that the file knows are the file's.
class MeasuredElsewhere final : public CounterSource {
 public:
  MeasuredElsewhere(std::string file, ImportedCounters imported, std::shared_ptr<CounterSource> model,
                    std::shared_ptr<std::vector<std::string>> warnings)
      : file_(std::move(file)),
        imported_(std::move(imported)),
        model_(std::move(model)),
        warnings_(std::move(warnings)) {}

  std::optional<Counts> count(const std::string& row, const Workload& work) override {
    const auto modelled = model_->count(row, work);
    const auto found = imported_.find(row);
    if (found == imported_.end()) {
      warnings_->push_back(fmt::format("{} has no kernel named {}: its bytes are the model's", file_, row));
      return modelled;
    }
    const auto counted = translate(found->second);
    if (const auto complaint = flops_complaint(work.declared_flops, counted); !complaint.empty())
      warnings_->push_back(fmt::format("{}: {}", row, complaint));
    CounterFunction known([&](const std::string&, const Workload&) { return modelled.value_or(Counts()); });
    auto counts = gpu_counts(row, work, counted, &known, file_);
    if (!modelled) return counts;
    counts.operations = modelled->operations;
    counts.operations_source = modelled->operations_source;
    counts.kinds_known = modelled->kinds_known;
    counts.executed = modelled->executed;
    return counts;
  }

 private:
  std::string file_;
  ImportedCounters imported_;
  std::shared_ptr<CounterSource> model_;
  std::shared_ptr<std::vector<std::string>> warnings_;
};

}  // namespace

std::optional<GpuCounter> modelled_counter(const CountersChoice& choice, const ImportedCounters& imported,
                                           const Model& model) {
  using Kind = CountersChoice::Kind;
  if (!model.about.gpu) return std::nullopt;
  switch (choice.kind) {
    case Kind::automatic:
    case Kind::model:
      return std::nullopt;
    case Kind::cupti:
      throw CountersUnavailable(
          "--counters=cupti: CUPTI counts on NVIDIA GPUs, and this run is on none; what a kernel "
          "executes is counted without (--counters=auto)");
    case Kind::perf:
      throw CountersUnavailable(
          "--counters=perf: perf counts on CPUs, and this run stands for a GPU; what a kernel "
          "executes is counted without (--counters=auto)");
    case Kind::none:
      throw std::invalid_argument("--counters=none: a run on a described or virtual device makes its times of counts");
    case Kind::file:
      break;
  }
  GpuCounter counter;
  counter.description = choice.file;
  counter.source = std::make_shared<MeasuredElsewhere>(choice.file, imported, model.counter, counter.warnings);
  return counter;
}

}  // namespace roofline
