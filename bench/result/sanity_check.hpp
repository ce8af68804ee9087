#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace roofline {

/// Something that no machine can violate if a run's numbers are right, compared with what the run found.
struct SanityCheck {
  enum class Verdict { ok, warn, fail, not_applicable };
  std::string id;                    ///< kernel_below_roof, rows_verified, ...
  std::string what;                  ///< one line
  std::string limit;                 ///< "<= 1.02", "<= 3 %"
  std::optional<double> value = {};  ///< the worst found; absent: nothing in this run to compare with the limit
  bool relative = false;             ///< a change or a share: tables show the value in percent, as the limit does
  std::string where = {};            ///< the row that the value is of, or why there is none
  Verdict verdict = Verdict::not_applicable;
  bool deterministic = false;  ///< of counts and answers: no noise can change its outcome
};

constexpr std::string_view name(SanityCheck::Verdict verdict) {
  constexpr std::array<std::string_view, 4> names{"ok", "warn", "fail", "not applicable"};
  return names[static_cast<std::size_t>(verdict)];
}

}  // namespace roofline
