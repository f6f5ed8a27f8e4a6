import { AwsV4Signer } from 'aws4fetch';
import type { AwsKeys } from './credential-secret.js';

/** A request that is signed. */
export interface SignedRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** Exactly what is sent. */
  readonly bytes: Buffer | null;
}

/** Signing keys by secret, day, region and service. */
const signingKeys = new Map<string, ArrayBuffer>();

/** How many of them are kept. */
const KEPT = 1_000;

/**
 * The headers of Signature Version 4. Only those are signed that no proxy changes.
 *
 * @param time Unix time in milliseconds
 */
export async function signatureHeaders(
  { method, url, bytes }: SignedRequest,
  keys: AwsKeys,
  scope: { readonly region: string; readonly service: string },
  time: number,
): Promise<Record<string, string>> {
  if (signingKeys.size > KEPT) signingKeys.clear();
  const hash = await crypto.subtle.digest('SHA-256', new Uint8Array(bytes ?? []));
  const signer = new AwsV4Signer({
    method,
    url,
    headers: {
      ...(bytes !== null && { 'content-type': 'application/json' }),
      'x-amz-content-sha256': Buffer.from(hash).toString('hex'),
    },
    ...keys,
    ...scope,
    datetime: new Date(time).toISOString().replace(/[:-]|\.\d{3}/g, ''),
    allHeaders: true,
    cache: signingKeys,
  });
  const { headers } = await signer.sign();
  const names = ['authorization', 'x-amz-date', 'x-amz-content-sha256', 'x-amz-security-token'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value] as const];
    }),
  );
}
