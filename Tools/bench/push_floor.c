// The floor of `aloud bench sender`: the same pushes as the sender makes, with nghttp2 and OpenSSL called directly from one thread.
// It builds no queue, keeps no promise and reads only the status, so a sender cannot well be cheaper.
//
//   cc -O2 -o push_floor push_floor.c -lnghttp2 -lssl -lcrypto
//   push_floor PORT COUNT IN_FLIGHT AUTHORITY.pem PAYLOAD.json PROVIDER_TOKEN
//
// Connects to 127.0.0.1 only. Prints how many were answered with 200; the caller measures the CPU time of the process.
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <nghttp2/nghttp2.h>
#include <openssl/ssl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { RECORD = 16384 };

struct push {
  size_t sent;
  int status;
};

static struct {
  long total, started, ended, accepted, open, width;
  uint8_t payload[4096];
  size_t payload_size;
  char bearer[1024];
  uint64_t chance;
} run = {.chance = 0x9E3779B97F4A7C15ull};

static void stop(const char *why) {
  fprintf(stderr, "push_floor: %s\n", why);
  exit(1);
}

static uint64_t next_chance(void) {
  run.chance ^= run.chance << 7;
  run.chance ^= run.chance >> 9;
  return run.chance;
}

static void hex(char *out, int digits) {
  uint64_t bits = 0;
  for (int i = 0; i < digits; i++, bits >>= 4) {
    if (i % 16 == 0) bits = next_chance();
    out[i] = "0123456789abcdef"[bits & 15];
  }
}

static ssize_t give_body(nghttp2_session *session, int32_t id, uint8_t *out, size_t room, uint32_t *flags, nghttp2_data_source *source, void *user) {
  struct push *push = source->ptr;
  size_t count = run.payload_size - push->sent;
  if (count > room) count = room;
  memcpy(out, run.payload + push->sent, count);
  push->sent += count;
  if (push->sent == run.payload_size) *flags |= NGHTTP2_DATA_FLAG_EOF;
  return (ssize_t)count;
}

static int take_header(nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name, size_t name_size, const uint8_t *value, size_t value_size, uint8_t flags, void *user) {
  struct push *push = nghttp2_session_get_stream_user_data(session, frame->hd.stream_id);
  if (push && name_size == 7 && name[0] == ':') push->status = atoi((const char *)value);
  return 0;
}

static int take_end(nghttp2_session *session, int32_t id, uint32_t error, void *user) {
  struct push *push = nghttp2_session_get_stream_user_data(session, id);
  if (!push) return 0;
  run.accepted += push->status == 200 && error == 0;
  run.ended++;
  run.open--;
  free(push);
  return 0;
}

#define FIELD(n, v, size, extra) {(uint8_t *)(n), (uint8_t *)(v), sizeof(n) - 1, (size), NGHTTP2_NV_FLAG_NO_COPY_NAME | (extra)}

static void start_push(nghttp2_session *session, const char *authority) {
  char path[] = "/3/device/0000000000000000000000000000000000000000000000000000000000000000";
  char id[] = "00000000-0000-4000-8000-000000000000";
  hex(path + 10, 64);
  hex(id, 8);
  hex(id + 24, 12);
  nghttp2_nv fields[] = {
    FIELD(":method", "POST", 4, NGHTTP2_NV_FLAG_NO_COPY_VALUE),
    FIELD(":scheme", "https", 5, NGHTTP2_NV_FLAG_NO_COPY_VALUE),
    FIELD(":authority", authority, strlen(authority), NGHTTP2_NV_FLAG_NO_COPY_VALUE),
    FIELD(":path", path, strlen(path), 0),
    FIELD("authorization", run.bearer, strlen(run.bearer), NGHTTP2_NV_FLAG_NO_COPY_VALUE),
    FIELD("apns-topic", "com.example.app", 15, NGHTTP2_NV_FLAG_NO_COPY_VALUE),
    FIELD("apns-push-type", "alert", 5, NGHTTP2_NV_FLAG_NO_COPY_VALUE),
    FIELD("apns-priority", "10", 2, NGHTTP2_NV_FLAG_NO_COPY_VALUE),
    FIELD("apns-expiration", "0", 1, NGHTTP2_NV_FLAG_NO_COPY_VALUE),
    FIELD("apns-id", id, strlen(id), 0),
  };
  struct push *push = calloc(1, sizeof *push);
  nghttp2_data_provider body = {.source = {.ptr = push}, .read_callback = give_body};
  if (nghttp2_submit_request(session, 0, fields, sizeof fields / sizeof *fields, &body, push) < 0) stop("a request was not taken");
  run.started++;
  run.open++;
}

