// Splits what arrives into lines and checks the frames among them against what they must be.
#ifndef BENCH_LINES_H
#define BENCH_LINES_H

#include "frame.h"

#include <stdbool.h>

struct lines {
  /** The frame that must come next. */
  char expected[MAX_FRAME];
  size_t size;
  /** How many came. */
  uint64_t frames;
  /** Called with each line that is not the expected frame; long ones are cut to KEPT bytes. */
  void (*other)(void *owner, const char *line, size_t length);
  void *owner;
  char *partial;
  size_t held;
};

void lines_start(struct lines *lines, size_t frame_size, void (*other)(void *, const char *, size_t), void *owner);
void lines_feed(struct lines *lines, const char *bytes, size_t size);
void lines_end(struct lines *lines);

#endif
