import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import type { DestinationConfig } from '../../../src/modules/observability/config-mask.js';

/** A configuration as earlier releases have stored it: bound to the id of its row, and to nothing else. */
export function encryptAsEarlierReleases(key: Buffer, id: string, config: DestinationConfig): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(id));
  const ciphertext = Buffer.concat([cipher.update(JSON.stringify(config), 'utf8'), cipher.final()]);
  const keyId = createHash('sha256').update(key).digest().subarray(0, 4);
  return Buffer.concat([Buffer.of(1), keyId, nonce, ciphertext, cipher.getAuthTag()]);
}
