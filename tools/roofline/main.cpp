namespace roofline::cli {

/// Runs the subcommand that a command line names; its exit code. The rest is in subcommand.cpp, which tests link as
/// well.
int command(int argc, char** argv);

}  // namespace roofline::cli

int main(int argc, char** argv) { return roofline::cli::command(argc, argv); }
