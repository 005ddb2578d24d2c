#pragma once

// A lab's own command-line options. Labs do not include CLI11 themselves: it is a header of 10,000
// lines, and each file that includes it takes seconds longer to compile.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace harness {

/// Adds options to a subcommand. The values are set when the command line is parsed and have to
/// live as long. A value that is not accepted ends the program with exit code 2.
class CommandOptions {
  public:
    explicit CommandOptions(CLI::App& command) : command_(command) {}

    std::string subcommand() const;  ///< "run" or "bench"

    void text(const std::string& name, std::string& value, const std::string& what);
    /// `choose` gets one of `choices`, if the option is given.
    void choice(const std::string& name, const std::vector<std::string>& choices,
                const std::function<void(const std::string&)>& choose, const std::string& what);
    void integer(const std::string& name, std::optional<int>& value, const std::string& what,
                 std::uint32_t lowest, std::uint32_t highest);
    void real(const std::string& name, std::optional<double>& value, const std::string& what);
    /// Images, like INPUT of `run`: scenes, or files that exist.
    void inputs(const std::string& name, std::vector<std::string>& values, const std::string& what);

  private:
    CLI::App& command_;
};

}  // namespace harness
