#include "bench/any_program/count/inject.hpp"

#include <Zydis/Zydis.h>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/text/output.hpp"

namespace roofline::any_program {
namespace {

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error("counting: " + what); }

/// A shared object as it will lie in the memory of the program.
class Image {
 public:
  Image(const std::filesystem::path& path, std::uint64_t base) : base_(base), file_(read_file(path, 64u << 20)) {
    const auto& header = at<Elf64_Ehdr>(0);
    for (int i = 0; i < header.e_phnum; ++i) {
      const auto& segment = at<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr));
      if (segment.p_type == PT_DYNAMIC) dynamic_ = segment;
      if (segment.p_type != PT_LOAD) continue;
      memory_.resize(std::max<std::size_t>(memory_.size(), segment.p_vaddr + segment.p_filesz));
      size_ = std::max(size_, segment.p_vaddr + segment.p_memsz);
      std::memcpy(memory_.data() + segment.p_vaddr, file_.data() + segment.p_offset, segment.p_filesz);
    }
    for (std::uint64_t at_entry = dynamic_.p_vaddr;; at_entry += sizeof(Elf64_Dyn)) {
      const auto& entry = in_memory<Elf64_Dyn>(at_entry);
      if (entry.d_tag == DT_NULL) break;
      tags_[entry.d_tag] = entry.d_un.d_val;
    }
    entry = header.e_entry;
  }

  std::uint64_t size() const { return size_; }
  void move_to(std::uint64_t base) { base_ = base; }

  /// The addresses of what it offers.
  void add_symbols(std::map<std::string, std::uint64_t>& all) const {
    for (std::uint64_t s = tags_.at(DT_SYMTAB); s < tags_.at(DT_STRTAB); s += sizeof(Elf64_Sym)) {
      const auto& symbol = in_memory<Elf64_Sym>(s);
      if (symbol.st_shndx != SHN_UNDEF && symbol.st_value) all.emplace(name_of(symbol), base_ + symbol.st_value);
    }
  }

  void relocate(const std::map<std::string, std::uint64_t>& symbols) {
    for (const auto& [table, bytes] : {std::pair{DT_RELA, DT_RELASZ}, std::pair{DT_JMPREL, DT_PLTRELSZ}}) {
      if (!tags_.contains(table)) continue;
      for (std::uint64_t r = 0; r < tags_.at(bytes); r += sizeof(Elf64_Rela)) {
        const auto relocation = in_memory<Elf64_Rela>(tags_.at(table) + r);
        const auto type = ELF64_R_TYPE(relocation.r_info);
        std::uint64_t value = base_ + static_cast<std::uint64_t>(relocation.r_addend);
        if (type != R_X86_64_RELATIVE) {
          const auto& symbol =
              in_memory<Elf64_Sym>(tags_.at(DT_SYMTAB) + ELF64_R_SYM(relocation.r_info) * sizeof(Elf64_Sym));
          const auto found = symbols.find(name_of(symbol));
          if (found == symbols.end() && ELF64_ST_BIND(symbol.st_info) != STB_WEAK)
            fail("no function " + name_of(symbol));
          value = (found == symbols.end() ? 0 : found->second) +
                  (type == R_X86_64_64 ? static_cast<std::uint64_t>(relocation.r_addend) : 0);
        }
        std::memcpy(memory_.data() + relocation.r_offset, &value, sizeof value);
      }
    }
  }

  const std::vector<char>& memory() const { return memory_; }
  std::uint64_t entry = 0;

 private:
  template <class T>
  const T& at(std::uint64_t offset) const {
    if (offset + sizeof(T) > file_.size()) fail("a damaged shared object");
    return *reinterpret_cast<const T*>(file_.data() + offset);
  }
  template <class T>
  const T& in_memory(std::uint64_t offset) const {
    if (offset + sizeof(T) > memory_.size()) fail("a damaged shared object");
    return *reinterpret_cast<const T*>(memory_.data() + offset);
  }
  std::string name_of(const Elf64_Sym& symbol) const { return memory_.data() + tags_.at(DT_STRTAB) + symbol.st_name; }

  std::uint64_t base_, size_ = 0;
  std::string file_;
  std::vector<char> memory_;
  Elf64_Phdr dynamic_{};
  std::map<std::int64_t, std::uint64_t> tags_;
};

/// A stopped process that makes system calls for us.
class Stopped {
 public:
  explicit Stopped(pid_t process) : process_(process) {
    if (::ptrace(PTRACE_GETREGS, process, nullptr, &first_) != 0) fail(std::strerror(errno));
    code_ = ::ptrace(PTRACE_PEEKTEXT, process_, first_.rip, nullptr);
    constexpr long call_and_trap = 0xcc050f;
    if (::ptrace(PTRACE_POKETEXT, process_, first_.rip, (code_ & ~0xffffffL) | call_and_trap) != 0)
      fail(std::strerror(errno));
  }
  std::uint64_t begin() const { return first_.rip; }

