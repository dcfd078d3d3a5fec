// malloc_trim(3), which is missing from Swift's Glibc module.
#ifndef LETSMEET_CMEMORY_SHIM_H
#define LETSMEET_CMEMORY_SHIM_H

#include <malloc.h>

#endif
