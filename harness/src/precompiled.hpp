// Headers of libraries that most files of the harness include, compiled once for all. Every file
// includes what it uses all the same: CI compiles once without this header.

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <opencv2/core.hpp>
#include <optional>
#include <string>
#include <vector>
