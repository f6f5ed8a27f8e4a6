/**
 * Security headers (OWASP REST Security Cheat Sheet): a browser must not guess the type of a response, run or frame it, or
 * send a referrer.
 */
function securityHeaders(policy: string): string[] {
  return [
    'Content-Security-Policy',
    policy,
    'Referrer-Policy',
    'no-referrer',
    'Strict-Transport-Security',
    'max-age=31536000; includeSubDomains',
    'X-Content-Type-Options',
    'nosniff',
    'X-Frame-Options',
    'DENY',
  ];
}

const STRICTEST_POLICY = "default-src 'none'; frame-ancestors 'none'";

const SECURITY_HEADERS = securityHeaders(STRICTEST_POLICY);

/**
 * The headers of a JSON response, as the flat list of names and values that Node.js writes without processing. @param length
 * in bytes
 */
export function jsonHead(requestId: string, length: number, contentType = 'application/json; charset=utf-8'): string[] {
  return [
    'Content-Type',
    contentType,
    'Content-Length',
    String(length),
    'X-Request-Id',
    requestId,
    'Cache-Control',
    'no-store',
    ...SECURITY_HEADERS,
  ];
}

/** The headers of a response without a body. */
export function emptyHead(requestId: string): string[] {
  return ['X-Request-Id', requestId, 'Cache-Control', 'no-store', ...SECURITY_HEADERS];
}

/**
 * The headers of a file of text that a browser saves.
 *
 * @param length in bytes
 * @param fileName in ASCII, without quotation marks
 */
export function downloadHead(requestId: string, length: number, contentType: string, fileName: string): string[] {
  return [
    'Content-Type',
    contentType,
    'Content-Length',
    String(length),
    'Content-Disposition',
    `attachment; filename="${fileName}"`,
    'X-Request-Id',
    requestId,
    'Cache-Control',
    'no-store',
    ...SECURITY_HEADERS,
  ];
}

/**
 * The headers of a page for people.
 *
 * @param length in bytes
 * @param policy the Content-Security-Policy; by default nothing is loaded, not even styles
 */
export function pageHead(requestId: string, length: number, policy = STRICTEST_POLICY): string[] {
  return [
    'Content-Type',
    'text/html; charset=utf-8',
    'Content-Length',
    String(length),
    'X-Request-Id',
    requestId,
    'Cache-Control',
    'no-store',
    ...securityHeaders(policy),
  ];
}

/** The headers of a stream of server-sent events, which proxies must not buffer. */
export function eventStreamHead(requestId: string): string[] {
  return [
    'Content-Type',
    'text/event-stream; charset=utf-8',
    'X-Request-Id',
    requestId,
    'Cache-Control',
    'no-store',
    // Of nginx and others, which would hold events back.
    'X-Accel-Buffering',
    'no',
    ...SECURITY_HEADERS,
  ];
}

/** The headers of audio of unknown length, which proxies must not buffer. */
export function audioHead(requestId: string, contentType: string): string[] {
  return [
    'Content-Type',
    contentType,
    'X-Request-Id',
    requestId,
    'Cache-Control',
    'no-store',
    'X-Accel-Buffering',
    'no',
    ...SECURITY_HEADERS,
  ];
}

/**
 * The headers of a file of one JSON document a line, of unknown length, which proxies must not buffer.
 *
 * @param fileName in ASCII, without quotation marks
 */
export function documentLinesHead(requestId: string, fileName: string): string[] {
  return [
    'Content-Type',
    'application/x-ndjson; charset=utf-8',
    'Content-Disposition',
    `attachment; filename="${fileName}"`,
    'X-Request-Id',
    requestId,
    'Cache-Control',
    'no-store',
    'X-Accel-Buffering',
    'no',
    ...SECURITY_HEADERS,
  ];
}

/** The headers of a redirect. @param location relative or absolute */
export function redirectHead(requestId: string, location: string): string[] {
  return ['Location', location, 'Content-Length', '0', 'X-Request-Id', requestId, ...SECURITY_HEADERS];
}

/**
 * The headers of a response that clients may cache but must revalidate, also for a 304 (RFC 9110, section 15.4.5).
 * Revalidation requires authentication, so that no one else sees the response.
 *
 * @param vary the request headers on which the response depends
 */
export function conditionalHead(requestId: string, entityTag: string, vary = 'Authorization'): string[] {
  return [
    'ETag',
    entityTag,
    'Cache-Control',
    'private, no-cache',
    'Vary',
    vary,
    'X-Request-Id',
    requestId,
    ...SECURITY_HEADERS,
  ];
}
