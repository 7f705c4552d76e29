/// HTTP/1.1 for REST and the console over libmicrohttpd, which is loaded when the server starts and not before.
package final class MicroHTTPServer: HTTPServer {
  package typealias Handler = @Sendable (HTTPRequest) async -> HTTPResponse

  private let configuration: HTTPServerConfiguration
  private let handler: Handler

  package init(_ configuration: HTTPServerConfiguration, handler: @escaping Handler) {
    self.configuration = configuration
    self.handler = handler
  }

  @discardableResult
  package func start() async throws(HTTPServerError) -> Int {
    throw .libraryMissing(name: "libmicrohttpd.so.12", package: "libmicrohttpd12", reason: "not wired in yet")
  }

  package func stop(graceSeconds: Double = 10) async {}
}
