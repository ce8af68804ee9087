#include "bench/run/turns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

#include "bench/machine/clocks.hpp"
#include "bench/machine/interrupt.hpp"
#include "bench/machine/watch.hpp"

namespace roofline {

std::shared_ptr<SampleTurns> SampleTurns::from_environment() {
  const char* const named = std::getenv(turns_variable);
  if (!named) return nullptr;
  const std::string_view text = named;
  int socket = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), socket);
  struct stat about {};
  const bool number = error == std::errc() && end == text.data() + text.size();
  if (!number || ::fstat(socket, &about) != 0 || !S_ISSOCK(about.st_mode))
    throw std::invalid_argument(
        fmt::format("{}={} is no open socket: `roofline ab` sets it, unset it elsewhere", turns_variable, text));
  return std::shared_ptr<SampleTurns>(new SampleTurns(socket));
}

void SampleTurns::announce(const std::vector<std::string>& rows) {
  say(fmt::format("rows\t{}\n", fmt::join(rows, "\t")));
}

bool SampleTurns::next(const std::string& row) {
  say(fmt::format("turn\t{}\n", row));
  char answer = 0;
  while (!interrupted()) {
    const auto got = ::recv(socket_, &answer, 1, 0);
    if (got < 0 && errno == EINTR) continue;
    return got == 1 && answer == 'g' && !interrupted();
  }
  return false;
}

void SampleTurns::say(const std::string& line) const {
  std::string_view rest = line;
  while (!rest.empty()) {
    const auto sent = ::send(socket_, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return;  // nobody listens: the next question has no answer either
    rest.remove_prefix(static_cast<std::size_t>(sent));
  }
}

namespace {

/// A sample during which this process lost its cores is taken again, so often at most in one turn.
constexpr int most_tries = 4;

struct Sample {
  double seconds = 0, cpu_seconds = 0;  ///< of one launch
  double waited = 0;                    ///< seconds of one launch that threads waited for cores
  bool robbed = false;                  ///< this process lost its cores
};

Sample taken(const Timer& time, int batch) {
  const Watch watch;
  const double cpu_before = seconds_of(CLOCK_THREAD_CPUTIME_ID);
  Sample sample{time(batch) / batch};
  sample.cpu_seconds = (seconds_of(CLOCK_THREAD_CPUTIME_ID) - cpu_before) / batch;
  const auto disturbance = watch.disturbance();
  sample.robbed = !disturbance.own.empty(), sample.waited = disturbance.waited / batch;
  return sample;
}

/// The first one that kept its cores, or the shortest of those that did not.
Sample least_disturbed(const Timer& time, int batch, int& replaced) {
  auto best = taken(time, batch);
  for (int more = 1; best.robbed && more < most_tries && !interrupted(); ++more, ++replaced) {
    const auto again = taken(time, batch);
    if (!again.robbed || again.seconds < best.seconds) best = again;
  }
  return best;
}

}  // namespace

Measurement measure_in_turns(const Timer& time, const std::function<bool()>& turn,
                             const std::function<double()>& pace) {
  // Long against the microseconds that a handover takes, short against what disturbs a machine for a while.
  constexpr double sample_seconds = 5e-3;
  // A longer launch finds in caches what it has put there itself.
  constexpr double warms_itself = 0.1;
  Measurement m;
  m.batch = launches_in(time, sample_seconds);
  int robbed = 0;  // that others are busy beside a sample is the same for both processes
  while (turn()) {
    forget_the_pause();
    if (pace) m.paces.push_back(pace());
    if (m.seconds.empty() || m.seconds.back() * m.batch < warms_itself) time(std::max(1, m.batch / 4));
    const auto sample = least_disturbed(time, m.batch, m.replaced);
    m.seconds.push_back(sample.seconds), m.least.push_back(least_time(sample.seconds, sample.waited));
    m.cpu_seconds += sample.cpu_seconds;
    robbed += sample.robbed;
  }
  if (m.seconds.empty()) throw Interrupted();
  const auto samples = static_cast<double>(m.seconds.size());
  m.contaminated = robbed / samples, m.cpu_seconds /= samples;
  m.converged = m.interval().relative_half_width() <= Budget{}.target_half_width;
  return m;
}

}  // namespace roofline
