#include "sandbox/user.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <set>

namespace grading {
namespace {

namespace fs = std::filesystem;

constexpr uid_t first_user = 1'879'000'000;  // far from the ids of people, services and containers
constexpr int users = 1000;

/// A folder that only this user can write. It has to allow programs, which /run does not. Without
/// root there are no user ids to take, so it may differ from service to service.
fs::path own_folder() {
    const uid_t me = geteuid();
    const fs::path path =
        me == 0 ? "/var/lib/labs-grade" : "/var/tmp/labs-grade-" + std::to_string(me);
    if (mkdir(path.c_str(), 0711) == 0) {
        checked(chmod(path.c_str(), 0711), path.string());  // whatever the umask says
    }
    struct stat status {};
    checked(lstat(path.c_str(), &status), path.string());
    if (!S_ISDIR(status.st_mode) || status.st_uid != me || (status.st_mode & 022) != 0) {
        throw common::Failed(path.string() + ": is not a folder of this user alone");
    }
    return path;
}

/// The users of all processes that can be seen.
std::set<uid_t> busy_users() {
    std::set<uid_t> busy;
    std::error_code gone;
    for (fs::directory_iterator entry("/proc", gone), end; entry != end; entry.increment(gone)) {
        struct stat status {};
        if (stat(entry->path().c_str(), &status) == 0) busy.insert(status.st_uid);
    }
    return busy;
}

}  // namespace

Lease::Lease() {
    take_user();
    make_folder();
}

void Lease::take_user() {
    const fs::path folder = own_folder();
    const bool is_root = geteuid() == 0;
    for (int i = 0; i < users; ++i) {
        const fs::path path = folder / std::to_string(i);
        lock_ = Descriptor(checked(open((path.string() + ".lock").c_str(),
                                        O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600),
                                   path.string()));
        if (flock(lock_.get(), LOCK_EX | LOCK_NB) != 0) continue;
        const uid_t user = first_user + static_cast<uid_t>(i);
        if (is_root && busy_users().contains(user)) continue;  // of a grading that was killed
        folder_ = path;
        if (is_root) user_ = user;
        return;
    }
    throw common::Failed("more than 1000 gradings at the same time");
}

void Lease::make_folder() const {
    fs::remove_all(folder_);
    checked(mkdir(folder_.c_str(), 0711), folder_.string());
    checked(chmod(folder_.c_str(), 0711), folder_.string());
}

Lease::~Lease() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
}

}  // namespace grading