static SSL *open_tls(int port, const char *authorities) {
  SSL_CTX *context = SSL_CTX_new(TLS_client_method());
  if (SSL_CTX_load_verify_locations(context, authorities, 0) != 1) stop("the authority's certificate cannot be read");
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, 0);
  SSL_CTX_set_alpn_protos(context, (const uint8_t *)"\x02h2", 3);
  int descriptor = socket(AF_INET, SOCK_STREAM, 0), on = 1;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  if (connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) stop("no connection");
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  SSL *tls = SSL_new(context);
  SSL_set_fd(tls, descriptor);
  SSL_set1_host(tls, "localhost");
  if (SSL_connect(tls) != 1) stop("no TLS");
  return tls;
}

static void write_all(nghttp2_session *session, SSL *tls) {
  static uint8_t record[RECORD * 2];
  for (;;) {
    size_t filled = 0;
    while (filled < RECORD - 1024) {
      const uint8_t *bytes;
      ssize_t count = nghttp2_session_mem_send(session, &bytes);
      if (count < 0) stop("the session broke");
      if (count == 0) break;
      memcpy(record + filled, bytes, (size_t)count);
      filled += (size_t)count;
    }
    if (filled == 0) return;
    if (SSL_write(tls, record, (int)filled) <= 0) stop("the connection broke");
  }
}

static void read_some(nghttp2_session *session, SSL *tls) {
  static uint8_t buffer[65536];
  do {
    int count = SSL_read(tls, buffer, sizeof buffer);
    if (count <= 0) stop("the server closed");
    if (nghttp2_session_mem_recv(session, buffer, (size_t)count) < 0) stop("the server broke the protocol");
  } while (SSL_pending(tls) > 0);
}

int main(int argc, char **argv) {
  if (argc != 7) stop("usage: push_floor PORT COUNT IN_FLIGHT AUTHORITY.pem PAYLOAD.json PROVIDER_TOKEN");
  run.total = atol(argv[2]);
  run.width = atol(argv[3]);
  FILE *file = fopen(argv[5], "rb");
  if (!file) stop("the payload cannot be read");
  run.payload_size = fread(run.payload, 1, sizeof run.payload, file);
  fclose(file);
  snprintf(run.bearer, sizeof run.bearer, "bearer %s", argv[6]);
  char authority[32];
  snprintf(authority, sizeof authority, "localhost:%s", argv[1]);
  SSL *tls = open_tls(atoi(argv[1]), argv[4]);
  nghttp2_session_callbacks *callbacks;
  nghttp2_session_callbacks_new(&callbacks);
  nghttp2_session_callbacks_set_on_header_callback(callbacks, take_header);
  nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, take_end);
  nghttp2_session *session;
  nghttp2_session_client_new(&session, callbacks, 0);
  nghttp2_submit_settings(session, NGHTTP2_FLAG_NONE, 0, 0);
  while (run.ended < run.total) {
    while (run.open < run.width && run.started < run.total) start_push(session, authority);
    write_all(session, tls);
    read_some(session, tls);
  }
  printf("%ld\n", run.accepted);
  return run.accepted == run.total ? 0 : 1;
}
