// The reading end of every bridge, the same program for all: opens the links, runs one workload, and
// prints one line of JSON. The token comes by the environment, because arguments are public.
#define _GNU_SOURCE
#include "reader.h"

#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MAX_ENDS = 1000, MAX_RUN_SECONDS = 90 };

static const struct option options[] = {
    {"workload", required_argument, NULL, 'w'},    {"count", required_argument, NULL, 'c'},
    {"bytes", required_argument, NULL, 'b'},       {"how", required_argument, NULL, 'h'},
    {"links", required_argument, NULL, 'n'},       {"pipe", required_argument, NULL, 'p'},
    {"port", required_argument, NULL, 't'},        {"line-per-message", no_argument, NULL, 'l'},
    {"await-caught-up", no_argument, NULL, 'a'},   {"first-only", no_argument, NULL, 'f'},
    {NULL, 0, NULL, 0},
};

/** Whoever started us takes the bridge's CPU time while nothing moves: after attaching, before closing. */
static void say_and_wait(const char *word) {
  char line[16];
  fputs(word, stdout);
  fflush(stdout);
  if (fgets(line, sizeof line, stdin) == NULL) return; // run by hand, nobody to wait for
}

/** The paths after the options are used in turn. */
int main(int argc, char **argv) {
  struct task task = {.workload = "flood", .how = ""};
  size_t links = 1;
  const char *program = NULL;
  int port = 0;
  bool line_per_message = false;
  for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
    if (option == 'w') task.workload = optarg;
    else if (option == 'c') task.count = strtoull(optarg, NULL, 10);
    else if (option == 'b') task.bytes = strtoull(optarg, NULL, 10);
    else if (option == 'h') task.how = optarg;
    else if (option == 'n') links = strtoull(optarg, NULL, 10);
    else if (option == 'p') program = optarg;
    else if (option == 't') port = atoi(optarg);
    else if (option == 'l') line_per_message = true;
    else if (option == 'a') task.await_caught_up = true;
    else if (option == 'f') task.first_only = true;
    else return 2;
  }
  int paths = argc - optind;
  bool echo = strcmp(task.workload, "echo") == 0;
  if (echo) task.bytes = MIN_FRAME;
  if (links < 1 || links > MAX_ENDS || task.bytes > MAX_FRAME || (program == NULL && paths < 1))
    fail("links, bytes or paths are out of bounds");
  signal(SIGPIPE, SIG_IGN);
  alarm(MAX_RUN_SECONDS); // whatever hangs, this process ends

  static struct end ends[MAX_ENDS];
  bool stamped = strcmp(task.workload, "pace") == 0;
  uint64_t began = now_ns();
  for (size_t i = 0; i < links; i++) {
    ends[i].task = &task;
    ends[i].link.line_per_message = line_per_message;
    ends[i].latencies = calloc(task.count + 1, sizeof(uint64_t));
    if (ends[i].latencies == NULL) fail("no memory for the latencies");
    lines_start(&ends[i].link.lines, stamped ? 0 : task.bytes, read_line, &ends[i]);
    if (program != NULL) link_spawn(&ends[i].link, program);
    else link_connect(&ends[i].link, port, argv[optind + (int)(i % (size_t)paths)], getenv("BENCH_TOKEN"));
  }
  if (strcmp(task.workload, "attach") == 0) {
    run_attach(ends, began);
  } else {
    run_ready(ends, links);
    say_and_wait("ready\n");
    if (echo || strcmp(task.workload, "ask") == 0) run_round_trips(ends, links);
    else run_flood(ends, links);
  }
  say_and_wait("");
  for (size_t i = 0; i < links; i++) {
    link_close(&ends[i].link);
    free(ends[i].latencies);
  }
  return 0;
}
