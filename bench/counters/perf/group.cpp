#include "bench/counters/perf/group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "bench/counters/unavailable.hpp"

namespace roofline::perf {

Group::Group(System& system, std::vector<Event> events, const std::vector<int>& threads)
    : system_(system), events_(std::move(events)) {
  try {
    for (std::size_t i = 0; i < events_.size(); ++i) {
      for (const int cpu : events_[i].cpus) open(i, -1, cpu);
      if (events_[i].cpus.empty())
        for (const int thread : threads) open(i, thread, -1);
    }
  } catch (...) {
    close();
    throw;
  }
}

Group::~Group() { close(); }

void Group::close() {
  for (const auto& place : places_)
    for (auto at = place.descriptors.rbegin(); at != place.descriptors.rend(); ++at) system_.close(*at);
  places_.clear();
}

Group::Place& Group::place(const Event& event, int thread, int cpu) {
  const auto same = [&](const Place& p) { return p.type == event.what.type && p.thread == thread && p.cpu == cpu; };
  const auto found = std::find_if(places_.begin(), places_.end(), same);
  if (found != places_.end()) return *found;
  return places_.emplace_back(Place{event.what.type, thread, cpu});
}

void Group::open(std::size_t event, int thread, int cpu) {
  auto& at = place(events_[event], thread, cpu);
  const int leader = at.descriptors.empty() ? -1 : at.descriptors.front();
  const int descriptor = system_.open(events_[event].what, thread, cpu, leader);
  if (descriptor < 0) throw CountersUnavailable(refusal(-descriptor, events_[event].name));
  at.descriptors.push_back(descriptor);
  at.events.push_back(event);
}

EventCounts Group::count(const std::function<void()>& work) {
  const auto require = [&](int result, const char* what) {
    if (result < 0)
      throw CountersUnavailable(fmt::format("{}: {}: {}", events_.front().name, what, std::strerror(-result)));
  };
  for (const auto& place : places_) require(system_.start(place.descriptors.front()), "cannot be started");
  work();
  for (const auto& place : places_) require(system_.stop(place.descriptors.front()), "cannot be stopped");
  EventCounts counts;
  for (const auto& place : places_) read(place, counts);
  return counts;
}

void Group::read(const Place& place, EventCounts& counts) {
  constexpr std::size_t head = 3;  // number of events, time enabled, time running
  std::vector<std::uint64_t> words(head + place.descriptors.size());
  const auto bytes = system_.read(place.descriptors.front(), words);
  const auto& name = events_[place.events.front()].name;
  if (bytes < 0)
    throw CountersUnavailable(fmt::format("{}: cannot be read: {}", name, std::strerror(static_cast<int>(-bytes))));
  if (static_cast<std::size_t>(bytes) != words.size() * sizeof words[0] || words[0] != place.descriptors.size())
    throw CountersUnavailable(
        fmt::format("{}: the kernel gave {} bytes for {} events: the group fell apart", name, bytes, words[0]));
  const auto enabled = words[1], running = words[2];
  // A thread that slept all the time was never scheduled, and counted nothing: no time at all is no share of it.
  if (enabled > 0 && running < enabled)
    throw CountersUnavailable(
        fmt::format("{}: counted only {:.0f} % of the time, others share the counters (the watchdog? as root: sysctl "
                    "kernel.nmi_watchdog=0)",
                    name, 100.0 * static_cast<double>(running) / static_cast<double>(enabled)));
  for (std::size_t i = 0; i < place.events.size(); ++i)
    counts[events_[place.events[i]].name] += static_cast<double>(words[head + i]);
}

}  // namespace roofline::perf
