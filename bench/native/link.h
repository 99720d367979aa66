// One end of a bridge: a WebSocket of which only the headers are parsed, or a worker's bare pipe.
#ifndef BENCH_LINK_H
#define BENCH_LINK_H

#include "lines.h"

struct link {
  int in;
  int out;
  /** The process at the other end of a pipe; 0 for a socket. */
  int pid;
  bool websocket;
  /** The bridge sends a line per message, without its LF. */
  bool line_per_message;
  uint64_t wire_bytes;
  /** The header of the message under way, as far as it has come. */
  unsigned char header[14];
  size_t header_held;
  uint64_t payload_left;
  struct lines lines;
};

void fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/** Connects and upgrades; blocks. `token` may be NULL. */
void link_connect(struct link *link, int port, const char *path, const char *token);
void link_spawn(struct link *link, const char *program);
/** Sends one line. */
void link_send(struct link *link, const char *line);
/** Reads once and feeds the lines; false at the end. */
bool link_read(struct link *link);
void link_close(struct link *link);

#endif
