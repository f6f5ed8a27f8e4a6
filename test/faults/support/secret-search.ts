/** What a search found. */
export interface SecretSearch {
  /** How much text was searched. */
  readonly searched: number;
  /** What stands around each secret that was found, at its first place. */
  readonly places: readonly string[];
}

/** A credential of a destination of the tenant's, as `gatehouse demo` makes them. */
export const DESTINATION_CREDENTIAL = /demo-[0-9a-f]{32}/;

/** How much of a text around a secret says where it came from. */
const CONTEXT = 150;

/** The prefix and the organization of credentials. The rest alone is as much of a secret. */
const PREFIX = /^[a-z]{2}-gate-v2-[0-9A-Za-z]{22}-/;

/** Looks for secrets in texts, with their prefix or without. */
export function searchForSecrets(texts: readonly string[], secrets: Iterable<string>): SecretSearch {
  const places: string[] = [];
  for (const secret of secrets) {
    const core = secret.replace(PREFIX, '');
    const text = texts.find((candidate) => candidate.includes(core));
    if (text !== undefined) places.push(placeOf(text, core));
  }
  for (const text of texts) {
    const found = DESTINATION_CREDENTIAL.exec(text);
    if (found) places.push(placeOf(text, found[0]));
  }
  return { searched: texts.reduce((sum, text) => sum + text.length, 0), places };
}

function placeOf(text: string, secret: string): string {
  const start = text.indexOf(secret);
  const before = text.slice(Math.max(0, start - CONTEXT), start);
  const after = text.slice(start + secret.length, start + secret.length + CONTEXT);
  return `${before}[here]${after}`;
}
