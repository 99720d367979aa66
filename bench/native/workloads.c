// What the reader does once its links stand: floods, paced frames, round trips and attaches. Each
// prints one line of JSON; anything unexpected on a link ends the process with a reason.
#define _GNU_SOURCE
#include "reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

/** Nothing at all for this long means that a bridge has lost something. */
enum { SILENCE_MS = 20000, EVENTS = 64 };

void read_line(void *owner, const char *line, size_t length) {
  struct end *end = owner;
  if (begins(line, length, DELTA_HEAD "T")) {
    uint64_t written = strtoull(line + DIGITS_AT + 1, NULL, 10);
    if (end->stamped < end->task->count) end->latencies[end->stamped] = now_ns() - written;
    end->stamped++;
  } else if (begins(line, length, DELTA_HEAD)) {
    fail("frame %llu is not the one that must come: %.70s", (unsigned long long)end->link.lines.frames, line);
  } else if (begins(line, length, "{\"type\":\"response\"")) {
    if (memmem(line, length, "\"success\":true", 14) == NULL) fail("refused: %.*s", (int)length, line);
    end->answered = true;
  } else if (begins(line, length, "{\"type\":\"usage\"")) {
    end->usages++;
  } else if (begins(line, length, "{\"type\":\"done\"")) {
    end->done = true;
  } else if (begins(line, length, "{\"type\":\"caught_up\"")) {
    end->caught_up = true;
  } else if (begins(line, length, "{\"type\":\"attached\"")) {
    end->replayed = memmem(line, length, "\"verdict\":\"replay\"", 18) != NULL;
  }
}

void read_until(struct end *ends, size_t count, bool (*satisfied)(const struct end *)) {
  size_t left = 0;
  for (size_t i = 0; i < count; i++) left += !satisfied(&ends[i]);
  if (count == 1) { // no need to ask which one
    while (!satisfied(ends))
      if (!link_read(&ends->link)) fail("the bridge ended after %llu frames", (unsigned long long)ends->link.lines.frames);
    return;
  }
  int poll = epoll_create1(EPOLL_CLOEXEC);
  for (size_t i = 0; i < count; i++) {
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &ends[i]};
    if (epoll_ctl(poll, EPOLL_CTL_ADD, ends[i].link.in, &event) != 0) fail("epoll refuses a link");
  }
  while (left > 0) {
    struct epoll_event events[EVENTS];
    int ready = epoll_wait(poll, events, EVENTS, SILENCE_MS);
    if (ready == 0) fail("silence; %zu of %zu links are not finished", left, count);
    for (int i = 0; i < ready; i++) {
      struct end *end = events[i].data.ptr;
      bool before = satisfied(end);
      if (!link_read(&end->link)) fail("the bridge ended after %llu frames", (unsigned long long)end->link.lines.frames);
      left -= !before && satisfied(end);
    }
  }
  close(poll);
}

static bool is_ready(const struct end *end) {
  return end->answered && (end->caught_up || !end->task->await_caught_up);
}
static bool has_answer(const struct end *end) { return end->answered; }
static bool is_done(const struct end *end) { return end->done; }

static bool has_all(const struct end *end) {
  bool all = end->link.lines.frames + end->stamped >= end->task->count;
  if (all && end->finished_at == 0) ((struct end *)end)->finished_at = now_ns();
  return all;
}

/** Every worker has answered once, so what follows measures no start. */
void run_ready(struct end *ends, size_t count) {
  for (size_t i = 0; i < count; i++) link_send(&ends[i].link, "{\"type\":\"get_state\",\"id\":\"ready\"}");
  read_until(ends, count, is_ready);
}

