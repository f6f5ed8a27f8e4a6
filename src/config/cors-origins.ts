import type { VariableReader } from './variable-reader.js';

/**
 * Reads CORS_ORIGINS: the origins (RFC 6454) whose pages may call every operation, exactly as browsers write them. There
 * are no patterns, because a pattern that takes one origin too many cannot be seen in a log.
 */
export function corsOriginsOf(reader: VariableReader): ReadonlySet<string> {
  const origins = reader.list('CORS_ORIGINS', []);
  for (const origin of origins.filter((candidate) => !isOrigin(candidate))) {
    reader.fault(
      'CORS_ORIGINS',
      `must be a list of origins such as https://app.example.com, without a path, which ${origin} is not`,
    );
  }
  return new Set(origins);
}

function isOrigin(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
