/**
 * Gatehouse's own credentials and codes, wherever they stand in a text (DECISIONS.md, section 3), and what is long
 * enough to hold the random part of one: its prefix may be encoded or cut off, and other digits may stand beside it. A
 * hash is shorter.
 */
const CREDENTIALS = /((?:mk|sk|cs|ac)-gate-v1-)[\w-]*|[0-9a-f]{72,}/gi;

/** The text with every credential of Gatehouse's in it blackened; for log lines, where a caller's text may hold one. */
export function maskSecrets(text: string): string {
  return text.replace(CREDENTIALS, (_, prefix: string | undefined) => `${prefix ?? ''}[redacted]`);
}
