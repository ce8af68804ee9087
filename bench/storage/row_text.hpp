#pragma once
#include <benchmark/benchmark.h>

#include <functional>
#include <memory>
#include <string>

namespace roofline {

/// The rows of a run as Google Benchmark's JSON and, where it is wanted, CSV: one reporter for the library to report
/// to.
class RowText {
 public:
  using Annotate = std::function<void(benchmark::BenchmarkReporter::Run&)>;

  RowText(Annotate annotate, bool with_csv);
  ~RowText();

  benchmark::BenchmarkReporter& reporter();
  /// Ends the documents. Call once, after the last row.
  void finish();
  std::string json() const;
  std::string csv() const;

 private:
  struct Sinks;
  std::unique_ptr<Sinks> sinks_;
};

}  // namespace roofline
