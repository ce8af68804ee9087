// Instructions that the decoder puts in by itself.
#pragma once

#include "bench/virtual_gpu/program/program.hpp"

namespace roofline::ptx {

using Body = void(Warp&, const Instruction&);

/// Stands where an unsupported instruction is; never reached, launches are refused before.
Body unknown_instruction;
/// immediate: target block.
Body plain_branch;
/// list: words of the arguments; d: number of the function. A direct call.
Body direct_call;
/// a: slot of the function's address; else as a direct call.
Body indirect_call;
/// size: Builtin; list: words of the arguments. Results go to the argument area.
Body builtin_call;
/// The end of a device function; d: its number.
Body function_return;
/// list: slots that take the words of the argument area, behind a call.
Body take_results;
/// d <- address of local memory of a recursive function; a: its number, immediate: offset.
Body recursive_local;
/// All lanes of d <- the scalar a; flags 1: 8 bytes.
Body broadcast;
/// Runs `inner` in the lanes whose guard is true.
Body guarded;
/// matrix: a TracedKind, encoded. Hands addresses to SlicedWorker::sink; neither checks nor counts them.
Body trace_access;

}  // namespace roofline::ptx
