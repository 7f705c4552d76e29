// Room: what Linux offers and the Glibc module does not import (epoll, eventfd, timerfd, accept4, errno-safe helpers, dlopen).
#pragma once
#include <dlfcn.h>
#include <pthread.h>
#include <errno.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

// accept4 is hidden without _GNU_SOURCE, and the Glibc clang module is built without it.
static inline int linux_accept4(int fd, int flags) {
  extern int accept4(int, struct sockaddr *, socklen_t *, int);
  return accept4(fd, 0, 0, flags);
}

// A thread's name for `top -H` and debuggers (at most 15 bytes); a GNU extension, hidden like accept4.
static inline void linux_name_thread(const char *name) {
  extern int pthread_setname_np(unsigned long, const char *);
  extern unsigned long pthread_self(void);
  pthread_setname_np(pthread_self(), name);
}

// Below: helpers that keep the members of libc's structs on the C side. Several C modules include the same libc headers, and which of
// them Swift then calls the owner of `timespec` or `sockaddr` depends on the order of the build.
#include <arpa/inet.h>
#include <netdb.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

static inline double linux_seconds(int clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}
// Waits for events as epoll_wait does, but to the nanosecond where the kernel can (5.11): a timer of half a millisecond is not made a
// whole one. Negative seconds wait for ever.
static inline int linux_epoll_wait(int poll, struct epoll_event *events, int count, double seconds) {
  struct timespec limit = {.tv_sec = (time_t)seconds, .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
  int found = epoll_pwait2(poll, events, count, seconds < 0 ? 0 : &limit, 0);
  if (found >= 0 || errno != ENOSYS) return found;
  return epoll_wait(poll, events, count, seconds < 0 ? -1 : (int)(seconds * 1e3 + 0.999));
}
static inline double linux_monotonic_seconds(void) { return linux_seconds(CLOCK_MONOTONIC); }
static inline double linux_unix_seconds(void) { return linux_seconds(CLOCK_REALTIME); }

// A condition whose timed waits go by the monotonic clock.
static inline void linux_monotonic_condition(pthread_cond_t *condition) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(condition, &attributes);
  pthread_condattr_destroy(&attributes);
}
// Waits for such a condition until a time in monotonic seconds; false when that has passed.
static inline int linux_wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex, double deadline) {
  struct timespec limit = {.tv_sec = (time_t)deadline, .tv_nsec = (long)((deadline - (double)(time_t)deadline) * 1e9)};
  return pthread_cond_timedwait(condition, mutex, &limit) == 0;
}

// Writes a sockaddr_in or sockaddr_in6 (room for 28 bytes) and returns its length; 0 when the text is no numeric address.
static inline int linux_parse_address(const char *text, unsigned short port, unsigned char *bytes) {
  struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons(port)};
  struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
  if (inet_pton(AF_INET, text, &four.sin_addr) == 1) {
    memcpy(bytes, &four, sizeof four);
    return sizeof four;
  }
  if (inet_pton(AF_INET6, text, &six.sin6_addr) == 1) {
    memcpy(bytes, &six, sizeof six);
    return sizeof six;
  }
  return 0;
}

// The numeric text (room for 64 bytes), the port, and the length of the address; 0 when it is neither IPv4 nor IPv6.
static inline int linux_format_address(const struct sockaddr *address, char *text, unsigned short *port) {
  if (address->sa_family == AF_INET) {
    const struct sockaddr_in *four = (const struct sockaddr_in *)address;
    *port = ntohs(four->sin_port);
    return inet_ntop(AF_INET, &four->sin_addr, text, 64) ? sizeof *four : 0;
  }
  if (address->sa_family == AF_INET6) {
    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)address;
    *port = ntohs(six->sin6_port);
    return inet_ntop(AF_INET6, &six->sin6_addr, text, 64) ? sizeof *six : 0;
  }
  return 0;
}

// Calls `visit` for each TCP address of the host; null on success, else words.
static inline const char *linux_resolve(const char *host, const char *port, void (*visit)(void *, const struct sockaddr *), void *context) {
  struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM}, *list = 0;
  int result = getaddrinfo(host, port, &hints, &list);
  if (result != 0) return gai_strerror(result);
  for (struct addrinfo *entry = list; entry; entry = entry->ai_next) visit(context, entry->ai_addr);
  freeaddrinfo(list);
  return 0;
}

static inline double linux_usage_seconds(const struct rusage *usage) {
  return (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) + (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) * 1e-6;
}

// User and system seconds of this process.
static inline double linux_own_cpu_seconds(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return linux_usage_seconds(&usage);
}

// Waits for a child; its exit code, or 128 and the signal's number.
static inline int linux_wait(int process, double *cpu_seconds, long *peak_kib) {
  extern int wait4(int, int *, int, struct rusage *);
  struct rusage usage = {0};
  int status = 0;
  if (wait4(process, &status, 0, &usage) != process) return -1;
  *cpu_seconds = linux_usage_seconds(&usage);
  *peak_kib = usage.ru_maxrss;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// A blocking connection to a port of 127.0.0.1 that gives up reading after so many seconds; -1 when it fails.
static inline int linux_connect_loopback(unsigned short port, int receive_seconds) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  struct timeval wait = {.tv_sec = receive_seconds};
  int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return -1;
  setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
  if (connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0) return descriptor;
  extern int close(int);
  close(descriptor);
  return -1;
}
