#pragma once
#include <map>
#include <string>
#include <string_view>

namespace roofline::perf {

/// The files of bench/counters/perf/events by name, as text.
const std::map<std::string, std::string_view>& known_event_tables();

}  // namespace roofline::perf
