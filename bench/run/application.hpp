#pragma once

namespace roofline {

/// A whole program: reads the command line, measures, prints, writes; --help explains. Families, ceilings and reports
/// are those that are linked in. Returns the exit code, see ExitCode.
int main(int argc, char** argv);

}  // namespace roofline
