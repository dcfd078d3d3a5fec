// timerfd(2), which is missing from Swift's Glibc module.
#ifndef LETSMEET_CCLOCK_SHIM_H
#define LETSMEET_CCLOCK_SHIM_H

#include <sys/timerfd.h>

#endif
