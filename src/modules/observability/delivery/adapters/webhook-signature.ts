import { createHmac } from 'node:crypto';

/** What stands before the base64 of a secret (Standard Webhooks 1.0). */
const SECRET_PREFIX = 'whsec_';

/**
 * Signs a delivery as Standard Webhooks 1.0 defines it, with HMAC-SHA256 of `id.timestamp.body`.
 *
 * @param secrets `whsec_` and base64, the newest first; while one is being replaced both sign
 * @param id the same for every attempt
 * @param timestamp of the attempt, in seconds of Unix time
 * @param body as it is sent
 * @returns the header `webhook-signature`: one signature for each secret, with spaces between them
 */
export function webhookSignatureOf(secrets: readonly string[], id: string, timestamp: number, body: Buffer): string {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret, 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
  });
  return signatures.join(' ');
}

/**
 * The headers of a message (Standard Webhooks 1.0) that is sent now, signed if there are secrets for that.
 *
 * @param secrets the newest first
 * @param id the same for every attempt
 * @param body as it is sent
 */
export function webhookHeadersOf(secrets: readonly string[], id: string, body: Buffer): Record<string, string> {
  const timestamp = Math.floor(Date.now() / 1_000);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    ...(secrets.length > 0 && { 'webhook-signature': webhookSignatureOf(secrets, id, timestamp, body) }),
  };
}
