#pragma once
#include <string>

namespace roofline {

/// --ceilings: which ones a run measures, or the file that it takes them from.
struct CeilingsChoice {
  enum class Kind { automatic, quick, full, none, file };
  Kind kind = Kind::automatic;
  std::string file = {};

  bool measured() const { return kind != Kind::none && kind != Kind::file; }
};

/// --counters: the source of counts, or the file that they are taken from.
struct CountersChoice {
  enum class Kind { automatic, cupti, perf, model, none, file };
  Kind kind = Kind::automatic;
  std::string file = {};
};

// A word is one of the choices, anything that looks like a file (a dot or a slash in it) or is one is a file. Both
// throw std::invalid_argument on anything else: one line with the nearest choice.

CeilingsChoice parse_ceilings_choice(const std::string& text);
CountersChoice parse_counters_choice(const std::string& text);

/// Whether --device names a virtual GPU: "virtual", or "virtual:" and a device.
bool is_virtual(const std::string& device);

/// Whether the run goes all the way of a run on a GPU, with samples, graphs, counters and recovery, at the pace of the
/// virtual clock. The variable ROOFLINE_VIRTUAL_CLOCK in the environment asks for it. It serves tests: every table of
/// such a run names the virtual device, and its times mean nothing.
bool on_virtual_clock(const std::string& device);

/// The note about times in the results of such a run.
inline constexpr const char* virtual_times = "times are those of a virtual clock: nothing was measured";

/// The name after "virtual:"; h100 if it is empty.
std::string virtual_device_name(const std::string& device);

}  // namespace roofline
