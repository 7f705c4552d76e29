internal import HTTPTransport

/// The console's page: three files that live in the program, and what lets a browser run nothing else.
struct ConsoleRoutes: Sendable {
  var endpoints: [Endpoint] {
    [
      Endpoint("GET", "/", .open) { _ in ConsoleRoutes.file(PackageResources.index_html, "text/html; charset=utf-8") },
      Endpoint("GET", "/console.js", .open) { _ in
        ConsoleRoutes.file(PackageResources.console_js, "text/javascript; charset=utf-8")
      },
      Endpoint("GET", "/console.css", .open) { _ in
        ConsoleRoutes.file(PackageResources.console_css, "text/css; charset=utf-8")
      },
    ]
  }

  private static func file(_ bytes: [UInt8], _ type: String) -> HTTPResponse {
    HTTPResponse(
      status: 200,
      headers: [
        "Content-Type": type, "Cache-Control": "no-cache",
        "Content-Security-Policy":
          "default-src 'self'; media-src blob:; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
      ], body: bytes)
  }
}
