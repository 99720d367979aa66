// The reader's inner loop: one comparison per frame, and a search for LF only for lines that are none.
#include "lines.h"

#include <stdlib.h>

/** Of a line that is not a frame only the beginning is looked at. */
enum { KEPT = 65536 };

void lines_start(struct lines *lines, size_t frame_size, void (*other)(void *, const char *, size_t), void *owner) {
  memset(lines, 0, sizeof *lines);
  lines->size = frame_size;
  lines->other = other;
  lines->owner = owner;
  lines->partial = malloc(KEPT);
  if (lines->partial == NULL) abort();
  if (frame_size > 0) first_frame(lines->expected, frame_size);
}

void lines_end(struct lines *lines) { free(lines->partial); }

static bool is_expected(struct lines *lines, const char *bytes, size_t size) {
  if (lines->size == 0 || size < lines->size || memcmp(bytes, lines->expected, lines->size) != 0) return false;
  next_frame(lines->expected);
  lines->frames++;
  return true;
}

static void keep(struct lines *lines, const char *bytes, size_t size) {
  size_t room = KEPT - lines->held;
  size_t taken = size < room ? size : room;
  memcpy(lines->partial + lines->held, bytes, taken);
  lines->held += taken;
}

void lines_feed(struct lines *lines, const char *bytes, size_t size) {
  while (size > 0) {
    if (lines->held == 0 && is_expected(lines, bytes, size)) {
      bytes += lines->size;
      size -= lines->size;
      continue;
    }
    const char *lf = memchr(bytes, '\n', size);
    size_t length = lf == NULL ? size : (size_t)(lf - bytes) + 1;
    if (lf == NULL) {
      keep(lines, bytes, length);
    } else if (lines->held == 0) {
      if (length > 1) lines->other(lines->owner, bytes, length);
    } else {
      keep(lines, bytes, length);
      if (!is_expected(lines, lines->partial, lines->held)) lines->other(lines->owner, lines->partial, lines->held);
      lines->held = 0;
    }
    bytes += length;
    size -= length;
  }
}
