#pragma once

namespace CLI {
class App;
}

namespace roofline {

/// Refuses a value that is missing, empty, given twice, or given to a flag that takes none. Throws CLI::ParseError with
/// one line: the library's own do not name hidden flags, and let an empty value pass as if the flag were not there.
void require_values(const CLI::App& app, int argc, const char* const* argv);

}  // namespace roofline
