import { createHash } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';
import type { AwsKeys } from './credential-secret.js';

/** A request that is signed. */
export interface SignedRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** Exactly what is sent: its media type, and its bytes in their order. */
  readonly content: { readonly type: string; readonly pieces: readonly Uint8Array[] } | null;
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
  { method, url, content }: SignedRequest,
  keys: AwsKeys,
  scope: { readonly region: string; readonly service: string },
  time: number,
): Promise<Record<string, string>> {
  if (signingKeys.size > KEPT) signingKeys.clear();
  const hash = createHash('sha256');
  for (const piece of content?.pieces ?? []) hash.update(piece);
  const signer = new AwsV4Signer({
    method,
    url,
    headers: {
      ...(content !== null && { 'content-type': content.type }),
      'x-amz-content-sha256': hash.digest('hex'),
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
