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
