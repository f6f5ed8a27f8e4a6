/** What a search found. */
export interface SecretSearch {
  /** How much text was searched. */
  readonly searched: number;
  /** The beginning of each secret that was found: enough to know which it was. */
  readonly names: readonly string[];
}

/** A credential of a destination of the tenant's, as `gatehouse demo` makes them. */
export const DESTINATION_CREDENTIAL = /demo-[0-9a-f]{32}/;

const NAMED_CHARACTERS = 20;

/** The prefix of Gatehouse's own credentials. Without it one is as much of a secret as with it. */
const PREFIX = /^[a-z]{2}-gate-v1-/;

/** Looks for secrets in texts, with their prefix or without. */
export function searchForSecrets(texts: readonly string[], secrets: Iterable<string>): SecretSearch {
  const names: string[] = [];
  for (const secret of secrets) {
    const core = secret.replace(PREFIX, '');
    if (texts.some((text) => text.includes(core))) names.push(`${secret.slice(0, NAMED_CHARACTERS)}...`);
  }
  if (texts.some((text) => DESTINATION_CREDENTIAL.test(text))) names.push("a destination's credential");
  return { searched: texts.reduce((sum, text) => sum + text.length, 0), names };
}
