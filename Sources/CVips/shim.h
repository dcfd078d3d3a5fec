// The functions of libvips are variadic, so Swift cannot call them. These inline functions replace
// those that the program letsmeet-pictures uses.
#ifndef LETSMEET_CVIPS_SHIM_H
#define LETSMEET_CVIPS_SHIM_H

#include <vips/vips.h>

/// Blocks all loaders except those of JPEG, PNG, WebP and HEIF.
static inline void letsmeet_vips_allow_four_loaders(void) {
    vips_block_untrusted_set(TRUE);
    vips_operation_block_set("VipsForeignLoad", TRUE);
    vips_operation_block_set("VipsForeignLoadJpeg", FALSE);
    vips_operation_block_set("VipsForeignLoadPng", FALSE);
    vips_operation_block_set("VipsForeignLoadWebp", FALSE);
    vips_operation_block_set("VipsForeignLoadHeif", FALSE);
}

/// Reads the header of a picture, and no pixels. NULL if no allowed loader knows the format.
static inline VipsImage *letsmeet_vips_header(const void *bytes, size_t count) {
    return vips_image_new_from_buffer(bytes, count, "", NULL);
}

static inline int letsmeet_vips_width(VipsImage *image) { return vips_image_get_width(image); }
static inline int letsmeet_vips_height(VipsImage *image) { return vips_image_get_height(image); }

/// Whether the colours must be converted by a profile: an embedded one, or that of printing inks.
static inline int letsmeet_vips_has_profile(VipsImage *image) {
    return vips_image_get_typeof(image, VIPS_META_ICC_NAME) != 0 ||
        vips_image_get_interpretation(image) == VIPS_INTERPRETATION_CMYK;
}

/// Decodes a picture to an upright square of sRGB. A picture without a profile already is sRGB, and
/// a conversion would change its colours. `fail_on` is given to the loader in its option
/// string, because vips_thumbnail_buffer ignores its own (libvips 8.14).
static inline VipsImage *letsmeet_vips_square(
    const void *bytes, size_t count, int size, int has_profile) {
    VipsImage *square = NULL;
    VipsImage *pixels = NULL;
    int status = vips_thumbnail_buffer((void *) bytes, count, &square, size, "height", size, "crop",
        VIPS_INTERESTING_CENTRE, "option_string", "[fail_on=error]",
        has_profile ? "export_profile" : NULL, "srgb", NULL);
    if (status != 0) return NULL;
    // Decodes once, so that several sizes can be made of the pixels.
    pixels = vips_image_copy_memory(square);
    g_object_unref(square);
    return pixels;
}

/// Makes a smaller square of a square.
static inline VipsImage *letsmeet_vips_smaller(VipsImage *square, int size) {
    VipsImage *smaller = NULL;
    if (vips_thumbnail_image(square, &smaller, size, "height", size, NULL) != 0) return NULL;
    return smaller;
}

/// Encodes an image as JPEG without metadata, on white where it is transparent. `g_free` frees the
/// bytes.
static inline int letsmeet_vips_jpeg(VipsImage *image, void **bytes, size_t *count) {
    VipsImage *opaque = NULL;
    VipsArrayDouble *white = vips_array_double_newv(1, 255.0);
    int status = vips_image_hasalpha(image)
        ? vips_flatten(image, &opaque, "background", white, NULL)
        : vips_copy(image, &opaque, NULL);
    vips_area_unref(VIPS_AREA(white));
    if (status != 0) return status;
    status = vips_jpegsave_buffer(opaque, bytes, count, "Q", 82, "strip", TRUE, "optimize_coding",
        TRUE, NULL);
    g_object_unref(opaque);
    return status;
}

static inline void letsmeet_vips_free(VipsImage *image) { g_object_unref(image); }

#endif
