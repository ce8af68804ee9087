// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>

/// The functions of QEMU's plugin interface, version 1 (QEMU 6 to 8), that this plugin calls. It is written from its
/// documentation, because distributions do not package the header.
extern "C" {
struct qemu_plugin_tb;    // a block of translated instructions
struct qemu_plugin_insn;  // an instruction of it
struct qemu_info_t {
  const char* target_name;
  struct {
    int min, cur;
  } version;
  bool system_emulation;
};
using qemu_plugin_id_t = std::uint64_t;

constexpr int qemu_plugin_no_registers = 0;  ///< a callback looks at no register of the program
constexpr int qemu_plugin_reads_and_writes = 3;

void qemu_plugin_register_vcpu_init_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, unsigned cpu));
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, qemu_plugin_tb*));
void qemu_plugin_register_vcpu_tb_exec_cb(qemu_plugin_tb*, void (*)(unsigned cpu, void*), int registers, void*);
void qemu_plugin_register_vcpu_mem_cb(qemu_plugin_insn*,
                                      void (*)(unsigned cpu, std::uint32_t info, std::uint64_t address, void*),
                                      int registers, int accesses, void*);
void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id_t,
                                          void (*)(qemu_plugin_id_t, unsigned cpu, std::int64_t number, std::uint64_t,
                                                   std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t,
                                                   std::uint64_t, std::uint64_t, std::uint64_t));
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, void*), void*);
std::size_t qemu_plugin_tb_n_insns(const qemu_plugin_tb*);
qemu_plugin_insn* qemu_plugin_tb_get_insn(const qemu_plugin_tb*, std::size_t);
std::uint64_t qemu_plugin_insn_vaddr(const qemu_plugin_insn*);
void* qemu_plugin_insn_haddr(const qemu_plugin_insn*);
unsigned qemu_plugin_mem_size_shift(std::uint32_t info);
bool qemu_plugin_mem_is_store(std::uint32_t info);
const char* qemu_plugin_path_to_binary();
}
