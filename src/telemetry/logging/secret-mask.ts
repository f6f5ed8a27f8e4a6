/**
 * Matches Gatehouse's credentials and codes, of any prefix of two letters, anywhere in a text, and sequences long enough to be the random part of one,
 * because anyone can compute its prefix and checksum; other digits may be adjacent.
 */
const CREDENTIALS = /([a-z]{2}-gate-v\d+-)[\w-]*|[0-9a-f]{64,}/gi;

/**
 * Matches JWTs (RFC 7519), of Gatehouse and of anyone else: segments in base64url, of which the first is that of `{"`. It begins at no character
 * within a segment, so that a long text takes no longer than it has characters.
 */
const JSON_WEB_TOKENS = /(?<![\w-])(eyJ)[\w-]+(?:\.[\w-]*){2,4}/g;

/** A whole credential or code, which a masked one is not. */
const WHOLE_CREDENTIAL = /[a-z]{2}-gate-v\d+-[\w-]*[0-9a-f]{64}/;

/** Whether a text has a Gatehouse credential in it, and not only a masked one. */
export function holdsCredential(text: string): boolean {
  return WHOLE_CREDENTIAL.test(text);
}

/** A percent-encoded character of a credential, possibly encoded several times. */
const ENCODED = /%(?:25)*([2-7][0-9a-f])/gi;

/** The hash of a key in a path. It is not a secret, and logs are searched by it. */
const HASH_IN_PATH = /(\/(?:management-)?keys\/)([0-9a-f]{64})(?=\/|$)/;

/** Masks every Gatehouse credential and every JWT in a text; for log lines, where a caller's text may contain one. */
export function maskSecrets(text: string): string {
  return text
    .replace(JSON_WEB_TOKENS, '$1[redacted]')
    .replace(CREDENTIALS, (_, prefix: string | undefined) => `${prefix ?? ''}[redacted]`);
}

/**
 * Masks every credential in the path of a request, percent-encoded or not. The hash of a key is not masked where a path of
 * the interface has one.
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
