/**
 * Gatehouse's own credentials and codes, wherever they stand in a text, and what is long enough to be the random part of
 * one: its prefix and its checksum can be worked out by anybody, and other digits may stand beside it.
 */
const CREDENTIALS = /((?:mk|sk|cs|ac)-gate-v1-)[\w-]*|[0-9a-f]{64,}/gi;

/** A character of a credential, percent-encoded, though it were encoded several times over. */
const ENCODED = /%(?:25)*([2-7][0-9a-f])/gi;

/** The hash of a key, in the place that a path has for it: no secret, and what a log is searched for. */
const HASH_IN_PATH = /(\/keys\/)([0-9a-f]{64})(?=\/|$)/;

/** The text with every credential of Gatehouse's in it blackened; for log lines, where a caller's text may hold one. */
export function maskSecrets(text: string): string {
  return text.replace(CREDENTIALS, (_, prefix: string | undefined) => `${prefix ?? ''}[redacted]`);
}

/**
 * The path of a request with every credential in it blackened, percent-encoded or not. The hash of a key stays where the
 * paths of the interface have one.
 */
export function maskPath(path: string): string {
  const decoded = path.includes('%') ? decodedOf(path) : path;
  const hash = HASH_IN_PATH.exec(decoded);
  if (hash === null) return maskedOr(path, decoded);
  const [before, after] = [decoded.slice(0, hash.index), decoded.slice(hash.index + hash[0].length)];
  const masked = `${maskSecrets(before)}${hash[0]}${maskSecrets(after)}`;
  return masked === decoded ? path : masked;
}

function maskedOr(path: string, decoded: string): string {
  const masked = maskSecrets(decoded);
  return masked === decoded ? path : masked;
}

function decodedOf(path: string): string {
  return path.replace(ENCODED, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}
