#include "bench/any_program/program_events.hpp"

#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "bench/counters/perf/counter.hpp"
#include "bench/counters/unavailable.hpp"
#include "bench/text/format.hpp"

namespace roofline::any_program {

ProgramEvents::ProgramEvents(const std::vector<perf::Event>& events, pid_t child) {
  for (const auto& event : events) {
    perf_event_attr wish{};
    wish.size = sizeof wish;
    wish.type = event.what.type, wish.config = event.what.config;
    wish.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    if (!event.what.whole_machine)
      wish.disabled = wish.enable_on_exec = wish.inherit = wish.exclude_kernel = wish.exclude_hv = 1;
    for (const int cpu : event.cpus.empty() ? std::vector<int>{-1} : event.cpus) {
      const auto file = static_cast<int>(
          ::syscall(SYS_perf_event_open, &wish, event.what.whole_machine ? -1 : child, cpu, -1, PERF_FLAG_FD_CLOEXEC));
      if (file < 0) {
        const int why = errno;
        close();
        throw CountersUnavailable(perf::refusal(why, event.name));
      }
      opened_.emplace_back(event.name, file);
    }
  }
}

ProgramEvents::~ProgramEvents() { close(); }

void ProgramEvents::close() {
  for (const auto& [name, file] : opened_) ::close(file);
  opened_.clear();
}

perf::EventCounts ProgramEvents::counts() const {
  perf::EventCounts sums;
  for (const auto& [name, file] : opened_) {
    std::array<std::uint64_t, 3> words{};  // the count, ns that it was wanted, ns that it ran
    if (::read(file, words.data(), sizeof words) != sizeof words || words[2] != words[1])
      throw CountersUnavailable(name + ": was not counted all the time, since others use the counters");
    sums[name] += static_cast<double>(words[0]);
  }
  return sums;
}

std::vector<std::string> hardware_next_to(const std::vector<ProgramRow>& rows, const perf::CpuValues& hardware) {
  Counts all;
  std::uint64_t fp32 = 0;
  Traffic dram;
  for (const auto& row : rows) {
    for (const auto& [precision, operations] : row.counted.operations) {
      all.operations += operations;
      if (precision == "fp32") fp32 += operations.flops();
    }
    if (const auto found = row.counted.bytes.find(MemoryLevel::DRAM); found != row.counted.bytes.end())
      dram.read += found->second.read, dram.written += found->second.written;
    all.overwritten = all.overwritten.value_or(0) + row.counted.overwritten;
    all.streamed = all.streamed.value_or(0) + row.counted.streamed;
  }
  if (dram.total() > 0) all.at(MemoryLevel::DRAM) = dram;
  std::vector<std::string> lines;
  for (const auto& [quantity, measured] : hardware) {
    using enum perf::CpuQuantity;
    const bool is_bytes = perf::is_bytes(quantity);
    const double ours = quantity == flops        ? static_cast<double>(all.operations.flops())
                        : quantity == flops_fp32 ? static_cast<double>(fp32)
                        : quantity == flops_fp64 ? static_cast<double>(all.operations.flops() - fp32)
                        : quantity == dram_read  ? dram.read
                                                 : dram.written;
    const auto cause = is_bytes ? perf::difference(quantity, measured, all) : "";
    lines.push_back(fmt::format("hardware: {} {} G, {} {} G: {}{}", name(quantity), significant(giga(measured)),
                                is_bytes ? "modelled" : "executed", significant(giga(ours)),
                                ours > 0 ? fmt::format("{:.2f} times", measured / ours) : "no ratio",
                                cause.empty() ? "" : "; " + cause));
  }
  return lines;
}

}  // namespace roofline::any_program
