#pragma once
#include <exception>
#include <string>

namespace roofline::testing {

/// The message of the error that `act` throws; "no error" if it throws none. Errors of other types than `Error` pass.
template <class Error = std::exception, class Act>
std::string error_of(Act act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace roofline::testing
