internal import HTTPTransport

/// The OpenAPI 3.1 document, which lies in API/openapi.json; a test holds it beside the routes.
package struct OpenAPIRoutes: Sendable {
  /// The document's bytes.
  package static var document: [UInt8] { PackageResources.openapi_json }

  var endpoints: [Endpoint] {
    [
      Endpoint("GET", "/v1/openapi.json", .open) { _ in
        HTTPResponse(
          status: 200, headers: ["Content-Type": "application/json", "Cache-Control": "no-cache"],
          body: OpenAPIRoutes.document)
      }
    ]
  }
}
