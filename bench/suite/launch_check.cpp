#include "bench/suite/launch_check.hpp"

#include <fmt/format.h>

#include <exception>
#include <new>
#include <stdexcept>

namespace roofline {

std::string complaint(const Check& check) {
  return check.ok ? "" : check.message.empty() ? "its check says no more than that it is wrong" : check.message;
}

std::string complaint(const std::function<Workload()>& make) {
  try {
    const auto work = make();
    require_complete(work);
    work.launch();
    if (const auto why = complaint(work.check()); !why.empty()) return why;
    work.launch();
    const auto why = complaint(work.check());
    return why.empty() ? why : why + launches_repeat;
  } catch (const std::bad_alloc&) {
    return "out of memory";
  } catch (const std::exception& error) {
    return error.what();
  }
}

const char* const launches_repeat =
    "; one launch is right, but launches repeat: a launch must not change its input (write to another array, or "
    "restore the input within the launch)";

void require_complete(const Workload& work) {
  if (!work.launch)
    throw std::invalid_argument("its workload has no launch: set_launch(work, [](auto space) { ... }) gives it one");
  if (!work.check)
    throw std::invalid_argument(
        "its workload has no check: set work.check to a function that compares the results with a reference, see "
        "compare()");
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

}  // namespace roofline
