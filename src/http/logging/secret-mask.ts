/** Gatehouse's own credentials and codes, wherever they stand in a text (DECISIONS.md, section 3). */
const CREDENTIALS = /\b((?:mk|sk|cs|ac)-gate-v1-)[0-9A-Za-z_-]*/g;

/** The text with every credential of Gatehouse's in it blackened; for log lines, where a caller's text may hold one. */
export function maskSecrets(text: string): string {
  return text.replace(CREDENTIALS, '$1[redacted]');
}
