// Room: libmicrohttpd's functions as a table that is filled when a server starts (docs/decisions/0003-libraries-on-demand.md).
// The library is never linked: it brings GnuTLS with it, which would slow the start of every command. Only its declarations are used.
#pragma once
#include <dlfcn.h>
#include <microhttpd.h>
#include <stdint.h>

// What Swift hands in. Results are 0 (close the connection) or 1.
typedef struct mhd_callbacks {
  void *context;
  // A connection opened (1) or ended (0); `slot` is its own pointer.
  void (*connection)(void *context, struct MHD_Connection *connection, void **slot, int opened);
  // The raw request target; what it returns becomes the exchange.
  void *(*target)(void *context, const char *target, struct MHD_Connection *connection);
  // Called when the header is complete, for each piece of the body, and at its end with size 0.
  int (*request)(void *context, struct MHD_Connection *connection, const char *method, const char *bytes, size_t *size, void **exchange);
  void (*completed)(void *context, struct MHD_Connection *connection, void **exchange);
} mhd_callbacks;

typedef struct mhd_library {
  struct MHD_Daemon *(*start_daemon)(unsigned int, uint16_t, MHD_AcceptPolicyCallback, void *, MHD_AccessHandlerCallback, void *, ...);
  void (*stop_daemon)(struct MHD_Daemon *);
  int (*quiesce_daemon)(struct MHD_Daemon *);
  enum MHD_Result (*run)(struct MHD_Daemon *);
  enum MHD_Result (*get_timeout)(struct MHD_Daemon *, MHD_UNSIGNED_LONG_LONG *);
  const union MHD_DaemonInfo *(*get_daemon_info)(struct MHD_Daemon *, enum MHD_DaemonInfoType, ...);
  void (*suspend_connection)(struct MHD_Connection *);
  void (*resume_connection)(struct MHD_Connection *);
  int (*get_connection_values_n)(struct MHD_Connection *, enum MHD_ValueKind, MHD_KeyValueIteratorN, void *);
  const union MHD_ConnectionInfo *(*get_connection_info)(struct MHD_Connection *, enum MHD_ConnectionInfoType, ...);
  struct MHD_Response *(*create_response_from_buffer)(size_t, void *, enum MHD_ResponseMemoryMode);
  struct MHD_Response *(*create_response_from_callback)(uint64_t, size_t, MHD_ContentReaderCallback, void *, MHD_ContentReaderFreeCallback);
  enum MHD_Result (*add_response_header)(struct MHD_Response *, const char *, const char *);
  enum MHD_Result (*queue_response)(struct MHD_Connection *, unsigned int, struct MHD_Response *);
  void (*destroy_response)(struct MHD_Response *);
  const char *(*get_version)(void);
} mhd_library;

typedef struct mhd_settings {
  int listen_descriptor;
  int is_ipv6;
  unsigned int idle_seconds;
  unsigned int connections;
  unsigned int connections_per_address;
  size_t memory_bytes;
  // Both null without TLS.
  const char *certificate;
  const char *key;
} mhd_settings;

