#include "check/intake.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <numeric>
#include <optional>
#include <regex>
#include <utility>

#include "common/error.hpp"
#include "sandbox/descriptor.hpp"
#include "sandbox/process.hpp"

namespace grading {
namespace {

constexpr std::size_t most_files = 16;
constexpr std::size_t largest_file = 256 << 10;
const std::regex variant_file("(?:[0-9]{1,3}_)?((omp|cuda)_[a-z0-9_]+)\\.(cpp|cu)");
const std::regex rung_number("^[0-9]{1,3}_");
constexpr const char* answers_file = "answers.txt";
constexpr std::size_t longest_name = 64;
constexpr int deepest = 4;                   // folders in folders
constexpr std::size_t most_names = 100'000;  // of all files
constexpr std::size_t most_others = 50;      // that are named

bool is_expected(const std::string& name) {
    return name == answers_file ||
           (name.size() <= longest_name && std::regex_match(name, variant_file));
}

/// The names of variants' files in a folder, sorted.
std::vector<std::string> variant_names_in(const Descriptor& folder, const std::string& path) {
    const int copy = fcntl(folder.get(), F_DUPFD_CLOEXEC, 0);
    const std::unique_ptr<DIR, int (*)(DIR*)> entries(fdopendir(copy), closedir);
    if (!entries) throw common::BadUsage(path + ": cannot be read");
    std::vector<std::string> names;
    std::size_t count = 0;
    while (const dirent* entry = readdir(entries.get())) {
        if (++count > most_names) throw common::BadUsage(path + ": has more than 100000 files");
        std::string name = entry->d_name;
        if (!is_expected(name) || name == answers_file) continue;
        names.push_back(std::move(name));
    }
    std::sort(names.begin(), names.end());
    return names;
}

/// The content, or why the file is not taken. It is opened once, so that it cannot become another
/// one between the checks and the reading, and without waiting, as a pipe would make us.
std::optional<std::string> read_file(const Descriptor& folder, const std::string& name,
                                     std::string& content) {
    const Descriptor file(
        openat(folder.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat status {};
    if (!file.is_open() && errno == ELOOP) return "is a symbolic link";
    if (!file.is_open() || fstat(file.get(), &status) != 0) return "cannot be read";
    if (!S_ISREG(status.st_mode)) return "is no regular file";
    if (status.st_nlink != 1) return "has another name as well (a hard link)";
    content.resize(largest_file + 1);
    std::size_t size = 0;
    while (size < content.size()) {
        const ssize_t count = read(file.get(), content.data() + size, content.size() - size);
        if (count < 0) return "cannot be read";
        if (count == 0) break;
        size += static_cast<std::size_t>(count);
    }
    content.resize(size);
    if (size > largest_file) return "is larger than 256 KB";
    return std::nullopt;
}

/// Lists the files of the folder and of the hand-in's folders, as a clone has them.
std::vector<std::filesystem::path> files_in(const std::filesystem::path& submission) {
    namespace fs = std::filesystem;
    std::error_code unreadable;
    std::vector<fs::path> found;
    std::size_t count = 0;
    for (fs::recursive_directory_iterator entry(submission, unreadable), end;
         entry != end && ++count <= most_names; entry.increment(unreadable)) {
        const bool is_folder = entry->symlink_status(unreadable).type() == fs::file_type::directory;
        if (entry.depth() >= deepest || entry->path().filename().string().starts_with('.')) {
            entry.disable_recursion_pending();  // .git
        }
        if (!is_folder) found.push_back(entry->path().lexically_relative(submission));
    }
    std::sort(found.begin(), found.end());
    return found;
}

/// Variants' files and answers in folders of the hand-in are not taken. `most` at most. Returns
/// whether the file is among the refused ones.
bool is_refused_in_folder(const std::filesystem::path& file, std::size_t most, Intake& intake) {
    const std::string name = file.filename();
    std::smatch parts;
    const std::string variant = std::regex_match(name, parts, variant_file) ? parts[1].str() : name;
    const auto same = [&](const auto& other) { return other.variant == variant; };
    if (std::ranges::any_of(intake.files, same) || std::ranges::any_of(intake.refused, same) ||
        (name == answers_file && !intake.answers.empty()) || intake.refused.size() >= most) {
        return false;
    }
    intake.refused.push_back({variant, name,
                              fmt::format("is in the folder '{}': hand in files without folders",
                                          printable(file.parent_path().string(), 100))});
    return true;
}

/// How many letters differ (Levenshtein); none where the name has the other one in it.
std::size_t distance(const std::string& name, const std::string& expected) {
    if (name.find(expected.substr(0, expected.find('.'))) != std::string::npos) return 0;
    std::vector<std::size_t> row(expected.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t y = 0; y < name.size(); ++y) {
        std::size_t diagonal = std::exchange(row[0], y + 1);
        for (std::size_t x = 0; x < expected.size(); ++x) {
            const std::size_t changed = diagonal + (name[y] != expected[x] ? 1 : 0);
            diagonal = std::exchange(row[x + 1], std::min({changed, row[x] + 1, row[x + 1] + 1}));
        }
    }
    return row.back();
}

/// The expected name that a file is nearly called; "" if it is called otherwise.
std::string nearest(std::string name, const std::vector<std::string>& expected) {
    name.resize(std::min(name.size(), longest_name));
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
    const auto from = [&](const std::string& other) { return distance(name, other); };
    const auto least = std::ranges::min_element(expected, {}, from);
    return least != expected.end() && from(*least) <= least->size() / 3 ? *least : "";
}

void name_others(const std::vector<std::filesystem::path>& files,
                 const std::vector<std::string>& expected, Intake& intake) {
    std::vector<OtherFile> far;
    for (const std::filesystem::path& file : files) {
        std::string name = printable(file.string(), 100);
        std::ranges::replace(name, '\n', ' ');
        if (is_expected(file.filename())) {
            far.push_back(
                {name, "is in a folder, and another file of this name or 16 files are not"});
            continue;
        }
        const std::string plain = std::regex_replace(file.filename().string(), rung_number, "");
        if (std::ranges::find(expected, plain) != expected.end()) {
            far.push_back({name, "is left to a person"});  // MPI
            continue;
        }
        const std::string near = nearest(file.filename(), expected);
        const std::string what = "is not called [NN_](omp|cuda)_NAME.(cpp|cu) or answers.txt";
        if (near.empty()) {
            far.push_back({name, what});
        } else {
            intake.others.push_back({name, what + "; the nearest expected name is " + near});
        }
    }
    intake.others.insert(intake.others.end(), far.begin(), far.end());
    if (intake.others.size() <= most_others) return;
    const std::size_t more = intake.others.size() - most_others;
    intake.others.resize(most_others);
    intake.others.push_back({"", fmt::format("and {} more files", more)});
}

}  // namespace

Intake take_in(const std::filesystem::path& submission, const std::vector<std::string>& expected) {
    const Descriptor folder(open(submission.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folder.is_open()) throw common::BadUsage(submission.string() + ": is no readable folder");
    std::vector<std::string> names = variant_names_in(folder, submission.string());
    const std::size_t others = names.size() - std::min(names.size(), most_files);
    names.resize(names.size() - others);
    Intake intake;
    for (const std::string& name : names) {
        std::smatch parts;
        std::regex_match(name, parts, variant_file);
        SubmittedFile file{.variant = parts[1], .file = name, .content = {}};
        file.on_device = parts[2] == "cuda";
        const auto same = [&](const SubmittedFile& other) { return other.variant == file.variant; };
        std::optional<std::string> reason = read_file(folder, name, file.content);
        if (file.on_device != (parts[3] == "cu")) {
            reason = "omp variants are .cpp files, cuda variants are .cu files";
        } else if (std::any_of(intake.files.begin(), intake.files.end(), same)) {
            reason = "there are two files for this variant";
        }
        if (reason) {
            intake.refused.push_back({file.variant, name, *reason});
        } else {
            intake.files.push_back(std::move(file));
        }
    }
    if (faccessat(folder.get(), answers_file, F_OK, AT_SYMLINK_NOFOLLOW) == 0) {
        if (const auto reason = read_file(folder, answers_file, intake.answers)) {
            intake.answers.clear();
            intake.refused.push_back({answers_file, answers_file, *reason});
        }
    }
    std::vector<std::filesystem::path> others_found = files_in(submission);
    const std::size_t most_refused = intake.refused.size() + most_files - names.size();
    std::error_code unreadable;
    std::erase_if(others_found, [&](const std::filesystem::path& file) {
        if (!is_expected(file.filename())) return false;
        return !file.has_parent_path() ||
               (std::filesystem::symlink_status(submission / file, unreadable).type() ==
                    std::filesystem::file_type::regular &&
                is_refused_in_folder(file, most_refused, intake));
    });
    name_others(others_found, expected, intake);
    if (others > 0) {
        intake.refused.push_back(
            {"more than 16", "", fmt::format("and {} more files are not looked at", others)});
    }
    return intake;
}

}  // namespace grading
