#include "bench/any_program/samples.hpp"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <vector>

#include "bench/any_program/preloaded_file.hpp"

namespace roofline::any_program {
namespace {

constexpr std::uint64_t nanoseconds_between = 200'000;
constexpr std::size_t ring_pages = 64;

struct Mapping {
  std::uint64_t from = 0, to = 0, offset = 0;
  std::string file;
};

/// The executable mappings of each process, in the order in which they were made.
class Mappings {
 public:
  void add(pid_t process, Mapping mapping) { of_[process].push_back(std::move(mapping)); }
  void fork(pid_t parent, pid_t child) {
    if (parent != child) parents_[child] = {parent, of_[parent].size()};
  }
  /// The newest mapping that has the address; one that the parent had before the fork. Null: unknown.
  const Mapping* find(pid_t process, std::uint64_t address) const {
    auto limit = static_cast<std::size_t>(-1);
    for (int generation = 0; generation < 64; ++generation) {
      if (const auto all = of_.find(process); all != of_.end())
        for (auto i = std::min(limit, all->second.size()); i-- > 0;)
          if (address >= all->second[i].from && address < all->second[i].to) return &all->second[i];
      const auto parent = parents_.find(process);
      if (parent == parents_.end()) return nullptr;
      process = parent->second.first, limit = parent->second.second;
    }
    return nullptr;
  }

 private:
  std::map<pid_t, std::vector<Mapping>> of_;
  std::map<pid_t, std::pair<pid_t, std::size_t>> parents_;
};

struct Raw {
  pid_t process, thread;
  std::uint64_t at;
  std::uint64_t time;  ///< ns; 0: not known
};

Samples resolved(const std::vector<Raw>& raw, const Mappings& mappings) {
  Samples samples;
  for (const auto& [process, thread, at, time] : raw) {
    const auto* const mapping = mappings.find(process, at);
    const auto place = mapping ? Samples::Place(mapping->file, at - mapping->from + mapping->offset) : Samples::Place();
    ++samples.threads[place][thread];
    if (time) samples.times[place].push_back(time);
  }
  return samples;
}

}  // namespace

std::uint64_t Samples::count() const {
  std::uint64_t sum = 0;
  for (const auto& [place, by_thread] : threads)
    for (const auto& [thread, number] : by_thread) sum += number;
  return sum;
}

struct PerfSampler::Rings {
  struct Ring {
    int file;
    perf_event_mmap_page* page;
  };
  std::vector<Ring> rings;
  std::vector<Raw> raw;
  Mappings mappings;

