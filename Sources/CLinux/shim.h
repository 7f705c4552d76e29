// Room: what Linux offers and the Glibc module does not import (epoll, eventfd, timerfd, accept4, errno-safe helpers, dlopen).
#pragma once
#include <dlfcn.h>
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
