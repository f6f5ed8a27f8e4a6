import { parsedIfJson } from '../../../../api/input/json-bounds.js';
import { isObject } from '../../../../api/validation/constraints.js';

/** Whether a text in the form of a JSON web token is one: its header is JSON that names an algorithm (RFC 7515, section 4.1). */
export function isWebToken(token: string): boolean {
  const [header = ''] = token.split('.', 1);
  const decoded = parsedIfJson(Buffer.from(header, 'base64url').toString('utf8'));
  return isObject(decoded) && typeof decoded.alg === 'string';
}
