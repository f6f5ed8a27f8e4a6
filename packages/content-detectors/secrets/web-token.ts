/** Whether a text in the form of a JSON web token is one: its header is JSON that names an algorithm (RFC 7515, section 4.1). */
export function isWebToken(token: string): boolean {
  const [header = ''] = token.split('.', 1);
  try {
    const decoded: unknown = JSON.parse(Buffer.from(header, 'base64url').toString('utf8'));
    return typeof decoded === 'object' && decoded !== null && 'alg' in decoded && typeof decoded.alg === 'string';
  } catch {
    // It is not JSON.
    return false;
  }
}
