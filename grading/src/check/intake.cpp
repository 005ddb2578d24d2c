#include "check/intake.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <regex>

#include "common/error.hpp"
#include "sandbox/descriptor.hpp"
#include "sandbox/process.hpp"

namespace grading {
namespace {

constexpr std::size_t most_files = 16;
constexpr std::size_t most_bytes = 256 << 10;
const std::regex variant_file("(?:[0-9]{1,3}_)?((omp|cuda)_[a-z0-9_]+)\\.(cpp|cu)");
constexpr const char* answers_file = "answers.txt";
constexpr std::size_t longest_name = 64;
constexpr int deepest = 4;                   // folders in folders
constexpr std::size_t most_names = 100'000;  // of all files

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
        if (name.size() > longest_name || !std::regex_match(name, variant_file)) continue;
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
    content.resize(most_bytes + 1);
    std::size_t size = 0;
    while (size < content.size()) {
        const ssize_t count = read(file.get(), content.data() + size, content.size() - size);
        if (count < 0) return "cannot be read";
        if (count == 0) break;
        size += static_cast<std::size_t>(count);
    }
    content.resize(size);
    if (size > most_bytes) return "is larger than 256 KB";
    return std::nullopt;
}

/// Variants' files and answers in folders of the hand-in, as in a clone: they are not taken, but
/// named. `most` at most.
void name_files_in_folders(const std::filesystem::path& submission, std::size_t most,
                           Intake& intake) {
    namespace fs = std::filesystem;
    std::error_code unreadable;
    std::vector<fs::path> found;
    std::size_t count = 0;
    for (fs::recursive_directory_iterator entry(submission, unreadable), end;
         entry != end && ++count <= most_names; entry.increment(unreadable)) {
        const std::string name = entry->path().filename();
        if (entry.depth() >= deepest) entry.disable_recursion_pending();
        if (entry.depth() == 0 || name.size() > longest_name) continue;
        if (name != answers_file && !std::regex_match(name, variant_file)) continue;
        if (entry->symlink_status(unreadable).type() != fs::file_type::regular) continue;
        found.push_back(entry->path().lexically_relative(submission));
    }
    std::sort(found.begin(), found.end());
    for (const fs::path& file : found) {
        const std::string name = file.filename();
        std::smatch parts;
        const std::string variant =
            std::regex_match(name, parts, variant_file) ? parts[1].str() : name;
        const auto same = [&](const auto& other) { return other.variant == variant; };
        if (std::ranges::any_of(intake.files, same) || std::ranges::any_of(intake.refused, same) ||
            (name == answers_file && !intake.answers.empty())) {
            continue;
        }
        if (most-- == 0) return;
        intake.refused.push_back(
            {variant, name,
             fmt::format("is in the folder '{}': hand in files without folders",
                         printable(file.parent_path().string(), 100))});
    }
}

}  // namespace

Intake take_in(const std::filesystem::path& submission) {
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
    name_files_in_folders(submission, most_files - names.size(), intake);
    if (others > 0) {
        intake.refused.push_back(
            {"more than 16", "", fmt::format("and {} more files are not looked at", others)});
    }
    return intake;
}

}  // namespace grading
