import { createHmac } from 'node:crypto';
import type { FormBinding } from '../../../http/pages/form-token.js';

/**
 * The random part of the code that the token of a form stands for: the same for every time that the form is sent, so that a click too many
 * makes no second code, and known only with the secret of the session.
 *
 * @returns 32 bytes
 */
export function codeBytesOf(token: string, { sessionSecret }: FormBinding): Buffer {
  return createHmac('sha256', sessionSecret).update(`authorization code of ${token}`).digest();
}
