// timerfd(2), which Swift's Glibc leaves out.
#ifndef LETSMEET_CCLOCK_SHIM_H
#define LETSMEET_CCLOCK_SHIM_H

#include <sys/timerfd.h>

#endif
