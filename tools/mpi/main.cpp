#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <new>

#include "bench/machine/pinning.hpp"
#include "bench/options/options.hpp"
#include "bench/ranks/place.hpp"
#include "bench/text/clean.hpp"
#include "bench/text/output.hpp"
#include "tools/mpi/rank.hpp"
#include "tools/mpi/report.hpp"

namespace roofline::mpi {
namespace {

struct Choices {
  std::vector<std::string> phases{"windows", "links", "messages", "halo"};
  std::string out = "roofline-mpi-out";
  double time_limit = 300;
  int threads = 0;
  bool quick = false;
  WindowOptions windows;
  LinkOptions links;
  Index stencil = 0;  ///< 0: by default
  std::vector<Index> lbm;
};

/// An exit code, or -1: go on.
int parse(int argc, char** argv, Choices& choices, bool speak) {
  CLI::App app("Measures several ranks together: common windows, links, messages, halos. Start it by mpirun or srun.",
               "roofline_mpi");
  app.add_option("--phases", choices.phases, "windows, links, messages, halo: any of them, run in this order")
      ->delimiter(',')
      ->check(CLI::IsMember({"windows", "links", "messages", "halo"}));
  app.add_option("--out", choices.out, "folder of mpi.json, which rank 0 writes");
  app.add_option("--time-limit", choices.time_limit, "seconds for each phase; 0: none")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--threads", choices.threads, "threads of each rank; 0: its share of the cores")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--largest-message", choices.links.largest,
                 "bytes of links and messages (16 MiB); sizes are 1, 4, 16, ...")
      ->transform(CLI::AsSizeValue(false))
      ->check(CLI::Range(4.0, 1e9));
  app.add_option("--stencil", choices.stencil, "halo: points along each edge of the cube (192; --quick: 64)")
      ->check(CLI::Range(Index{3}, Index{1} << 14));
  app.add_option("--lbm", choices.lbm, "halo: LX,LY, sites (512,512; --quick: 96,96); LY a multiple of 32")
      ->delimiter(',')
      ->expected(2)
      ->check(CLI::Range(Index{3}, Index{1} << 20));
  app.add_flag("--quick", choices.quick, "fewer samples");
  app.set_version_flag("--version", "roofline_mpi " ROOFLINE_VERSION ", " ROOFLINE_COMPILER);
  app.footer("Example: mpirun -n 2 roofline_mpi --phases=windows");
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {
    return speak ? app.exit(asked) : 0;
  } catch (const CLI::ParseError& wrong) {
    const std::string message = wrong.what();
    if (speak) fmt::print(stderr, "roofline_mpi: {} (see --help)\n", printable(message.substr(0, message.find('\n'))));
    return exit_usage;
  }
  return -1;
}

std::string mpi_library() {
  char version[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(version, &length);
  const std::string text(version, static_cast<std::size_t>(length));
  return clean(text.substr(0, text.find_first_of(",\n")));
}

class Run {
 public:
  Run(World& world, const Choices& choices)
      : world_(world), choices_(choices), file_(std::filesystem::path(choices.out) / "mpi.json"), clocks_(world) {}

  int operator()() {
    world_.begin_phase("start", choices_.time_limit);
    if (!is_one_program()) return exit_inconclusive;
    if (world_.is_root()) require_writable(file_);
    const auto cores = share_cores_out(world_, choices_.threads);
    clocks_.keep_right();
    describe(cores);
    write();
    for (const std::string name : {"windows", "links", "messages", "halo"}) {
      if (std::find(choices_.phases.begin(), choices_.phases.end(), name) == choices_.phases.end()) continue;
      world_.begin_phase(name, choices_.time_limit);
      phase(name, cores);
      world_.meet();
      write();
    }
    world_.begin_phase("end", choices_.time_limit);
    report_.complete = true;
    write();
    say(fmt::format("In {}: everything above, and every size", file_.string()));
    const auto is_wrong = [](const auto& found) { return !found.wrong.empty(); };
    const bool wrong = std::any_of(report_.windows.begin(), report_.windows.end(), is_wrong) ||
                       std::any_of(report_.halos.begin(), report_.halos.end(), is_wrong);
    return world_.from(0, wrong) != 0 ? exit_failed : exit_ok;
  }

 private:
  /// Sums over ranks of two versions are not a measurement. Rank 0 says which rank is another program.
  bool is_one_program() const {
    const auto programs = world_.all(ROOFLINE_VERSION ", " ROOFLINE_COMPILER);
    const auto other = std::find_if(programs.begin(), programs.end(), [&](const auto& p) { return p != programs[0]; });
    if (other == programs.end()) return true;
    if (world_.is_root())
      fmt::print(stderr, "roofline_mpi: {} is version {}, {} is version {}: start the same program on all ranks\n",
                 world_.name(0), programs[0], world_.name(static_cast<int>(other - programs.begin())), clean(*other));
    return false;
  }

  void describe(const Cores& cores) {
    for (int rank = 0; rank < world_.size(); ++rank) report_.nodes.push_back(world_.node(rank));
    report_.date = utc_now(), report_.version = ROOFLINE_VERSION, report_.mpi_library = mpi_library();
    report_.machine = cores.whole.name, report_.threads = cores.threads;
    const auto doubts = world_.all(clocks_.doubt());
    report_.clock_doubt = *std::max_element(doubts.begin(), doubts.end());
    const auto disturbed = world_.all(cores.conflict);
    for (int rank = 0; rank < world_.size(); ++rank)
      if (const auto& why = disturbed[static_cast<std::size_t>(rank)]; !why.empty()) {
        report_.notes.push_back(fmt::format("ranks disturb each other: {}: {}", world_.name(rank), why));
        break;
      }
    say(text(report_));
  }

  void phase(const std::string& name, const Cores& cores) {
    if ((name == "links" || name == "messages") && world_.size() < 2) {
      say(fmt::format("{}: left out, there is one rank", name));
      return;
    }
    const double budget = choices_.quick ? 0.05 : 0.3;
    if (name == "windows") {
      auto options = choices_.windows;
      options.threads = cores.threads;
      if (choices_.quick) options.samples = 5, options.trials = 1;
      report_.windows = common_windows(world_, clocks_, cores.own, options);
      write_rank_run(choices_.out, world_, cores, report_.windows, report_.date);
      say(text(report_.windows, report_));
    } else if (name == "links") {
      auto options = choices_.links;
      options.seconds = budget;
      report_.links = measure_links(world_, options);
      say(text(*report_.links, report_));
    } else if (name == "halo") {
      report_.halos = scale_halos(world_, halo_options());
      say(text(report_.halos));
    } else {
      report_.messages = measure_messages(world_, choices_.links.largest, budget);
      say(text(*report_.messages, report_));
    }
  }

  HaloOptions halo_options() const {
    const Index edge = choices_.stencil ? choices_.stencil : choices_.quick ? 64 : 192;
    const Index sites = choices_.quick ? 96 : 512;
    const auto lbm = choices_.lbm.empty() ? std::vector{sites, sites} : choices_.lbm;
    HaloOptions options;
    options.seconds = choices_.quick ? 0.05 : 1;
    options.problems = {box_stencil(edge, world_.size()), lattice(lbm[0], lbm[1], 1, world_.size()),
                        lattice(lbm[0], lbm[1], 2, world_.size())};
    if (report_.links && !report_.links->links.empty()) options.link = median_fit(report_.links->links);
    return options;
  }

  static LinkFit median_fit(const std::vector<Link>& links) {
    std::vector<double> latencies, bandwidths;
    for (const auto& link : links) latencies.push_back(fit(link).latency), bandwidths.push_back(fit(link).bandwidth);
    LinkFit middle;
    middle.latency = median(latencies), middle.bandwidth = median(bandwidths);
    return middle;
  }

  void say(const std::string& text) const {
    if (world_.is_root()) print(text + "\n");
  }

  void write() const {
    if (world_.is_root()) write_file(file_, json(report_));
  }

  World& world_;
  const Choices& choices_;
  std::filesystem::path file_;
  Clocks clocks_;
  Report report_;
};

int work(int argc, char** argv, Whereabouts& whereabouts) {
  World world(argc, argv, node_name(), whereabouts);
  Choices choices;
  if (const int code = parse(argc, argv, choices, world.is_root()); code >= 0) return code;
  const auto end = [&](int code, const char* why) {
    fmt::print(stderr, "roofline_mpi: {}: {}\n", world.name(world.rank()), printable(why));
    std::fflush(nullptr);
    MPI_Abort(MPI_COMM_WORLD, code);
    return code;
  };
  try {
    const int code = Run(world, choices)();
    require_printed();
    return code;
  } catch (const std::invalid_argument& wrong) {
    return end(exit_usage, wrong.what());
  } catch (const WrongThreads& wrong) {
    return end(exit_inconclusive, wrong.what());
  } catch (const FileError& failure) {
    return end(exit_io, failure.what());
  } catch (const std::bad_alloc&) {
    return end(exit_inconclusive,
               fmt::format("phase {}: out of memory: choose a smaller --stencil, --lbm or --largest-message, or fewer "
                           "ranks on a node",
                           whereabouts.phase.data())
                   .c_str());
  } catch (const std::exception& unexpected) {
    return end(exit_failed, unexpected.what());
  }
}

}  // namespace
}  // namespace roofline::mpi

int main(int argc, char** argv) {
  using namespace roofline::mpi;
  return run_watched([&](Whereabouts& whereabouts) { return work(argc, argv, whereabouts); });
}
