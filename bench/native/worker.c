// A zot rpc worker that costs next to nothing, so that a bench measures the bridge and not the worker.
// A prompt says what to write: `flood COUNT BYTES [lines]`, `hold COUNT BYTES`, `pace COUNT BYTES HZ`, `echo`.
#define _GNU_SOURCE
#include "frame.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/** One write of a flood: what a pipe holds. */
enum { BATCH = 65536, MAX_WORD = 256 };

static bool holding;

static void write_all(const char *bytes, size_t size) {
  while (size > 0) {
    ssize_t written = write(STDOUT_FILENO, bytes, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) exit(0); // nobody listens any more
    bytes += written;
    size -= (size_t)written;
  }
}

static void say(const char *format, ...) {
  char line[1024];
  va_list values;
  va_start(values, format);
  int size = vsnprintf(line, sizeof line, format, values);
  va_end(values);
  write_all(line, (size_t)size);
}

/** The string after `"key":"`; our peers write no escapes into the fields that matter here. */
static const char *field(const char *line, const char *key, char *value) {
  char name[32];
  snprintf(name, sizeof name, "\"%s\":\"", key);
  const char *at = strstr(line, name);
  size_t size = 0;
  if (at != NULL)
    for (at += strlen(name); *at != '"' && *at != '\0' && size < MAX_WORD - 1;) value[size++] = *at++;
  value[size] = '\0';
  return value;
}

static void respond(const char *command, const char *id, const char *data) {
  say("{\"type\":\"response\",\"command\":\"%s\",\"success\":true,\"id\":\"%s\"%s%s}\n", command, id,
      data[0] == '\0' ? "" : ",\"data\":", data);
}

static const char usage[] =
    "{\"type\":\"usage\",\"input\":10,\"output\":1000,\"cache_read\":5,\"cache_write\":1,\"cost_usd\":0.000003}\n";

static void flood(long count, size_t size, bool line_by_line) {
  static char batch[BATCH];
  char frame[MAX_FRAME];
  size_t filled = 0;
  first_frame(frame, size);
  for (long sent = 1; sent <= count; sent++) {
    if (filled + size + sizeof usage > BATCH || (line_by_line && filled > 0)) {
      write_all(batch, filled);
      filled = 0;
    }
    memcpy(batch + filled, frame, size);
    filled += size;
    next_frame(frame);
    if (sent % DELTAS_PER_USAGE == 0) {
      memcpy(batch + filled, usage, sizeof usage - 1);
      filled += sizeof usage - 1;
    }
  }
  write_all(batch, filled);
}

/** One line at a time; each carries the moment it was written, for whoever reads the same clock. */
static void pace(long count, size_t size, long hz) {
  char frame[MAX_FRAME];
  uint64_t step = 1000000000u / (uint64_t)hz;
  uint64_t due = now_ns() + ((uint64_t)getpid() * 7919u) % step; // many workers must not beat in time
  first_frame(frame, size);
  for (long sent = 0; sent < count; sent++, due += step) {
    struct timespec until = {.tv_sec = (time_t)(due / 1000000000u), .tv_nsec = (long)(due % 1000000000u)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR) continue;
    char stamp[24];
    snprintf(stamp, sizeof stamp, "T%019llu ", (unsigned long long)now_ns());
    memcpy(frame + DIGITS_AT, stamp, 21);
    write_all(frame, size);
  }
}

static void end_turn(void) {
  say("{\"type\":\"assistant_message\",\"content\":[{\"type\":\"text\",\"text\":\"that was it\"}],"
      "\"time\":\"2026-01-01T00:00:00Z\"}\n{\"type\":\"turn_end\",\"stop\":\"end\"}\n{\"type\":\"done\"}\n");
}

static void prompt(const char *id, const char *message) {
  char word[16] = "", how[16] = "";
  long count = 0, size = 0;
  sscanf(message, "%15s %ld %ld %15s", word, &count, &size, how);
  if (size < MIN_FRAME || size > MAX_FRAME) size = MIN_FRAME;
  respond("prompt", id, "{\"started\":true}");
  say("{\"type\":\"user_message\",\"content\":[{\"type\":\"text\",\"text\":\"%s\"}],"
      "\"time\":\"2026-01-01T00:00:00Z\"}\n{\"type\":\"turn_start\",\"step\":1}\n{\"type\":\"assistant_start\"}\n",
      message);
  if (strcmp(word, "flood") == 0) flood(count, (size_t)size, strcmp(how, "lines") == 0);
  if (strcmp(word, "pace") == 0) pace(count, (size_t)size, atol(how) > 0 ? atol(how) : 1);
  if (strcmp(word, "echo") == 0) flood(1, MIN_FRAME, false);
  if (strcmp(word, "hold") == 0) {
    flood(count, (size_t)size, false);
    holding = true; // the turn stays open until an abort
  } else {
    end_turn();
  }
}

static const char state[] =
    "{\"provider\":\"bench\",\"model\":\"none\",\"cwd\":\"/\",\"message_count\":0,\"busy\":false,"
    "\"usage\":{\"input\":0,\"output\":0,\"cache_read\":0,\"cache_write\":0,\"cost_usd\":0}}";
static const char hello[] =
    "{\"protocol_version\":1,\"version\":\"bench\",\"provider\":\"bench\",\"model\":\"none\"}";

int main(void) {
  char *line = NULL;
  size_t room = 0;
  while (getline(&line, &room, stdin) > 0) {
    char type[MAX_WORD], id[MAX_WORD], message[MAX_WORD];
    field(line, "type", type);
    field(line, "id", id);
    if (strcmp(type, "hello") == 0) respond(type, id, hello);
    else if (strcmp(type, "prompt") == 0) prompt(id, field(line, "message", message));
    else if (strcmp(type, "get_state") == 0) respond(type, id, state);
    else if (strcmp(type, "ping") == 0) respond(type, id, "{\"pong\":true}");
    else if (strcmp(type, "abort") == 0) {
      respond(type, id, "");
      if (holding) end_turn();
      holding = false;
    }
  }
  free(line);
  return 0;
}
