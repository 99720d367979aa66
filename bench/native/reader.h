// What a measurement is asked to do, and the links it does it with.
#ifndef BENCH_READER_H
#define BENCH_READER_H

#include "link.h"

struct task {
  const char *workload;
  uint64_t count;
  size_t bytes;
  /** The fourth word of the prompt: `lines`, or frames per second. */
  const char *how;
  /** All links view one session, so only the first one asks. */
  bool first_only;
  /** Patchbay says when a viewer is up to date; a plain bridge does not. */
  bool await_caught_up;
};

struct end {
  struct link link;
  const struct task *task;
  bool answered;
  bool caught_up;
  bool replayed;
  bool done;
  uint64_t usages;
  /** Frames that carry the moment they were written. */
  uint64_t stamped;
  uint64_t *latencies;
  uint64_t finished_at;
};

void read_line(void *owner, const char *line, size_t length);
/** Reads from all ends until each satisfies the condition. */
void read_until(struct end *ends, size_t count, bool (*satisfied)(const struct end *));
void run_ready(struct end *ends, size_t count);
void run_flood(struct end *ends, size_t count);
void run_round_trips(struct end *ends, size_t count);
void run_attach(struct end *end, uint64_t began);

#endif
