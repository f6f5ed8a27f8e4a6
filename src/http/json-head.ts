/**
 * What a browser must not do with the answer of an operation (OWASP REST Security): guess its type, run or frame it, or
 * tell others where it came from.
 */
const SECURITY_HEADERS = [
  'Content-Security-Policy',
  "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy',
  'no-referrer',
  'Strict-Transport-Security',
  'max-age=31536000; includeSubDomains',
  'X-Content-Type-Options',
  'nosniff',
  'X-Frame-Options',
  'DENY',
];

/** The headers of a JSON answer in the flat form that Node writes as it is, name and value in turn. @param length in bytes */
export function jsonHead(requestId: string, length: number): string[] {
  return [
    'Content-Type',
    'application/json; charset=utf-8',
    'Content-Length',
    String(length),
    'X-Request-Id',
    requestId,
    'Cache-Control',
    'no-store',
    ...SECURITY_HEADERS,
  ];
}

/** The headers of an answer without a body that leads elsewhere. @param location relative or absolute */
export function redirectHead(requestId: string, location: string): string[] {
  return ['Location', location, 'Content-Length', '0', 'X-Request-Id', requestId, ...SECURITY_HEADERS];
}

/**
 * The headers of an answer that its caller may keep, and asks about before using it again; those of a 304 alike (RFC 9110,
 * section 15.4.5). Asking means authenticating, so nobody sees it who may not.
 *
 * @param vary the headers of a request on which the answer depends
 */
export function keptHead(requestId: string, entityTag: string, vary = 'Authorization'): string[] {
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
