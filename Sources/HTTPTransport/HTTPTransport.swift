// Room: sockets, TLS, HTTP/2 and HTTP/1.1 over C libraries, client and server.