  std::size_t size() const { return ring_pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }
  void take(const perf_event_header& header, const std::byte* body) {
    const auto read = [&](auto& value, std::size_t at) { std::memcpy(&value, body + at, sizeof value); };
    std::uint32_t ids[4];
    if (header.type == PERF_RECORD_SAMPLE) {  // address, process, thread, time
      std::uint64_t address = 0, time = 0;
      std::uint32_t who[2];
      read(address, 0), read(who, 8), read(time, 16);
      raw.push_back({static_cast<pid_t>(who[0]), static_cast<pid_t>(who[1]), address, time});
    } else if (header.type == PERF_RECORD_MMAP) {  // process, thread, address, length, offset, file
      std::uint64_t place[3];
      read(ids[0], 0), read(place, 8);
      const auto* const name = reinterpret_cast<const char*>(body + 32);
      mappings.add(static_cast<pid_t>(ids[0]), {place[0], place[0] + place[1], place[2], name});
    } else if (header.type == PERF_RECORD_FORK) {  // process, parent, thread, parent's thread
      read(ids, 0);
      mappings.fork(static_cast<pid_t>(ids[1]), static_cast<pid_t>(ids[0]));
    }
  }
};

PerfSampler::PerfSampler() : rings_(std::make_unique<Rings>()) {}

PerfSampler::~PerfSampler() {
  for (const auto& [file, page] : rings_->rings) ::munmap(page, rings_->size() + 4096), ::close(file);
}

std::unique_ptr<PerfSampler> PerfSampler::attach(pid_t child) {
  std::unique_ptr<PerfSampler> sampler(new PerfSampler);
  perf_event_attr wish{};
  wish.size = sizeof wish;
  wish.type = PERF_TYPE_SOFTWARE, wish.config = PERF_COUNT_SW_CPU_CLOCK;
  wish.sample_period = nanoseconds_between;
  wish.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
  wish.disabled = wish.enable_on_exec = wish.inherit = wish.exclude_kernel = wish.exclude_hv = 1;
  wish.mmap = wish.task = 1;
  // Children's events cannot share a buffer over CPUs: one for each of them.
  const auto cpus = static_cast<int>(::sysconf(_SC_NPROCESSORS_CONF));
  for (int cpu = 0; cpu < cpus; ++cpu) {
    const auto file = static_cast<int>(::syscall(SYS_perf_event_open, &wish, child, cpu, -1, PERF_FLAG_FD_CLOEXEC));
    if (file < 0 && errno == ENODEV) continue;  // that CPU is offline
    if (file < 0) return nullptr;
    void* const page = ::mmap(nullptr, sampler->rings_->size() + 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (page == MAP_FAILED) return ::close(file), nullptr;
    sampler->rings_->rings.push_back({file, static_cast<perf_event_mmap_page*>(page)});
  }
  return sampler;
}

void PerfSampler::drain() {
  const auto size = rings_->size();
  for (const auto& ring : rings_->rings) {
    const auto* const data = reinterpret_cast<const std::byte*>(ring.page) + ring.page->data_offset;
    const auto head = __atomic_load_n(&ring.page->data_head, __ATOMIC_ACQUIRE);
    auto tail = ring.page->data_tail;
    std::vector<std::byte> record;
    while (tail < head) {
      perf_event_header header;
      const auto copy = [&](void* to, std::uint64_t from, std::size_t bytes) {  // it may go on at the begin
        for (std::size_t i = 0; i < bytes; ++i) static_cast<std::byte*>(to)[i] = data[(from + i) % size];
      };
      copy(&header, tail, sizeof header);
      record.resize(header.size);
      copy(record.data(), tail, header.size);
      rings_->take(header, record.data() + sizeof header);
      tail += header.size;
    }
    __atomic_store_n(&ring.page->data_tail, tail, __ATOMIC_RELEASE);
  }
}

Samples PerfSampler::samples() {
  drain();
  auto samples = resolved(rings_->raw, rings_->mappings);
  samples.by = "perf events";
  samples.period = 1e-9 * nanoseconds_between;
  return samples;
}

Samples preloaded_samples(const std::filesystem::path& folder, double seconds) {
  std::vector<Raw> raw;
  Mappings mappings;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto name = entry.path().filename().string();
    int process = 0;
    if (std::sscanf(name.c_str(), "samples.%d", &process) != 1) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    for (PreloadedSample sample; file.read(reinterpret_cast<char*>(&sample), sizeof sample) && sample.at != 0;)
      raw.push_back({process, static_cast<pid_t>(sample.thread), sample.at, 0});
    std::ifstream maps(folder / ("maps." + std::to_string(process)));
    for (std::string line; std::getline(maps, line);) {
      Mapping mapping;
      char may[8] = "";
      int path_at = 0;
      if (std::sscanf(line.c_str(), "%lx-%lx %7s %lx %*s %*s %n", &mapping.from, &mapping.to, may, &mapping.offset,
                      &path_at) < 4 ||
          may[2] != 'x' || path_at == 0)
        continue;
      mapping.file = line.substr(static_cast<std::size_t>(path_at));
      mappings.add(process, std::move(mapping));
    }
  }
  auto samples = resolved(raw, mappings);
  if (raw.empty()) return samples;
  samples.by = "SIGPROF";
  samples.period = seconds / static_cast<double>(raw.size());
  return samples;
}

}  // namespace roofline::any_program