  std::uint64_t call(long number, std::uint64_t a = 0, std::uint64_t b = 0, std::uint64_t c = 0, std::uint64_t d = 0,
                     std::uint64_t e = 0, std::uint64_t f = 0) {
    auto registers = first_;
    registers.orig_rax = static_cast<unsigned long long>(-1);
    registers.rax = static_cast<unsigned long long>(number), registers.rdi = a, registers.rsi = b, registers.rdx = c;
    registers.r10 = d, registers.r8 = e, registers.r9 = f;
    ::ptrace(PTRACE_SETREGS, process_, nullptr, &registers);
    ::ptrace(PTRACE_CONT, process_, nullptr, nullptr);
    int status = 0;
    if (::waitpid(process_, &status, 0) != process_ || !WIFSTOPPED(status)) fail("the program ended before its begin");
    ::ptrace(PTRACE_GETREGS, process_, nullptr, &registers);
    if (registers.rax > static_cast<unsigned long long>(-4096))
      fail(std::string("the program cannot be given memory: ") + std::strerror(static_cast<int>(-registers.rax)));
    return registers.rax;
  }

  void write(std::uint64_t to, const void* from, std::size_t size) {
    for (std::size_t done = 0; done < size;) {
      const iovec local{const_cast<char*>(static_cast<const char*>(from)) + done, size - done};
      const iovec remote{reinterpret_cast<void*>(to + done), size - done};
      const auto n = ::process_vm_writev(process_, &local, 1, &remote, 1, 0);
      if (n <= 0) fail(std::strerror(errno));
      done += static_cast<std::size_t>(n);
    }
  }

  void go(std::uint64_t at, std::uint64_t argument) {
    ::ptrace(PTRACE_POKETEXT, process_, first_.rip, code_);
    auto registers = first_;
    registers.rip = at, registers.rdi = argument, registers.orig_rax = static_cast<unsigned long long>(-1);
    ::ptrace(PTRACE_SETREGS, process_, nullptr, &registers);
    if (::ptrace(PTRACE_DETACH, process_, nullptr, nullptr) != 0) fail(std::strerror(errno));
  }

 private:
  pid_t process_;
  user_regs_struct first_{};
  long code_ = 0;
};

}  // namespace

SharedLedger::SharedLedger() {
  constexpr unsigned long fsgsbase = 2;
  if (!(::getauxval(AT_HWCAP2) & fsgsbase)) fail("this kernel or CPU lets no program set GS (FSGSBASE; Linux 5.9)");
  const int low = ::memfd_create("roofline", MFD_CLOEXEC);
  constexpr int high = 64;  // where a launched program does not close it
  file_ = low < 0 ? -1 : ::fcntl(low, F_DUPFD, high);
  ::close(low);
  if (file_ < 0 || ::ftruncate(file_, sizeof(Ledger)) != 0) fail(std::strerror(errno));
  void* const at = ::mmap(nullptr, sizeof(Ledger), PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  if (at == MAP_FAILED) fail(std::strerror(errno));
  ledger_ = static_cast<Ledger*>(at);
  ledger_->records = ledger_->modules = 1;
}

SharedLedger::~SharedLedger() {
  ::munmap(ledger_, sizeof(Ledger));
  ::close(file_);
}

void inject_counter(pid_t process, const std::filesystem::path& counter, const SharedLedger& ledger) {
  Dl_info zydis{};
  if (!::dladdr(reinterpret_cast<const void*>(&ZydisDecoderInit), &zydis)) fail("no libZydis");
  Image own(counter, 0), decoder(zydis.dli_fname, 0);
  constexpr std::uint64_t page = 4096;
  const auto decoder_at = (own.size() + page - 1) / page * page;
  const auto size = (decoder_at + decoder.size() + page - 1) / page * page;
  Stopped stopped(process);
  const auto base = stopped.call(SYS_mmap, 0, size, PROT_READ | PROT_WRITE | PROT_EXEC,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, static_cast<std::uint64_t>(-1), 0);
  const auto file = static_cast<std::uint64_t>(ledger.file());
  // It is large: elsewhere than next to the program's code, where copies of that code need room.
  constexpr std::uint64_t far_from_all = 0x2000'0000'0000;
  const auto shared = stopped.call(SYS_mmap, far_from_all, sizeof(Ledger), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  stopped.call(SYS_madvise, shared, sizeof(Ledger), MADV_DONTDUMP);
  stopped.call(SYS_close, file);
  own.move_to(base), decoder.move_to(base + decoder_at);
  std::map<std::string, std::uint64_t> symbols;
  own.add_symbols(symbols), decoder.add_symbols(symbols);
  own.relocate(symbols), decoder.relocate(symbols);
  stopped.write(base, own.memory().data(), own.memory().size());
  stopped.write(base + decoder_at, decoder.memory().data(), decoder.memory().size());
  ledger->begin = stopped.begin();
  ledger->image_from = base, ledger->image_to = base + size;
  stopped.go(base + own.entry, shared);
}

}  // namespace roofline::any_program
