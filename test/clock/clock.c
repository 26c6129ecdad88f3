// The day that a process lives on, moved by as much as a file says, from one call to the next.
// Preloaded (LD_PRELOAD) into Node, PostgreSQL and Chromium alike. HEALTHFUND_CLOCK names the file:
// eight bytes, the nanoseconds to add. It stays mapped, so writing it moves the clock of all who run.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const int64_t second = 1000000000;
static const volatile int64_t *moved_by;
static int (*true_clock)(clockid_t, struct timespec *);

/** Rather no process than one that lives on another day than the rest. */
static void give_up(void) {
  static const char words[] = "The clock of HEALTHFUND_CLOCK cannot be read.\n";
  if (write(2, words, sizeof words - 1) < 0) _exit(126);
  _exit(127);
}

__attribute__((constructor)) static void prepare(void) {
  if (moved_by) return;
  const char *name = getenv("HEALTHFUND_CLOCK");
  int file = name ? open(name, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0 || lseek(file, 0, SEEK_END) < (off_t)sizeof *moved_by) give_up();
  void *there = mmap(NULL, sizeof *moved_by, PROT_READ, MAP_SHARED, file, 0);
  close(file);
  true_clock = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  if (there == MAP_FAILED || !true_clock) give_up();
  moved_by = there;
}

/** What measures how long something takes (CLOCK_MONOTONIC and others) is left alone. */
int clock_gettime(clockid_t clock, struct timespec *now) {
  prepare(); // somebody else's constructor may come before ours
  int result = true_clock(clock, now);
  if (result != 0 || (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)) return result;
  int64_t at = now->tv_sec * second + now->tv_nsec + *moved_by;
  now->tv_sec = at / second;
  now->tv_nsec = at % second;
  return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  (void)zone;
  struct timespec at;
  int result = clock_gettime(CLOCK_REALTIME, &at);
  now->tv_sec = at.tv_sec;
  now->tv_usec = at.tv_nsec / 1000;
  return result;
}

time_t time(time_t *now) {
  struct timespec at;
  clock_gettime(CLOCK_REALTIME, &at);
  if (now) *now = at.tv_sec;
  return at.tv_sec;
}

int timespec_get(struct timespec *now, int base) {
  return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, now) == 0 ? base : 0;
}
