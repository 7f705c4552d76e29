// Room: OpenSSL for TLS, ES256, HMAC, SHA-256 and CMS. Function-like macros are not imported by Swift: inline wrappers.
#pragma once
#include <openssl/bio.h>
#include <openssl/cms.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

static inline long openssl_set_min_tls(SSL_CTX *context, int version) { return SSL_CTX_set_min_proto_version(context, version); }
static inline long openssl_set_sni(SSL *ssl, const char *name) { return SSL_set_tlsext_host_name(ssl, name); }
static inline long openssl_set_mode(SSL_CTX *context, long mode) { return SSL_CTX_set_mode(context, mode); }
static inline void openssl_free(void *memory) { OPENSSL_free(memory); }
static inline EVP_PKEY *openssl_generate_p256(void) { return EVP_EC_gen("P-256"); }
static inline long openssl_memory(BIO *bio, char **bytes) { return BIO_get_mem_data(bio, bytes); }

// X509V3_set_ctx is a function, but the context must live on the C stack.
static inline int openssl_add_extension(X509 *certificate, X509 *issuer, int kind, const char *value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, 0, 0, 0);
  X509_EXTENSION *made = X509V3_EXT_conf_nid(0, &context, kind, value);
  if (made == 0) return 0;
  int added = X509_add_ext(certificate, made, -1);
  X509_EXTENSION_free(made);
  return added;
}
static inline int openssl_library_error(unsigned long code) { return ERR_GET_LIB(code); }
static inline void openssl_read_ahead(SSL_CTX *context) { SSL_CTX_set_read_ahead(context, 1); }
static inline long openssl_add_chain(SSL_CTX *context, X509 *certificate) { return SSL_CTX_add1_chain_cert(context, certificate); }
