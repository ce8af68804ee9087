// SPDX-License-Identifier: MIT
// A plugin of QEMU's user mode that counts what every function of a program does: operations exactly, block by block,
// bytes by the project's cache model, thread by thread. A shared object of its own: QEMU is under the GPL, version 2.
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include "bench/any_program/plugin/qemu_plugin.hpp"
#include "bench/any_program/plugin/state.hpp"
#include "bench/any_program/preloaded_file.hpp"
#include "bench/any_program/readable.hpp"

extern "C" {
__attribute__((visibility("default"))) int qemu_plugin_version = 1;
}

namespace roofline::any_program {
namespace {

State* state;  // never destroyed: threads of the program may run until the process ends

/// A note of every function, once.
void note(const std::string& text) { state->notes.insert(text); }

/// Keeps what there is for the case that a signal ends the program, and ends it when that is asked for.
void keep_counts() {
  using namespace std::chrono_literals;
  for (int tick = 1;; ++tick) {
    std::this_thread::sleep_for(100ms);
    const bool stop = ::access((state->options.folder / "stop").c_str(), F_OK) == 0;
    constexpr int ticks_between = 20;
    if (!stop && tick % ticks_between != 1) continue;
    const std::lock_guard lock(state->mutex);
    if (state->ended) return;
    write_counts(*state, false);
    if (stop) ::_exit(130);
  }
}

/// In a thread that gets none of the program's signals.
void start_keeping() {
  sigset_t all, before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread(keep_counts).detach();
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void on_block(unsigned cpu, void* data) {
  const auto& block = *static_cast<const Block*>(data);
  auto& its = *state->cpus[cpu];
  auto& tally = its.tally();
  ++tally.executed[block.number];
  if (block.of_program)
    its.caller = block.pieces.front().function;
  else if (block.flops && its.caller >= 0)
    tally.flops_below[static_cast<std::size_t>(its.caller)] += block.flops;
}

void on_access(unsigned cpu, std::uint32_t info, std::uint64_t address, void* data) {
  state->cpus[cpu]->access(*static_cast<const Access*>(data), address, 1u << qemu_plugin_mem_size_shift(info),
                           qemu_plugin_mem_is_store(info));
}

void refuse(const char* why, const Function& function) {
  if (!state->refused.empty()) return;
  state->refused = {why, function.name, function.module};
  write_counts(*state, false);
  // An illegal instruction ends QEMU by itself, unless the program tries out what this CPU can do.
  if (why == gather_refused) ::_exit(3);
}

void add(Block& block, int function, const Instruction& instruction) {
  if (block.pieces.empty() || block.pieces.back().function != function) block.pieces.push_back({.function = function});
  auto& piece = block.pieces.back();
  ++piece.instructions;
  if (!instruction.floating) return;
  const auto precision = static_cast<std::size_t>(instruction.precision);
  piece.operations[precision * kinds + static_cast<std::size_t>(instruction.kind)] += instruction.lanes;
  piece.flops[static_cast<std::size_t>(instruction.width)] += instruction.flops();
  block.flops += instruction.flops();
}

/// QEMU translates blocks again when its buffer is full: the same code stays the same block.
Block* known_as(const Block& fresh, std::vector<Block*>& candidates) {
  for (auto* const block : candidates)
    if (block->pieces == fresh.pieces) return block;
  return nullptr;
}

/// QEMU ends a block before an instruction that crosses the end of a page, and names it all the same; its size in QEMU
/// is then that of its part in the page.
bool is_skipped(std::uint64_t address, const Instruction& instruction) {
  constexpr std::uint64_t page = 4096;
  return !state->options.arm && instruction.size > 0 && address / page != (address + instruction.size - 1) / page;
}

void on_translation(qemu_plugin_id_t, qemu_plugin_tb* tb) {
  const std::lock_guard lock(state->mutex);
  if (state->symbols.program.empty())
    if (const char* const path = qemu_plugin_path_to_binary())
      state->symbols.program = std::filesystem::canonical(path);
  auto fresh = std::make_unique<Block>();
  auto count = qemu_plugin_tb_n_insns(tb);
  if (count == 0 || state->blocks.size() >= most_blocks) return note("more code than can be counted");
  for (std::size_t i = 0; i < count; ++i) {
    auto* const insn = qemu_plugin_tb_get_insn(tb, i);
    const auto address = reinterpret_cast<std::uintptr_t>(qemu_plugin_insn_haddr(insn));
    const auto pc = qemu_plugin_insn_vaddr(insn);
    state->address_shift = address - pc;
    // The bytes come from memory, because qemu_plugin_insn_data() cuts an instruction at the end of a page.
    constexpr std::uintptr_t longest = 15;
    const auto instruction = state->decoder.decode(reinterpret_cast<const std::uint8_t*>(address),
                                                   std::min(longest, state->symbols.readable_from(address)), pc);
    if (i > 0 && i + 1 == count && is_skipped(pc, instruction)) {
      --count;
      break;
    }
    const int f = state->symbols.function_at(address, instruction.size);
    if (static_cast<std::size_t>(f) >= most_functions) return note("more functions than can be counted");
    const auto& function = state->symbols.functions()[static_cast<std::size_t>(f)];
    if (instruction.refused) refuse(instruction.refused, function);
    if (!instruction.decoded) note("not decoded, perhaps without its FLOPs: an instruction in " + function.name);
    if (instruction.masked) note("masked loads are counted as whole vectors: in " + function.name);
    fresh->of_program &= function.module == state->symbols.program && function.name[0] != '[';
    if (function.module == state->symbols.program && function.name == "likwid_markerStartRegion")
      note("LIKWID's markers are linked into the program itself, where nothing sees their names: no regions");
    add(*fresh, f, instruction);
    const bool seen = state->options.only.empty() || readable(function.name, function.source) == state->options.only;
    fresh->accesses.push_back(
        seen ? std::make_unique<Access>(Access{f, instruction.streaming, instruction.local, instruction.most_bytes})
             : nullptr);
  }
  auto& candidates = state->by_place[{qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(tb, 0)), count}];
  auto* block = known_as(*fresh, candidates);
  if (!block) {
    fresh->number = state->blocks.size();
    block = state->blocks.emplace_back(std::move(fresh)).get();
    candidates.push_back(block);
  }
  qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, qemu_plugin_no_registers, block);
  for (std::size_t i = 0; i < count && !state->options.levels.empty(); ++i)
    if (auto* const access = block->accesses[i].get())
      qemu_plugin_register_vcpu_mem_cb(qemu_plugin_tb_get_insn(tb, i), on_access, qemu_plugin_no_registers,
                                       qemu_plugin_reads_and_writes, access);
}

void on_cpu(qemu_plugin_id_t, unsigned cpu) {
  const std::lock_guard lock(state->mutex);
  if (cpu >= state->cpus.size()) {
    std::fprintf(stderr, "roofline: more than %zu threads at a time cannot be counted\n", state->cpus.size());
    ::_exit(3);
  }
  if (!state->cpus[cpu]) state->cpus[cpu] = std::make_unique<Cpu>(state->options.levels);
  // One that has ended may have had this number.
  state->cpus[cpu]->marks = false, state->cpus[cpu]->own_regions = 0;
  state->cpus[cpu]->enter(state->cpus[0]->own_regions);
}

/// The text at an address of the program; "?" where it cannot be read.
std::string text_at(std::uint64_t address) {
  char text[256] = "";
  const iovec to{text, sizeof text - 1};
  const iovec from{reinterpret_cast<void*>(address + state->address_shift), sizeof text - 1};
  return ::process_vm_readv(::getpid(), &to, 1, &from, 1, 0) > 0 ? text : "?";
}

/// A thread that marks nothing works for the regions of the first one: OpenMP's, say.
void mark(unsigned cpu, bool opens, const std::string& region) {
  const std::lock_guard lock(state->mutex);
  auto& its = *state->cpus[cpu];
  const int set = opens ? state->regions.open(its.own_regions, region) : state->regions.close(its.own_regions, region);
  if (set < 0) return note("a region was " + std::string(opens ? "opened twice: " : "closed and not open: ") + region);
  its.own_regions = set, its.marks = true;
  its.enter(set);
  for (const auto& other : state->cpus)
    if (cpu == 0 && other && !other->marks) other->enter(set);
}

void on_syscall(qemu_plugin_id_t, unsigned cpu, std::int64_t number, std::uint64_t first, std::uint64_t second,
                std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t) {
  if (::getpid() != state->process) {  // a child counts what it does itself
    const std::lock_guard lock(state->mutex);
    state->process = ::getpid();
    for (const auto& each : state->cpus)
      if (each) each->clear();
    start_keeping();
  }
  if (number == region_call) return mark(cpu, first != 0, text_at(second));
  const auto execve = state->options.arm ? 221 : 59, abort = state->options.arm ? 131 : 234;
  if (number != execve && number != abort) return;
  const std::lock_guard lock(state->mutex);
  if (number == execve) note("another program was started and not counted: " + text_at(first));
  write_counts(*state, number == execve);
}

void on_exit(qemu_plugin_id_t, void*) {
  const std::lock_guard lock(state->mutex);
  for (const auto& cpu : state->cpus)
    if (cpu) cpu->settle();
  write_counts(*state, true);
  state->ended = true;
}

}  // namespace
}  // namespace roofline::any_program

extern "C" __attribute__((visibility("default"))) int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t* info,
                                                                          int argc, char** argv) {
  using namespace roofline::any_program;
  try {
    state = new State(options_of(*info, argc, argv));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "roofline: %s\n", error.what());
    return 1;
  }
  ::pthread_atfork([] { state->mutex.lock(); }, [] { state->mutex.unlock(); }, [] { state->mutex.unlock(); });
  qemu_plugin_register_vcpu_init_cb(id, on_cpu);
  qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
  qemu_plugin_register_vcpu_syscall_cb(id, on_syscall);
  qemu_plugin_register_atexit_cb(id, on_exit, nullptr);
  start_keeping();
  return 0;
}
