import { objectOf, parsed, storable } from '../chat/json-values.js';

/** The fields of a document that are secret: of keys of Amazon, a service account of Google, and an application of Entra ID. */
const SECRET_FIELDS = ['secret_access_key', 'session_token', 'private_key', 'client_secret'];

/** How many characters of the beginning or the end of a secret are looked for, so that a shortened secret is found as well. */
const PIECE_LENGTH = 12;

/** The shortest secret that is also looked for by such a piece, which is then half of it at most. */
const PIECED_LENGTH = 24;

/** The shortest line of a secret of several lines that is looked for by itself. */
const LINE_LENGTH = 16;

/** How much of a text is looked at, in UTF-16 code units: far more than is shown of any. */
const READ_LENGTH = 8_192;

const MASK = '[redacted]';

/**
 * A text of a provider as it can be shown: without secrets, also where they are escaped, encoded or cut, and not longer than it may be. It
 * masks before it shortens, so that no part of a secret is left at the end.
 *
 * @param secrets API keys, documents of credentials, and what was issued for them; null and an empty one for none
 * @param longest in UTF-16 code units
 */
export function withoutSecrets(text: string, secrets: Iterable<string | null>, longest: number): string {
  const forms = formsOf(secrets);
  const whole = forms.reduce((shown, form) => shown.replaceAll(form, MASK), text.slice(0, READ_LENGTH));
  const masked = withoutPieces(whole, forms);
  return storable(masked.length <= longest ? masked : `${masked.slice(0, longest - 1)}…`);
}

/** Every form of secrets that no text may show; the longest first, of which others may be parts. */
function formsOf(secrets: Iterable<string | null>): readonly string[] {
  const forms = new Set<string>();
  for (const secret of secrets) {
    for (const part of partsOf(secret)) for (const form of encodingsOf(part)) forms.add(form);
  }
  forms.delete('');
  return [...forms].sort((one, other) => other.length - one.length);
}

/** A secret, and what within it is secret by itself. */
function partsOf(secret: string | null): readonly string[] {
  if (secret === null) return [];
  const document = secret.startsWith('{') ? objectOf(parsed(secret)) : undefined;
  const parts = SECRET_FIELDS.map((name) => document?.[name]).filter((part) => typeof part === 'string');
  const all = [secret, ...parts];
  const lines = all.flatMap((part) => (part.startsWith('-----') ? part.split(/\n|\\n/) : []));
  return [...all, ...lines.filter((line) => line.length >= LINE_LENGTH && !line.startsWith('-----'))];
}

function encodingsOf(part: string): readonly string[] {
  const bytes = Buffer.from(part);
  return [
    part,
    JSON.stringify(part).slice(1, -1),
    encodeURIComponent(part.toWellFormed()),
    new URLSearchParams({ '': part }).toString().slice(1),
    bytes.toString('base64'),
    bytes.toString('base64url'),
  ];
}

/** Masks what begins or ends as a secret does, as far as it goes on so. */
function withoutPieces(text: string, forms: readonly string[]): string {
  const pieces = forms.filter(({ length }) => length >= PIECED_LENGTH).flatMap((form) => piecesOf(form, text));
  let shown = '';
  let at = 0;
  for (const [start, end] of pieces.sort(([one], [other]) => one - other)) {
    if (start >= at) shown += text.slice(at, start) + MASK;
    at = Math.max(at, end);
  }
  return shown + text.slice(at);
}

/**
 * Where a text has the beginning or the end of a form of a secret: where each begins, and where it ends. Each place of the text is looked at
 * once for either, so that a text which nearly repeats a secret takes no longer than another.
 */
function piecesOf(form: string, text: string): [start: number, end: number][] {
  const pieces: [number, number][] = [];
  const beginning = form.slice(0, PIECE_LENGTH);
  for (let start = text.indexOf(beginning); start >= 0;) {
    let end = start + PIECE_LENGTH;
    while (end - start < form.length && text[end] === form[end - start]) end += 1;
    pieces.push([start, end]);
    start = text.indexOf(beginning, end);
  }
  const ending = form.slice(-PIECE_LENGTH);
  for (let at = text.indexOf(ending), end = 0; at >= 0; at = text.indexOf(ending, end)) {
    let start = at;
    while (start > end && text[start - 1] === form.at(start - 1 - at - PIECE_LENGTH)) start -= 1;
    end = at + PIECE_LENGTH;
    pieces.push([start, end]);
  }
  return pieces;
}
