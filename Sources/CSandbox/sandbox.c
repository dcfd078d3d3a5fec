#define _GNU_SOURCE
#include "sandbox.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { seconds_of_wall = 30, seconds_of_cpu = 20 };
static const rlim_t address_space = (rlim_t) 1 << 30;

void letsmeet_sandbox_set_alarm(void) {
    alarm(seconds_of_wall);
}

static int set_limit(int resource, rlim_t value) {
    struct rlimit limit = {value, value};
    return setrlimit(resource, &limit);
}

static int set_limits(void) {
    return set_limit(RLIMIT_AS, address_space) | set_limit(RLIMIT_CPU, seconds_of_cpu) |
        set_limit(RLIMIT_FSIZE, 0) | set_limit(RLIMIT_CORE, 0) | set_limit(RLIMIT_NOFILE, 16);
}

// The rights of a Landlock ABI. A right that the kernel does not know makes it refuse the rules.
static uint64_t rights_of_files(long version) {
    uint64_t rights = ((uint64_t) 1 << 13) - 1;
    if (version >= 2) rights |= (uint64_t) 1 << 13;
    if (version >= 3) rights |= (uint64_t) 1 << 14;
    return rights;
}

static int close_files(void) {
    long version = syscall(
        SYS_landlock_create_ruleset, NULL, (size_t) 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1) return -1;
    struct landlock_ruleset_attr rules = {.handled_access_fs = rights_of_files(version)};
    // The first field is enough for all versions: later fields handle the network.
    long file = syscall(SYS_landlock_create_ruleset, &rules, sizeof(uint64_t), 0);
    if (file < 0) return -1;
    long status = syscall(SYS_landlock_restrict_self, (int) file, 0);
    close((int) file);
    return (int) status;
}

#if defined(__x86_64__)
#define THIS_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define THIS_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef THIS_ARCHITECTURE
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ANSWER(action) BPF_STMT(BPF_RET | BPF_K, action)
#define CALL(name, action) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1), ANSWER(action)
#define ALLOW(name) CALL(name, SECCOMP_RET_ALLOW)
#define DENY(name) CALL(name, SECCOMP_RET_ERRNO | EACCES)

static struct sock_filter filter[] = {
    LOAD(arch),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, THIS_ARCHITECTURE, 1, 0),
    ANSWER(SECCOMP_RET_KILL_PROCESS),
    LOAD(nr),
    ALLOW(read), ALLOW(write), ALLOW(writev), ALLOW(close), ALLOW(fstat), ALLOW(lseek),
    ALLOW(mmap), ALLOW(munmap), ALLOW(mremap), ALLOW(mprotect), ALLOW(madvise), ALLOW(brk),
    ALLOW(futex), ALLOW(set_robust_list), ALLOW(rseq), ALLOW(rt_sigprocmask), ALLOW(rt_sigreturn),
    ALLOW(exit), ALLOW(exit_group), ALLOW(clock_gettime), ALLOW(clock_getres),
    ALLOW(clock_nanosleep), ALLOW(nanosleep), ALLOW(gettimeofday), ALLOW(sched_yield),
    ALLOW(sched_getaffinity), ALLOW(getrandom), ALLOW(ppoll), ALLOW(getpid), ALLOW(gettid),
    ALLOW(tgkill), ALLOW(prctl), ALLOW(umask), ALLOW(restart_syscall), ALLOW(sigaltstack),
    ALLOW(rt_sigaction),
#if defined(__x86_64__)
    ALLOW(poll), ALLOW(time), DENY(open), DENY(access), DENY(readlink), DENY(unlink), DENY(stat),
    DENY(lstat),
#endif
    DENY(openat), DENY(newfstatat), DENY(statx), DENY(faccessat), DENY(readlinkat), DENY(unlinkat),
    DENY(socket), DENY(getpeername), DENY(getsockopt), DENY(ioctl), DENY(fcntl), DENY(uname),
    DENY(sysinfo), DENY(sched_setscheduler), DENY(sched_getparam), DENY(sched_getscheduler),
    DENY(sched_setaffinity), DENY(getcwd), DENY(memfd_create), DENY(prlimit64),
    // Libraries then use clone, whose flags can be checked: threads, and no processes.
    CALL(clone3, SECCOMP_RET_ERRNO | ENOSYS),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
    LOAD(args[0]),
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1),
    ANSWER(SECCOMP_RET_ALLOW),
    ANSWER(SECCOMP_RET_KILL_PROCESS),
};

static int add_filter(struct sock_filter *calls, unsigned short count) {
    struct sock_fprog program = {count, calls};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

// Signals only to this process itself, as in abort(3). One to another process could end the
// daemon, which runs as the same user.
static int close_signals(void) {
    struct sock_filter calls[] = {
        LOAD(nr),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_tgkill, 0, 3),
        LOAD(args[0]),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t) getpid(), 1, 0),
        ANSWER(SECCOMP_RET_ERRNO | EACCES),
        ANSWER(SECCOMP_RET_ALLOW),
    };
    return add_filter(calls, sizeof calls / sizeof calls[0]);
}

static int close_calls(void) {
    return close_signals() | add_filter(filter, sizeof filter / sizeof filter[0]);
}
#else
static int close_calls(void) {
    return -1;
}
#endif

int letsmeet_sandbox_enter(void) {
    int parts = 0;
    if (set_limits() == 0) parts |= letsmeet_sandbox_limits;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return parts;
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    if (close_files() == 0) parts |= letsmeet_sandbox_files;
    if (close_calls() == 0) parts |= letsmeet_sandbox_calls;
    return parts;
}
