/**
 * What a browser must not do with the answer of an operation (OWASP REST Security): guess its type, run or frame it, keep
 * it, or tell others where it came from.
 */
const SECURITY_HEADERS = [
  'Cache-Control',
  'no-store',
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
    ...SECURITY_HEADERS,
  ];
}
