// A WebSocket client and a pipe in the fewest system calls and copies: the reading end must never be
// what limits a bridge.
#define _GNU_SOURCE
#include "link.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BUFFER = 1 << 20, TEXT = 0x1, CLOSE = 0x8, PING = 0x9, PONG = 0xA, FIN = 0x80, MASKED = 0x80 };

static char buffer[BUFFER];

void fail(const char *format, ...) {
  va_list values;
  va_start(values, format);
  fputs("reader: ", stderr);
  vfprintf(stderr, format, values);
  fputc('\n', stderr);
  va_end(values);
  exit(1);
}

static void write_all(int to, const void *bytes, size_t size) {
  const char *at = bytes;
  while (size > 0) {
    ssize_t written = write(to, at, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("cannot write to the bridge: %s", strerror(errno));
    at += written;
    size -= (size_t)written;
  }
}

static void take(struct link *link, const char *bytes, size_t size);

void link_connect(struct link *link, int port, const char *path, const char *token) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) != 0)
    fail("cannot connect to port %d: %s", port, strerror(errno));
  int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  link->in = link->out = fd;
  link->websocket = true;
  char asked[2048];
  int size = snprintf(asked, sizeof asked,
                      "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OTAxMjM0NQ==\r\n%s%s%s\r\n",
                      path, port, token ? "Authorization: Bearer " : "", token ? token : "", token ? "\r\n" : "");
  write_all(fd, asked, (size_t)size);
  size_t held = 0;
  char *end = NULL;
  while (end == NULL) {
    ssize_t got = read(fd, buffer + held, 65536 - held - 1);
    if (got <= 0) fail("the bridge closed the socket during the upgrade");
    held += (size_t)got;
    buffer[held] = '\0';
    end = strstr(buffer, "\r\n\r\n");
    if (end == NULL && held >= 65535) fail("no end of the upgrade's headers");
  }
  if (!begins(buffer, held, "HTTP/1.1 101")) fail("the bridge refused the upgrade: %.60s", buffer);
  size_t used = (size_t)(end + 4 - buffer);
  if (used < held) take(link, buffer + used, held - used);
}

void link_spawn(struct link *link, const char *program) {
  int to[2], from[2];
  if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0) fail("no pipe: %s", strerror(errno));
  link->pid = fork();
  if (link->pid < 0) fail("cannot fork: %s", strerror(errno));
  if (link->pid == 0) {
    dup2(to[0], STDIN_FILENO);
    dup2(from[1], STDOUT_FILENO);
    execl(program, program, (char *)NULL);
    _exit(127);
  }
  close(to[0]);
  close(from[1]);
  link->out = to[1];
  link->in = from[0];
}

/** Clients must mask; a mask of zeros leaves the payload as it is. */
static void send_message(struct link *link, int opcode, const void *payload, size_t size) {
  unsigned char message[1024] = {(unsigned char)(FIN | opcode)};
  size_t at = 2;
  if (size > sizeof message - 16) fail("a line to the bridge is too long");
  message[1] = (unsigned char)(MASKED | (size < 126 ? size : 126));
  if (size >= 126) {
    message[at++] = (unsigned char)(size >> 8);
    message[at++] = (unsigned char)size;
  }
  at += 4;
  memcpy(message + at, payload, size);
  write_all(link->out, message, at + size);
}

void link_send(struct link *link, const char *line) {
  char ended[1000];
  int size = snprintf(ended, sizeof ended, "%s\n", line);
  if (link->websocket) send_message(link, TEXT, ended, (size_t)size);
  else write_all(link->out, ended, (size_t)size);
}

/** How long the header is that begins with what is held; 2 until its second byte is there. */
static size_t header_size(const struct link *link) {
  if (link->header_held < 2) return 2;
  int length = link->header[1] & 0x7f;
  return length == 126 ? 4 : length == 127 ? 10 : 2;
}

static void begin_payload(struct link *link) {
  size_t size = header_size(link);
  link->payload_left = size == 2 ? link->header[1] & 0x7f : 0;
  for (size_t i = 2; i < size; i++) link->payload_left = link->payload_left << 8 | link->header[i];
}

static void end_message(struct link *link) {
  if ((link->header[0] & 0xf) == PING) send_message(link, PONG, "", 0);
  else if ((link->header[0] & FIN) != 0 && link->line_per_message) lines_feed(&link->lines, "\n", 1);
  link->header_held = 0;
}

static void take(struct link *link, const char *bytes, size_t size) {
  link->wire_bytes += size;
  if (!link->websocket) return lines_feed(&link->lines, bytes, size);
  while (size > 0) {
    if (link->header_held < header_size(link)) {
      link->header[link->header_held++] = (unsigned char)*bytes++;
      size--;
      if (link->header_held < header_size(link)) continue;
      begin_payload(link);
    }
    size_t part = link->payload_left < size ? (size_t)link->payload_left : size;
    int opcode = link->header[0] & 0xf;
    if (opcode == CLOSE && part >= 2) fail("the bridge closed with %d", (unsigned char)bytes[0] << 8 | (unsigned char)bytes[1]);
    if (opcode < CLOSE) lines_feed(&link->lines, bytes, part);
    bytes += part;
    size -= part;
    link->payload_left -= part;
    if (link->payload_left == 0) end_message(link);
  }
}

bool link_read(struct link *link) {
  ssize_t got = read(link->in, buffer, BUFFER);
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return true;
  if (got <= 0) return false;
  take(link, buffer, (size_t)got);
  return true;
}

void link_close(struct link *link) {
  close(link->in);
  if (link->out != link->in) close(link->out);
  if (link->pid > 0) waitpid(link->pid, NULL, 0);
  lines_end(&link->lines);
}
