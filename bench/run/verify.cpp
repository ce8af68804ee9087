#include "bench/run/verify.hpp"

#include <fmt/format.h>

#include <new>
#include <optional>
#include <stdexcept>

#include "bench/machine/interrupt.hpp"

namespace roofline {
namespace {

/// Of a check that fails, never empty.
std::string message_of(const Check& check) {
  return check.ok ? "" : check.message.empty() ? "its check says no more than that it is wrong" : check.message;
}

/// Empty when a launch left what is expected; nothing where the device has no such resource.
std::optional<std::string> ceiling_complaint(const std::function<CeilingWork()>& make) {
  try {
    const auto work = make();
    work.launch();
    return work.check ? message_of(work.check()) : std::string();
  } catch (const NoSuchCeiling&) {
    return std::nullopt;
  } catch (const std::bad_alloc&) {
    return "out of memory";
  } catch (const std::exception& error) {
    return error.what();
  }
}

/// Empty when one launch, and another one, left what the reference says.
std::string complaint(const std::function<Workload()>& make) {
  try {
    const auto work = make();
    require_complete(work);
    work.launch();
    if (const auto why = message_of(work.check()); !why.empty()) return why;
    work.launch();
    const auto why = message_of(work.check());
    return why.empty() ? why : why + launches_repeat;
  } catch (const std::bad_alloc&) {
    return "out of memory";
  } catch (const std::exception& error) {
    return error.what();
  }
}

/// Of all forms of a variant.
std::string complaint(const Variant& variant) {
  if (variant.forms.empty()) return complaint(variant.make);
  for (const auto& form : variant.forms)
    if (const auto why = complaint(form.make); !why.empty()) return fmt::format("{}: {}", form.name, why);
  return {};
}

}  // namespace

const char* const launches_repeat =
    "; one launch is right, but launches repeat: a launch must not change what it reads (write to another array, or "
    "restore the input within the launch)";

void require_complete(const Workload& work) {
  if (!work.launch)
    throw std::invalid_argument("its workload has no launch: set_launch(work, [](auto space) { ... }) gives it one");
  if (!work.check)
    throw std::invalid_argument(
        "its workload has no check: set work.check to what compares the results with a reference, see compare()");
}

std::string why_wrong(const std::function<Workload()>& make, const std::string& what) {
  try {
    const auto work = make();
    work.launch();
    return work.check().ok ? what + launches_repeat : what;
  } catch (const std::exception&) {
    return what;  // what is known stands
  }
}

std::string with_seed(const std::string& why, std::uint64_t seed) {
  return seed == 0 ? why : fmt::format("{} (--seed={})", why, seed);
}

std::string Verification::text(std::uint64_t seed) const {
  std::string text;
  for (const auto& [row, why] : failures) text += fmt::format("FAILED {}: {}\n", row, with_seed(why, seed));
  for (const auto& finding : findings) text += fmt::format("found: {}\n", finding);
  text += fmt::format("verified {} of {} rows, {}\n", passed, rows,
                      seed == 0 ? "fixed inputs" : fmt::format("random inputs of --seed={}", seed));
  if (!checked.empty() && findings.empty()) text += fmt::format("checked for {}: nothing found\n", checked);
  return text;
}

namespace {

/// Looks at one row, unless the journal knows it, and books what it finds: false when the run is to end.
bool look(const std::string& row, const std::function<std::optional<std::string>()>& complaint_of,
          const RowJournal& journal, const std::function<void()>& after_failure, Verification& result) {
  if (interrupted()) return false;
  if (journal.was_verified(row)) return ++result.rows, ++result.passed, true;
  auto why = journal.failure(row);
  const bool known = !why.empty();
  if (!known) {
    journal.begin(row);
    const auto found = complaint_of();
    if (!found) return true;
    why = *found;
    if (!why.empty() && interrupted()) return false;  // it was not worked on to its end
  }
  ++result.rows;
  if (why.empty()) return journal.verified(row), ++result.passed, true;
  result.failures.emplace_back(row, why);
  if (known) return true;
  journal.fail(row, why);
  if (after_failure) after_failure();
  return true;
}

}  // namespace

Verification verify(const Plan& plan, const RowJournal& journal, const std::function<void()>& after_failure) {
  Verification result;
  for (const auto* kernel : plan.kernels)
    if (!look(
            kernel->name, [&] { return complaint(*kernel); }, journal, after_failure, result))
      break;
  result.rows = static_cast<int>(plan.kernels.size());  // also those that an interrupt kept it from
  return result;
}

void verify_ceilings(const std::vector<const CeilingVariant*>& ceilings, const RowJournal& journal,
                     const std::function<void()>& after_failure, Verification& result) {
  for (const auto* ceiling : ceilings)
    for (std::size_t i = 0; i < ceiling->make.size(); ++i) {
      const auto row = fmt::format("{}, kernel {} of {}", ceiling->ceiling.name, i + 1, ceiling->make.size());
      const auto complaint_of = [&] { return ceiling_complaint(ceiling->make[i]); };
      if (!look(row, complaint_of, journal, after_failure, result)) return;
    }
}

}  // namespace roofline
