#include "tools/roofline/flags.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>

namespace roofline::cli {

Flag& Flag::required() { return option_->required(), *this; }
Flag& Flag::type_name(const std::string& name) { return option_->type_name(name), *this; }
Flag& Flag::shows_default() { return option_->capture_default_str(), *this; }
Flag& Flag::one_value() { return option_->allow_extra_args(false), *this; }
Flag& Flag::one_of(const std::vector<std::string>& values) { return option_->check(CLI::IsMember(values)), *this; }

Flag& Flag::between(double low, double high) {
  option_->check(CLI::Validator(
      [=](std::string& text) {  // CLI::Range takes "nan"
        double value = 0;
        const bool inside = CLI::detail::lexical_cast(text, value) && value >= low && value <= high;
        return inside ? std::string() : fmt::format("'{}' is no number from {} to {}", text, low, high);
      },
      fmt::format("[{} .. {}]", low, high)));
  return *this;
}

Flag Flags::add(const std::string& names, bool& value, const std::string& about) {
  return Flag(*app_->add_flag(names, value, about));
}
Flag Flags::add(const std::string& names, int& value, const std::string& about) {
  return Flag(*app_->add_option(names, value, about));
}
Flag Flags::add(const std::string& names, std::size_t& value, const std::string& about) {
  return Flag(*app_->add_option(names, value, about));
}
Flag Flags::add(const std::string& names, double& value, const std::string& about) {
  return Flag(*app_->add_option(names, value, about));
}
Flag Flags::add(const std::string& names, std::string& value, const std::string& about) {
  return Flag(*app_->add_option(names, value, about));
}
Flag Flags::add(const std::string& names, std::vector<std::string>& values, const std::string& about) {
  return Flag(*app_->add_option(names, values, about));
}

Flag Flags::add_seconds(const std::string& names, double& value, const std::string& about) {
  auto* const option = app_->add_option(names, value, about);
  option->transform(CLI::AsNumberWithUnit(std::map<std::string, double>{{"s", 1}, {"min", 60}, {"h", 3600}}));
  return Flag(*option);
}

void Flags::exclude(const std::string& flag, const std::vector<std::string>& others) {
  for (const auto& other : others) app_->get_option(flag)->excludes(app_->get_option(other));
}

void Flags::need(const std::string& flag, const std::string& needed) {
  app_->get_option(flag)->needs(app_->get_option(needed));
}

void Flags::all_need(const std::string& flag) {
  auto* const needed = app_->get_option(flag);
  for (auto* const option : app_->get_options())
    if (option != needed && option->get_name() != "--help") option->needs(needed);
}

void Flags::footer(const std::string& text) { app_->footer(text); }

Flags Flags::part(const char* name, const char* about) {
  app_->require_subcommand(1);
  return Flags(*app_->add_subcommand(name, about));
}

bool Flags::is_chosen() const { return app_->parsed(); }

}  // namespace roofline::cli
