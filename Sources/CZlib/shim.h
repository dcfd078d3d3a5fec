#ifndef LETSMEET_CZLIB_H
#define LETSMEET_CZLIB_H

#include <zlib.h>

// deflateInit2 is a macro, which Swift does not see. 16 more bits of window ask for the head and the
// sum of gzip (RFC 1952).
static inline int letsmeet_gzip_start(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
}

#endif
