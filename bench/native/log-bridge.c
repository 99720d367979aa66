// The least a bridge with a log can do, in C: whole lines from a worker into an append-only file, then into one
// WebSocket message. No numbers, no ledger, no second viewer, no replay. It tells what one hop with a log can
// reach at most on a machine; nobody could use it.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

/** One read: what a pipe holds. */
enum { READ = 65536, LONGEST_LINE = 65536, HEADER = 10, TEXT = 0x81 };

static const char upgrade[] =
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"; // our reader checks no more

static void write_all(int to, const char *bytes, size_t size) {
  while (size > 0) {
    ssize_t written = write(to, bytes, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) exit(0); // the other end has gone
    bytes += written;
    size -= (size_t)written;
  }
}

/** A small pipe to the worker, a real one from it. */
static void spawn_worker(const char *program, int *in, int *out) {
  int to[2], from[2];
  if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0) exit(1);
  if (fork() == 0) {
    dup2(to[0], STDIN_FILENO);
    dup2(from[1], STDOUT_FILENO);
    execl(program, program, (char *)NULL);
    _exit(127);
  }
  close(to[0]);
  close(from[1]);
  *in = to[1];
  *out = from[0];
}

/** Our reader's messages are short, whole, and masked with zeros. */
static void pass_messages(int viewer, int worker) {
  static unsigned char held[READ];
  static size_t size;
  ssize_t got = read(viewer, held + size, sizeof held - size);
  if (got <= 0) exit(0);
  size += (size_t)got;
  size_t at = 0;
  while (size - at >= 2) {
    size_t length = held[at + 1] & 0x7f, head = length < 126 ? 6 : 8;
    if (size - at < head) break;
    if (head == 8) length = (size_t)held[at + 2] << 8 | held[at + 3];
    if (size - at < head + length) break;
    if ((held[at] & 0xf) == 1) write_all(worker, (char *)held + at + head, length);
    at += head + length;
  }
  memmove(held, held + at, size - at);
  size -= at;
}

/** The log first, then the viewer. */
static void pass_lines(int worker, int log, int viewer) {
  static char room[HEADER + LONGEST_LINE + READ];
  static size_t size;
  char *lines = room + HEADER;
  ssize_t got = read(worker, lines + size, READ);
  if (got <= 0) exit(0);
  size += (size_t)got;
  char *last = memrchr(lines, '\n', size);
  if (last == NULL) return;
  size_t whole = (size_t)(last - lines) + 1;
  write_all(log, lines, whole);
  unsigned char header[HEADER] = {TEXT, 127};
  for (int i = 0; i < 8; i++) header[2 + i] = (unsigned char)((uint64_t)whole >> (56 - 8 * i));
  memcpy(room, header, HEADER);
  write_all(viewer, room, HEADER + whole);
  memmove(lines, lines + whole, size - whole);
  size -= whole;
}

static void serve(int viewer, const char *program, const char *directory) {
  char asked[4096], path[4096];
  size_t held = 0;
  for (char *end = NULL; end == NULL; end = memmem(asked, held, "\r\n\r\n", 4)) {
    ssize_t got = read(viewer, asked + held, sizeof asked - held);
    if (got <= 0) exit(1);
    held += (size_t)got;
  }
  write_all(viewer, upgrade, sizeof upgrade - 1);
  int on = 1, in, out;
  setsockopt(viewer, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  spawn_worker(program, &in, &out);
  snprintf(path, sizeof path, "%s/%d.log", directory, getpid());
  int log = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (log < 0) exit(1);
  unlink(path); // nobody reads it again
  for (;;) {
    struct pollfd ends[] = {{.fd = viewer, .events = POLLIN}, {.fd = out, .events = POLLIN}};
    if (poll(ends, 2, -1) < 0) exit(1);
    if (ends[0].revents != 0) pass_messages(viewer, in);
    if (ends[1].revents != 0) pass_lines(out, log, viewer);
  }
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  signal(SIGCHLD, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argv[1]))};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 512) != 0) {
    perror("log-bridge");
    return 1;
  }
  for (;;) {
    int viewer = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (viewer < 0) continue;
    if (fork() == 0) {
      close(listener);
      serve(viewer, argv[2], argv[3]);
    }
    close(viewer);
  }
}
