#include "bench/run/verify.hpp"

#include <fmt/format.h>

#include <new>
#include <optional>

#include "bench/machine/interrupt.hpp"
#include "bench/suite/launch_check.hpp"

namespace roofline {
namespace {

/// Empty when a launch left what is expected; nothing where the device has no such resource.
std::optional<std::string> ceiling_complaint(const std::function<CeilingWork()>& make) {
  try {
    const auto work = make();
    work.launch();
    return work.check ? complaint(work.check()) : std::string();
  } catch (const NoSuchCeiling&) {
    return std::nullopt;
  } catch (const std::bad_alloc&) {
    return "out of memory";
  } catch (const std::exception& error) {
    return error.what();
  }
}

/// The results of all tunings of a variant.
std::string complaint(const Variant& variant) {
  if (variant.tunings.empty()) return complaint(variant.make);
  for (const auto& tuning : variant.tunings)
    if (const auto why = complaint(tuning.make); !why.empty()) return fmt::format("{}: {}", tuning.name, why);
  return {};
}

/// Looks at one row, unless the records know it, and books what it finds: false when the run is to end.
bool look(const std::string& row, const std::function<std::optional<std::string>()>& complaint_of, Records& records,
          const std::function<void()>& after_failure, Verification& result) {
  if (interrupted()) return false;
  if (records.was("verified", row)) return ++result.rows, ++result.passed, true;
  auto why = records.missing(row);
  const bool known = !why.empty();
  if (!known) {
    records.begin(row);
    const auto found = complaint_of();
    if (!found) return true;
    why = *found;
    if (!why.empty() && interrupted()) return false;  // it was not worked on to its end
  }
  ++result.rows;
  if (why.empty()) {
    records.append({.row = row, .event = "verified"});
    ++result.passed;
    return true;
  }
  result.failures.emplace_back(row, why);
  if (known) return true;
  records.append({.row = row, .failed = why});
  if (after_failure) after_failure();
  return true;
}

}  // namespace

std::string Verification::text(std::uint64_t seed) const {
  std::string text;
  for (const auto& [row, why] : failures) text += fmt::format("FAILED {}: {}\n", row, with_seed(why, seed));
  for (const auto& finding : findings) text += fmt::format("found: {}\n", finding);
  text += fmt::format("verified {} of {} rows, {}\n", passed, rows,
                      seed == 0 ? "fixed inputs" : fmt::format("random inputs of --seed={}", seed));
  if (!checked.empty() && findings.empty()) text += fmt::format("checked for {}: nothing found\n", checked);
  return text;
}

Verification verify(const Plan& plan, Records records, const std::function<void()>& after_failure) {
  Verification result;
  for (const auto* kernel : plan.kernels)
    if (!look(
            kernel->name, [&] { return complaint(*kernel); }, records, after_failure, result))
      break;
  result.rows = static_cast<int>(plan.kernels.size());  // also those that an interrupt kept it from
  return result;
}

void verify_ceilings(const std::vector<const CeilingVariant*>& ceilings, Records& records,
                     const std::function<void()>& after_failure, Verification& result) {
  for (const auto* ceiling : ceilings)
    for (std::size_t i = 0; i < ceiling->make.size(); ++i) {
      const auto row = fmt::format("{}, kernel {} of {}", ceiling->ceiling.name, i + 1, ceiling->make.size());
      const auto complaint_of = [&] { return ceiling_complaint(ceiling->make[i]); };
      if (!look(row, complaint_of, records, after_failure, result)) return;
    }
}

}  // namespace roofline
