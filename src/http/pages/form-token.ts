import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** How long a page can be answered, in milliseconds. */
const LIFE_MS = 600_000;

const TOKEN = /^([A-Za-z0-9_-]{22})\.([0-9a-z]{1,10})\.([A-Za-z0-9_-]{43})$/;

/** What a page with a form is made for. */
export interface FormBinding {
  /** The secret of the session, which nothing but the browser of the person has. */
  readonly sessionSecret: string;
  /** What the form is for: the token of one is none of another. */
  readonly purpose: string;
  /** What was shown, and is the same when the form is sent. */
  readonly fixed: Readonly<Record<string, string | undefined>>;
}

/** Makes the token of a form: what was shown to a person is what they send, in the session in which they saw it. */
export function newFormToken(binding: FormBinding, now = Date.now()): string {
  const head = `${randomBytes(16).toString('base64url')}.${now.toString(36)}`;
  return `${head}.${macOf(binding, head)}`;
}

/** Whether a token is of a page that was made for the same, at most ten minutes ago. */
export function isFormToken(token: string, binding: FormBinding, now = Date.now()): boolean {
  const [, nonce, time, mac] = TOKEN.exec(token) ?? [];
  if (nonce === undefined || time === undefined || mac === undefined) return false;
  const age = now - Number.parseInt(time, 36);
  const isRight = timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(binding, `${nonce}.${time}`)));
  return isRight && age >= 0 && age <= LIFE_MS;
}

function macOf({ sessionSecret, purpose, fixed }: FormBinding, head: string): string {
  const said = Object.entries(fixed)
    .filter(([, value]) => value !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return createHmac('sha256', sessionSecret)
    .update(JSON.stringify([purpose, head, said]))
    .digest('base64url');
}
