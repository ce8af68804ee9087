// SPDX-License-Identifier: MIT
// Runs a program with the counter in it, reads what it counts, and writes that to a file:
// roofline_count folder=F program=P name=N caches=... sampled=0|1 by=... only=... libraries=0|1 -- arguments
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/any_program/count/inject.hpp"
#include "bench/any_program/count/state.hpp"

namespace roofline::any_program {
namespace {

const char* reason(Stop stop) {
  switch (stop) {
    case Stop::segment:
      return "code that uses the GS register, which the counter needs";
    case Stop::undecoded:
      return "code that Zydis does not know";
    case Stop::too_much_code:
      return "more code than can be counted";
    case Stop::too_many_threads:
      return "a program of more than 1024 threads and processes at a time";
    case Stop::no_memory:
      return "code next to which there is no memory for a copy";
    case Stop::old_call:
      return "code that changes to another mode of the CPU";
    case Stop::none:
      break;
  }
  return "";
}

/// The program, stopped at its first instruction.
pid_t start(const char* path, const std::vector<char*>& argv) {
  const pid_t process = ::fork();
  if (process == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0) ::execv(path, argv.data());
    ::_exit(127);
  }
  int status = 0;
  if (process < 0 || ::waitpid(process, &status, 0) != process || !WIFSTOPPED(status))
    throw std::runtime_error("counting: the program cannot be started under ptrace(2)");
  return process;
}

void add_notes(State& state) {
  std::string text(state.ledger.notes, std::min<std::uint64_t>(state.ledger.notes_bytes, most_notes));
  for (std::size_t at = 0, end = 0; (end = text.find('\n', at)) != text.npos; at = end + 1)
    state.notes.insert(text.substr(at, end - at));
  const auto stop = static_cast<Stop>(state.ledger.stop);
  if (stop == Stop::none) return;
  const std::string module = state.ledger.module[state.ledger.stop_module].path;
  const int f = state.symbols.function_at(module, state.ledger.stop_offset, 1);
  state.refused = {reason(stop), state.symbols.functions()[static_cast<std::size_t>(f)].name, module};
}

/// Reads until the program ends. Returns its status; `stopped` if it was asked to end.
int follow(State& state, pid_t process, bool& stopped) {
  const auto stop = state.options.folder / "stop";
  for (int status = 0, idle = 0;; ++idle) {
    if (state.read_words() || state.take_mark()) idle = 0;
    constexpr int spins = 100;
    if (idle < spins) {
      ::sched_yield();
      continue;
    }
    if (::waitpid(process, &status, WNOHANG) == process && !WIFSTOPPED(status)) return status;
    constexpr int looks = 1000;
    if (idle % looks == 0 && ::access(stop.c_str(), F_OK) == 0) stopped = true, ::kill(process, SIGKILL);
    ::usleep(idle < looks ? 20 : 200);
  }
}

int run(std::vector<std::string> options, std::vector<char*> argv) {
  SharedLedger ledger;
  State state(options_of(options), *ledger);
  ledger->with_bytes = !state.options.levels.empty();
  ledger->has_windows = state.options.sampled;
  state.symbols.program.copy(ledger->program.path, sizeof ledger->program.path - 1);
  argv.push_back(nullptr);
  const pid_t process = start(state.options.program.c_str(), argv);
  try {
    inject_counter(process, std::filesystem::read_symlink("/proc/self/exe").parent_path() / "libroofline_counter.so",
                   ledger);
  } catch (...) {
    ::kill(process, SIGKILL);
    throw;
  }
  bool stopped = false;
  const int status = follow(state, process, stopped);
  state.read_words();
  for (std::size_t c = 0; c < state.cpus.size(); ++c) {
    state.take(c, true);
    state.cpus[c]->turn_to(-1), state.cpus[c]->turn_to(Windows::State::skips);
  }
  add_notes(state);
  write_counts(state, !stopped && !WIFSIGNALED(status));
  if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
  constexpr rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::signal(WTERMSIG(status), SIG_DFL);
  ::raise(WTERMSIG(status));
  return 128 + WTERMSIG(status);
}

}  // namespace
}  // namespace roofline::any_program

int main(int argc, char** argv) {
  std::vector<std::string> options;
  std::vector<char*> program;
  int i = 1;
  for (; i < argc && std::strcmp(argv[i], "--") != 0; ++i) options.emplace_back(argv[i]);
  for (++i; i < argc; ++i) program.push_back(argv[i]);
  try {
    return roofline::any_program::run(std::move(options), std::move(program));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "roofline: %s\n", error.what());
    return 3;
  }
}
