// The frame that every bridge carries: a text delta of a fixed size with a running number in it.
// Worker and reader share this file, so the reader can compare each byte with what it must be; that
// proves count, order and content at once and is cheaper than any hash.
#ifndef BENCH_FRAME_H
#define BENCH_FRAME_H

#include <stdint.h>
#include <string.h>
#include <time.h>

/** 4,096 bytes is the largest frame measured; room for twice that. */
enum { MAX_FRAME = 8192, DIGITS = 10, DIGITS_AT = 30, MIN_FRAME = 56 };

/** A usage frame follows each so many deltas, about as often as a real model ends a call. */
enum { DELTAS_PER_USAGE = 1000 };

#define DELTA_HEAD "{\"type\":\"text_delta\",\"delta\":\""
#define DELTA_TAIL "\"}\n"

/** Frame number 0, `size` bytes with its LF. */
static inline void first_frame(char *frame, size_t size) {
  memset(frame, 'x', size);
  memcpy(frame, DELTA_HEAD, DIGITS_AT);
  memset(frame + DIGITS_AT, '0', DIGITS);
  frame[DIGITS_AT + DIGITS] = ' ';
  memcpy(frame + size - 3, DELTA_TAIL, 3);
}

/** Counts the number inside up by one. */
static inline void next_frame(char *frame) {
  char *digit = frame + DIGITS_AT + DIGITS - 1;
  while (*digit == '9') *digit-- = '0';
  ++*digit;
}

static inline uint64_t now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static inline int begins(const char *line, size_t length, const char *head) {
  size_t size = strlen(head);
  return length >= size && memcmp(line, head, size) == 0;
}

#endif