static int by_size(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

static void print_latencies(uint64_t *values, size_t count) {
  if (count == 0) return;
  qsort(values, count, sizeof *values, by_size);
  printf(",\"p50_us\":%.1f,\"p99_us\":%.1f,\"max_us\":%.1f", (double)values[count / 2] / 1e3,
         (double)values[(size_t)((double)count * 0.99)] / 1e3, (double)values[count - 1] / 1e3);
}

void run_flood(struct end *ends, size_t count) {
  const struct task *task = ends->task;
  char line[256];
  snprintf(line, sizeof line, "{\"type\":\"prompt\",\"id\":\"b%d\",\"message\":\"%s %llu %zu %s\"}", getpid(),
           task->workload, (unsigned long long)task->count, task->bytes, task->how);
  uint64_t began = now_ns(), last = 0, frames = 0, stamped = 0, wire = 0;
  for (size_t i = 0; i < count; i++) wire += ends[i].link.wire_bytes;
  for (size_t i = 0; i < (task->first_only ? 1 : count); i++) link_send(&ends[i].link, line);
  read_until(ends, count, has_all);
  if (strcmp(task->workload, "hold") != 0) read_until(ends, count, is_done);
  uint64_t *latencies = malloc(sizeof *latencies * task->count * count);
  if (latencies == NULL) fail("no memory for the latencies");
  wire = -wire;
  for (size_t i = 0; i < count; i++) {
    const struct end *end = &ends[i];
    uint64_t got = end->link.lines.frames + end->stamped;
    if (got != task->count) fail("%llu frames came, not %llu", (unsigned long long)got, (unsigned long long)task->count);
    if (end->stamped == 0 && end->usages != task->count / DELTAS_PER_USAGE) fail("usage frames are missing");
    if (end->finished_at > last) last = end->finished_at;
    memcpy(latencies + stamped, end->latencies, sizeof *latencies * end->stamped);
    frames += got;
    stamped += end->stamped;
    wire += end->link.wire_bytes;
  }
  printf("{\"elapsed_ns\":%llu,\"frames\":%llu,\"wire_bytes\":%llu", (unsigned long long)(last - began),
         (unsigned long long)frames, (unsigned long long)wire);
  print_latencies(latencies, stamped);
  printf("}\n");
  free(latencies);
}

static void pause_between(void) { // low load: the machine may rest between two round trips
  struct timespec half_a_millisecond = {.tv_nsec = 500000};
  nanosleep(&half_a_millisecond, NULL);
}

/** `ask`: a command to the worker and its answer. `echo`: a prompt and the first delta, through the log. */
void run_round_trips(struct end *ends, size_t count) {
  struct end *end = ends;
  if (count != 1) fail("round trips take one link");
  bool echo = strcmp(end->task->workload, "echo") == 0;
  for (uint64_t i = 0; i < end->task->count; i++) {
    char line[128];
    snprintf(line, sizeof line, "{\"type\":\"%s\",\"id\":\"r%llu\"%s}", echo ? "prompt" : "get_state",
             (unsigned long long)i, echo ? ",\"message\":\"echo\"" : "");
    end->answered = end->done = false;
    pause_between();
    uint64_t began = now_ns();
    link_send(&end->link, line);
    if (echo) {
      first_frame(end->link.lines.expected, end->link.lines.size);
      uint64_t seen = end->link.lines.frames;
      while (end->link.lines.frames == seen)
        if (!link_read(&end->link)) fail("the bridge ended during a round trip");
    } else {
      read_until(end, 1, has_answer);
    }
    end->latencies[i] = now_ns() - began;
    if (echo) read_until(end, 1, is_done);
  }
  printf("{\"round_trips\":%llu", (unsigned long long)end->task->count);
  print_latencies(end->latencies, end->task->count);
  printf("}\n");
}

static bool is_caught_up(const struct end *end) { return end->caught_up; }

void run_attach(struct end *end, uint64_t began) {
  read_until(end, 1, is_caught_up);
  printf("{\"elapsed_ns\":%llu,\"frames\":%llu,\"wire_bytes\":%llu,\"replayed\":%s}\n",
         (unsigned long long)(now_ns() - began), (unsigned long long)end->link.lines.frames,
         (unsigned long long)end->link.wire_bytes, end->replayed ? "true" : "false");
}
