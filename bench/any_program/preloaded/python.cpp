// SPDX-License-Identifier: MIT
// Preloaded into Python: each line of the program's own files is a region while it is executed, with all that it calls.
// Timed, each line has an entry. Counted, lines that took long by themselves are marked: the work of those is in
// extension modules. All others together are "[python]".
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "bench/any_program/preloaded/regions.hpp"

namespace {

using namespace roofline::any_program;

/// An object of Python's, and the functions that every version of it offers.
struct Object;
using Trace = int (*)(Object*, Object*, int, Object*);
template <class Function>
Function* python(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_DEFAULT, name));
}
Object* (*code_of)(Object*);
Object* (*caller_of)(Object*);
int (*line_of)(Object*);
void (*release)(Object*);

/// The known facts about the code of a function. It is kept, so that its address stays its own.
struct Code {
  Object* object;
  const char* file;  ///< null: it is not the program's own
};
struct Line {
  const char* file;
  int number;
  PreloadedRegion* region;
};
constexpr std::size_t most_codes = 1 << 14, most_lines = 1 << 14;
Code codes[most_codes];
Line lines[most_lines];
PreloadedRegion others{};
PreloadedRegion* kept;     ///< counted: the entries of the timed run
PreloadedRegion* current;  ///< the line that is executed

/// Where an entry of a table is, or shall be. Null: the table is full.
template <class Entry, std::size_t size, class Is>
Entry* find(Entry (&table)[size], std::size_t hash, const Is& is) {
  for (std::size_t i = 0; i < size; ++i)
    if (auto& entry = table[(hash + i) & (size - 1)]; is(entry)) return &entry;
  return nullptr;
}

/// The file of a function of the program itself, without its folder; null: of a library or of Python's own.
const char* own_file(Object* code) {
  const auto address = reinterpret_cast<std::size_t>(code);
  auto* const entry = find(codes, address >> 5, [&](const Code& c) { return c.object == code || !c.object; });
  if (!entry) return nullptr;
  if (entry->object) return entry->file;
  entry->object = code;
  python<void(Object*)>("Py_IncRef")(code);
  auto* const name = python<Object*(Object*, const char*)>("PyObject_GetAttrString")(code, "co_filename");
  const char* const path = name ? python<const char*(Object*)>("PyUnicode_AsUTF8")(name) : nullptr;
  const bool is_own = path && path[0] != '<' && !std::strstr(path, "/lib/python") &&
                      !std::strstr(path, "/site-packages/") && !std::strstr(path, "/dist-packages/");
  const char* const slash = is_own ? std::strrchr(path, '/') : nullptr;
  return entry->file = slash ? slash + 1 : is_own ? path : nullptr;
}

PreloadedRegion* region_of(const char* file, int number) {
  const auto hash = reinterpret_cast<std::size_t>(file) * 31 + static_cast<std::size_t>(number);
  auto* const line =
      find(lines, hash, [&](const Line& l) { return !l.file || (l.file == file && l.number == number); });
  if (!line) return &others;
  if (line->file) return line->region;
  char name[sizeof others.name];
  std::snprintf(name, sizeof name, "%s:%d", file, number);
  *line = {file, number, &others};
  if (regions) {
    if (auto* const fresh = region_of_thread(name)) line->region = fresh, fresh->is_line = 1;
  } else {
    for (auto* region = kept; region < kept + most_regions && region->name[0]; ++region)
      if (std::strcmp(region->name, name) == 0 && !is_cold(*region)) line->region = region;
  }
  return line->region;
}

void go_to(PreloadedRegion* next) {
  if (next == current) return;
  if (regions) {
    const auto at = nanoseconds_now();
    if (current) ++current->calls, current->nanoseconds += at - current->begin;
    if (next) next->begin = at;
  } else {
    if (current) mark(current->name, false);
    if (next) mark(next->name, true);
  }
  current = next;
}

int trace(Object*, Object* frame, int what, Object*) {
  constexpr int line = 2, returns = 3;
  if (what != line && what != returns) return 0;
  auto* code = code_of(frame);
  const char* file = own_file(code);
  release(code);
  if (!file) return 0;
  if (what == line) return go_to(region_of(file, line_of(frame))), 0;
  // Back in the line of the caller, or of its caller where libraries lie between.
  file = nullptr;
  int number = 0;
  for (auto* at = caller_of(frame); at;) {
    code = code_of(at);
    file = own_file(code);
    release(code);
    number = line_of(at);
    auto* const next = file ? nullptr : caller_of(at);
    release(at);
    at = next;
  }
  go_to(file ? region_of(file, number) : nullptr);
  return 0;
}

/// Called by Python itself before the first line of the script.
int begin(void*) {
  code_of = python<Object*(Object*)>("PyFrame_GetCode");
  caller_of = python<Object*(Object*)>("PyFrame_GetBack");
  line_of = python<int(Object*)>("PyFrame_GetLineNumber");
  release = python<void(Object*)>("Py_DecRef");
  auto* const set_trace = python<void(Trace, Object*)>("PyEval_SetTrace");
  if (!code_of || !caller_of || !line_of || !release || !set_trace) return 0;
  std::strcpy(others.name, python_region);
  if (regions) {
    if (auto* const all = region_of_thread(python_region)) all->is_line = 1;
  } else {
    const char* const path = std::getenv("ROOFLINE_LINES_FILE");
    kept = path ? map_file(path, false) : nullptr;
    if (!kept) return 0;  // no line is known to take long
  }
  set_trace(trace, nullptr);
  return 0;
}

}  // namespace

extern "C" {
/// Python opens its script by it, when it can be asked for something.
FILE* fopen64(const char* path, const char* mode) {
  auto* const next = reinterpret_cast<FILE* (*)(const char*, const char*)>(::dlsym(RTLD_NEXT, "fopen64"));
  static bool begun;
  auto* const is_ready = begun ? nullptr : python<int()>("Py_IsInitialized");
  if (is_ready && is_ready()) {
    begun = true;
    python<int(int (*)(void*), void*)>("Py_AddPendingCall")(begin, nullptr);
  }
  return next(path, mode);
}
}
