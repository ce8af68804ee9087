#pragma once
#include <benchmark/benchmark.h>

#include <functional>
#include <memory>
#include <vector>

namespace roofline {

/// Decorates any Google Benchmark reporter: what it is given passes through `annotate` first, as a copy.
///
/// A run of the suite calls the library several times (ceilings, kernels); the decorated reporter sees one context, all
/// rows, and one end, when finish() is called: only then is known what a row is compared with. It knows nothing of
/// where counters come from.
class RooflineReporter : public benchmark::BenchmarkReporter {
 public:
  using Annotate = std::function<void(Run&)>;

  /// `inner` must outlive the decorator. Its output stream is left alone: set it before.
  RooflineReporter(benchmark::BenchmarkReporter& inner, Annotate annotate)
      : inner_(inner), annotate_(std::move(annotate)) {}

  bool ReportContext(const Context& context) override {
    if (!started_) started_ = inner_.ReportContext(context);
    return started_;
  }
  void ReportRuns(const std::vector<Run>& runs) override {
    reported_.push_back(runs);
    // It belongs to the library, which is done with it when finish() is called.
    for (auto& run : reported_.back()) run.statistics = nullptr;
  }
  void Finalize() override {}
  /// Passes the rows on and ends the decorated reporter's output, once.
  void finish() {
    for (auto& runs : reported_) {
      for (auto& run : runs) annotate_(run);
      inner_.ReportRuns(runs);
    }
    reported_.clear();
    if (started_) inner_.Finalize();
    started_ = false;
  }

 private:
  benchmark::BenchmarkReporter& inner_;
  Annotate annotate_;
  std::vector<std::vector<Run>> reported_;
  bool started_ = false;
};

/// Passes everything on to several reporters.
class Broadcast : public benchmark::BenchmarkReporter {
 public:
  explicit Broadcast(std::vector<benchmark::BenchmarkReporter*> to) : to_(std::move(to)) {}
  bool ReportContext(const Context& context) override {
    bool go_on = true;
    for (auto* reporter : to_) go_on = reporter->ReportContext(context) && go_on;
    return go_on;
  }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (auto* reporter : to_) reporter->ReportRuns(runs);
  }
  void Finalize() override {
    for (auto* reporter : to_) reporter->Finalize();
  }

 private:
  std::vector<benchmark::BenchmarkReporter*> to_;
};

}  // namespace roofline
