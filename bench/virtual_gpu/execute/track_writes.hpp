#pragma once

namespace roofline::ptx {

/// Whether allocations from now on know which of their bytes were written, for the init check; yes at first. It costs
/// an eighth of their size.
void track_writes(bool track);

}  // namespace roofline::ptx
