#include "bench/run/thread_sweep.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "bench/machine/interrupt.hpp"
#include "bench/machine/own_program.hpp"
#include "bench/result/reports.hpp"
#include "bench/storage/stored_run.hpp"
#include "bench/text/output.hpp"

namespace roofline {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const Options& options, int threads) {
  return fs::path(options.out) / ("threads-" + std::to_string(threads));
}

/// Waits for a run; a signal that asks this process for its end goes on to it.
int wait_for(pid_t run) {
  bool told = false;
  for (int status = 0;;) {
    const pid_t ended = ::waitpid(run, &status, WNOHANG);
    if (ended == run) return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (ended < 0 && errno != EINTR) throw std::runtime_error(fmt::format("waitpid: {}", std::strerror(errno)));
    if (const int signal = interrupted(); signal && !told) ::kill(run, signal), told = true;
    ::usleep(20000);
  }
}

int run_once(std::vector<std::string> arguments) {
  std::vector<char*> argv;
  for (auto& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const pid_t run = ::fork();
  if (run < 0) throw std::runtime_error(fmt::format("fork: {}", std::strerror(errno)));
  if (run == 0) {
    ::execv(own_program().c_str(), argv.data());
    ::_exit(127);
  }
  return wait_for(run);
}

}  // namespace

std::vector<std::string> arguments_of_run(const Options& options, int threads, int argc, const char* const* argv) {
  std::vector<std::string> arguments{argv[0]};
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i], flag = argument.substr(0, argument.find('='));
    if (flag != "--threads" && flag != "--out" && flag != "--device" && flag != "--ranks")
      arguments.push_back(argument);
    else if (flag == argument)
      ++i;  // the value stands alone
  }
  arguments.push_back("--device=cpu");
  arguments.push_back(fmt::format("--threads={}", threads));
  arguments.push_back("--out=" + folder_of(options, threads).string());
  arguments.push_back("--ranks=off");  // the folder is that of this rank already, and so are the cores
  return arguments;
}

int sweep_threads(const Options& options, int argc, char** argv) {
  const auto& counts = options.thread_counts;
  catch_interrupts();
  std::vector<Results> runs;
  for (const int threads : counts) {
    print(fmt::format("{}Threads: {}, run {} of {}, into {}\n\n", runs.empty() ? "" : "\n", threads, runs.size() + 1,
                      counts.size(), folder_of(options, threads).string()));
    require_printed();
    if (const int code = run_once(arguments_of_run(options, threads, argc, argv))) return code;
    runs.push_back(read_run(folder_of(options, threads) / "run.json"));
  }
  const auto& sections = reports();
  if (sections.sweep) print("\n" + sections.sweep(runs));
  for (const auto& [name, content] : sections.sweep_files) {
    const auto file = fs::path(options.out) / name;
    write_file(file, content(runs));
    print(fmt::format("written to {}\n", file.string()));
  }
  return exit_ok;
}

}  // namespace roofline
