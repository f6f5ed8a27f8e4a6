import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** How long a page can be answered, in milliseconds. */
const LIFE_MS = 600_000;

const TOKEN = /^([A-Za-z0-9_-]{22})\.([0-9a-z]{1,10})\.([A-Za-z0-9_-]{43})$/;

/** What a page is made for. */
export interface ConsentBinding {
  /** The secret of the session, which nobody else can make or check tokens with. */
  readonly sessionSecret: string;
  /** What the application has said. */
  readonly fixed: Readonly<Record<string, string | undefined>>;
}

/** Makes the token of a page: what was shown to a person is what they allow, in the session in which they saw it. */
export function newConsentToken(binding: ConsentBinding, now = Date.now()): string {
  const head = `${randomBytes(16).toString('base64url')}.${now.toString(36)}`;
  return `${head}.${macOf(binding, head)}`;
}

/** Whether a token is of a page that was made for the same, at most ten minutes ago. */
export function isConsentToken(token: string, binding: ConsentBinding, now = Date.now()): boolean {
  const [, nonce, time, mac] = TOKEN.exec(token) ?? [];
  if (nonce === undefined || time === undefined || mac === undefined) return false;
  const age = now - Number.parseInt(time, 36);
  const isRight = timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(binding, `${nonce}.${time}`)));
  return isRight && age >= 0 && age <= LIFE_MS;
}

/**
 * The random part of the code that a token stands for: the same for every time that the form is sent, so that a click too many makes no
 * second code, and known to nobody without the secret of the session.
 *
 * @returns 32 bytes
 */
export function codeBytesOf(token: string, { sessionSecret }: ConsentBinding): Buffer {
  return createHmac('sha256', sessionSecret).update(`authorization code of ${token}`).digest();
}

function macOf({ sessionSecret, fixed }: ConsentBinding, head: string): string {
  const said = Object.entries(fixed)
    .filter(([, value]) => value !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return createHmac('sha256', sessionSecret)
    .update(JSON.stringify(['consent', head, said]))
    .digest('base64url');
}
