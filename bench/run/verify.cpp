#include "bench/run/verify.hpp"

#include <fmt/format.h>

#include <new>

#include "bench/machine/interrupt.hpp"

namespace roofline {
namespace {

/// Empty when the launch left what the reference says.
std::string complaint(const Variant& variant) {
  try {
    const auto work = variant.make();
    work.launch();
    return work.check().message;
  } catch (const std::bad_alloc&) {
    return "out of memory";
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace

std::string with_seed(const std::string& why, std::uint64_t seed) {
  return seed == 0 ? why : fmt::format("{} (--seed={})", why, seed);
}

std::string Verification::text(std::uint64_t seed) const {
  std::string text;
  for (const auto& [row, why] : failures) text += fmt::format("FAILED {}: {}\n", row, with_seed(why, seed));
  return text + fmt::format("verified {} of {} rows, {}\n", passed, rows,
                            seed == 0 ? "fixed inputs" : fmt::format("random inputs of --seed={}", seed));
}

Verification verify(const Plan& plan, const RowJournal& journal, const std::function<void()>& after_failure) {
  Verification result;
  result.rows = static_cast<int>(plan.kernels.size());
  for (const auto* kernel : plan.kernels) {
    if (interrupted()) break;
    const auto& row = kernel->name;
    if (journal.was_verified(row)) {
      ++result.passed;
      continue;
    }
    auto why = journal.failure(row);
    const bool known = !why.empty();
    if (!known) {
      journal.begin(row);
      why = complaint(*kernel);
    }
    if (why.empty()) {
      journal.verified(row);
      ++result.passed;
      continue;
    }
    result.failures.emplace_back(row, why);
    if (known) continue;
    journal.fail(row, why);
    if (after_failure) after_failure();
  }
  return result;
}

}  // namespace roofline
