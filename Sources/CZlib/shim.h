#ifndef LETSMEET_CZLIB_H
#define LETSMEET_CZLIB_H

#include <zlib.h>

// deflateInit2 is a macro, which Swift cannot import. Adding 16 to the window bits selects the
// header and checksum of gzip (RFC 1952).
static inline int letsmeet_gzip_start(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
}

#endif