// Fills the table; null on success, else the loader's words.
static inline const char *mhd_load(mhd_library *library) {
  void *handle = dlopen("libmicrohttpd.so.12", RTLD_NOW | RTLD_LOCAL);
  if (handle == 0) return dlerror();
#define MHD_SYMBOL(name)                                          \
  *(void **)&library->name = dlsym(handle, "MHD_" #name);         \
  if (library->name == 0) return "it lacks the function MHD_" #name
  MHD_SYMBOL(start_daemon);
  MHD_SYMBOL(stop_daemon);
  MHD_SYMBOL(quiesce_daemon);
  MHD_SYMBOL(run);
  MHD_SYMBOL(get_timeout);
  MHD_SYMBOL(get_daemon_info);
  MHD_SYMBOL(suspend_connection);
  MHD_SYMBOL(resume_connection);
  MHD_SYMBOL(get_connection_values_n);
  MHD_SYMBOL(get_connection_info);
  MHD_SYMBOL(create_response_from_buffer);
  MHD_SYMBOL(create_response_from_callback);
  MHD_SYMBOL(add_response_header);
  MHD_SYMBOL(queue_response);
  MHD_SYMBOL(destroy_response);
  MHD_SYMBOL(get_version);
#undef MHD_SYMBOL
  return 0;
}

static inline void mhd_connection_trampoline(void *context, struct MHD_Connection *connection, void **slot, enum MHD_ConnectionNotificationCode code) {
  mhd_callbacks *callbacks = context;
  callbacks->connection(callbacks->context, connection, slot, code == MHD_CONNECTION_NOTIFY_STARTED);
}

static inline void *mhd_target_trampoline(void *context, const char *target, struct MHD_Connection *connection) {
  mhd_callbacks *callbacks = context;
  return callbacks->target(callbacks->context, target, connection);
}

static inline enum MHD_Result mhd_request_trampoline(void *context, struct MHD_Connection *connection, const char *url, const char *method, const char *version, const char *bytes, size_t *size, void **exchange) {
  (void)url;
  (void)version;
  mhd_callbacks *callbacks = context;
  return callbacks->request(callbacks->context, connection, method, bytes, size, exchange) ? MHD_YES : MHD_NO;
}

static inline void mhd_completed_trampoline(void *context, struct MHD_Connection *connection, void **exchange, enum MHD_RequestTerminationCode code) {
  (void)code;
  mhd_callbacks *callbacks = context;
  callbacks->completed(callbacks->context, connection, exchange);
}

// `callbacks` must live until the daemon has stopped. Null when the library refuses.
static inline struct MHD_Daemon *mhd_start(const mhd_library *library, const mhd_settings *settings, mhd_callbacks *callbacks) {
  // Not MHD_USE_ERROR_LOG: its lines carry request addresses, and those can hold device tokens.
  // No thread of its own: it is run by the event loop that also answers the requests.
  unsigned int flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC;
  if (settings->is_ipv6) flags |= MHD_USE_IPv6;
  if (settings->certificate != 0) flags |= MHD_USE_TLS;
  // The order of options does not matter to the library; the pair of TLS texts is last so that it can be left out.
  return library->start_daemon(
    flags, 0, 0, 0, &mhd_request_trampoline, callbacks,
    MHD_OPTION_LISTEN_SOCKET, settings->listen_descriptor,
    MHD_OPTION_NOTIFY_CONNECTION, &mhd_connection_trampoline, callbacks,
    MHD_OPTION_URI_LOG_CALLBACK, &mhd_target_trampoline, callbacks,
    MHD_OPTION_NOTIFY_COMPLETED, &mhd_completed_trampoline, callbacks,
    MHD_OPTION_CONNECTION_TIMEOUT, settings->idle_seconds,
    MHD_OPTION_CONNECTION_LIMIT, settings->connections,
    MHD_OPTION_PER_IP_CONNECTION_LIMIT, settings->connections_per_address,
    MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->memory_bytes,
    settings->certificate != 0 ? MHD_OPTION_HTTPS_MEM_CERT : MHD_OPTION_END, settings->certificate,
    MHD_OPTION_HTTPS_MEM_KEY, settings->key,
    MHD_OPTION_HTTPS_PRIORITIES, "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2",
    MHD_OPTION_END);
}

// The descriptor that is readable when mhd_run has something to do; -1 when there is none.
static inline int mhd_poll_descriptor(const mhd_library *library, struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = library->get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info == 0 ? -1 : info->epoll_fd;
}

// Does what there is to do. The milliseconds after which it wants to be run again at the latest, or -1.
static inline long long mhd_run(const mhd_library *library, struct MHD_Daemon *daemon) {
  MHD_UNSIGNED_LONG_LONG milliseconds = 0;
  library->run(daemon);
  return library->get_timeout(daemon, &milliseconds) == MHD_YES ? (long long)milliseconds : -1;
}

typedef int (*mhd_field_visitor)(void *context, const char *name, size_t name_length, const char *value, size_t value_length);

typedef struct mhd_visit {
  mhd_field_visitor visitor;
  void *context;
} mhd_visit;

static inline enum MHD_Result mhd_visit_trampoline(void *context, enum MHD_ValueKind kind, const char *name, size_t name_length, const char *value, size_t value_length) {
  (void)kind;
  mhd_visit *visit = context;
  return visit->visitor(visit->context, name, name_length, value == 0 ? "" : value, value == 0 ? 0 : value_length) ? MHD_YES : MHD_NO;
}

static inline void mhd_headers(const mhd_library *library, struct MHD_Connection *connection, mhd_field_visitor visitor, void *context) {
  mhd_visit visit = {visitor, context};
  library->get_connection_values_n(connection, MHD_HEADER_KIND, &mhd_visit_trampoline, &visit);
}

static inline const struct sockaddr *mhd_peer(const mhd_library *library, struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = library->get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info == 0 ? 0 : info->client_addr;
}

static inline int mhd_descriptor(const mhd_library *library, struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = library->get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info == 0 ? -1 : info->connect_fd;
}

static inline void *mhd_slot(const mhd_library *library, struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = library->get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info == 0 ? 0 : info->socket_context;
}

// The library copies the bytes.
static inline struct MHD_Response *mhd_bytes_response(const mhd_library *library, const uint8_t *bytes, size_t count) {
  return library->create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

typedef ssize_t (*mhd_reader)(void *context, uint64_t position, char *buffer, size_t capacity);

static inline struct MHD_Response *mhd_stream_response(const mhd_library *library, mhd_reader reader, void *context, void (*release)(void *)) {
  return library->create_response_from_callback(MHD_SIZE_UNKNOWN, 16384, reader, context, release);
}

static inline ssize_t mhd_end_of_stream(void) { return MHD_CONTENT_READER_END_OF_STREAM; }

static inline int mhd_add_header(const mhd_library *library, struct MHD_Response *response, const char *name, const char *value) {
  return library->add_response_header(response, name, value) == MHD_YES;
}

static inline int mhd_queue(const mhd_library *library, struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response) {
  return library->queue_response(connection, status, response) == MHD_YES;
}
