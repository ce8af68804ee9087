#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roofline::runtime {

/// Where the virtual GPU can be told to fail.
enum class Site { allocation, launch, copy, capture, synchronise };

/// How: what the CUDA runtime would report, or no answer at all.
enum class Fault { out_of_memory, illegal_address, misaligned_address, launch_failure, timeout, hang, refused };

/// Failures that are planned, so that the handling of errors can be tested: "malloc:3=out-of-memory,
/// launch(gpp):5+=illegal-address, capture:1=refused, launch:2=hang". The number counts the calls of that site (those
/// whose kernel's name contains the text in parentheses) from 1; with + all from there on fail.
class FaultPlan {
 public:
  FaultPlan() = default;
  /// Throws std::invalid_argument with one line that names the part that makes no sense.
  explicit FaultPlan(std::string_view text);

  /// Counts this call and says whether it fails. `name`: of the kernel, where there is one.
  std::optional<Fault> next(Site site, std::string_view name = {});
  bool empty() const { return rules_.empty(); }

 private:
  struct Rule {
    Site site;
    std::string name;  ///< part of the kernel's name; empty: any
    unsigned long first = 1;
    bool onwards = false;
    Fault fault;
    unsigned long seen = 0;
  };
  static Rule parse(std::string_view text);
  std::vector<Rule> rules_;
};

}  // namespace roofline::runtime
