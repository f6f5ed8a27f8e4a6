import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import type { DestinationConfig } from './credential-mask.js';

const ALGORITHM = 'aes-256-gcm';
const FORMAT_VERSION = 1;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + KEY_ID_BYTES + NONCE_BYTES;

interface EncryptionKey {
  readonly id: Buffer;
  readonly key: Buffer;
}

/**
 * Encrypts the configurations of destinations at rest with AES-256-GCM (NIST SP 800-38D). The id of the row is
 * authenticated along with it, so that a configuration cannot be moved to another row.
 *
 * Layout: format version (1 byte), key id (4), nonce (12), ciphertext, tag (16). The key id is the start of the key's
 * SHA-256: it says which of several keys to decrypt with.
 */
@Injectable()
export class ConfigCipher {
  private readonly keys: readonly EncryptionKey[];

  constructor(environment: Environment) {
    this.keys = environment.encryptionKeys.map((key) => ({ id: keyIdOf(key), key }));
  }

  /** Whether the first key has encrypted the bytes. */
  isCurrent(bytes: Buffer): boolean {
    return bytes[0] === FORMAT_VERSION && keyIdIn(bytes).equals(this.current.id);
  }

  /** @param rowId the id of the destination */
  encrypt(rowId: string, config: DestinationConfig): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.current.key, nonce).setAAD(Buffer.from(rowId));
    const ciphertext = Buffer.concat([cipher.update(JSON.stringify(config), 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.of(FORMAT_VERSION), this.current.id, nonce, ciphertext, cipher.getAuthTag()]);
  }

  /**
   * @param rowId the id of the destination
   * @throws Error when no key fits, or the bytes or the row are not those that were encrypted
   */
  decrypt(rowId: string, bytes: Buffer): DestinationConfig {
    if (bytes[0] !== FORMAT_VERSION || bytes.length < HEADER_BYTES + TAG_BYTES) {
      throw new Error('the encrypted configuration has an unknown format');
    }
    const keyId = keyIdIn(bytes);
    const entry = this.keys.find(({ id }) => id.equals(keyId));
    if (entry === undefined) throw new Error('no ENCRYPTION_KEY fits the encrypted configuration');
    const nonce = bytes.subarray(1 + KEY_ID_BYTES, HEADER_BYTES);
    const decipher = createDecipheriv(ALGORITHM, entry.key, nonce)
      .setAAD(Buffer.from(rowId))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    const plaintext = Buffer.concat([decipher.update(bytes.subarray(HEADER_BYTES, -TAG_BYTES)), decipher.final()]);
    return JSON.parse(plaintext.toString('utf8')) as DestinationConfig;
  }

  private get current(): EncryptionKey {
    const first = this.keys[0];
    if (first === undefined) throw new Error('there is no encryption key');
    return first;
  }
}

/** The id of the key that has encrypted the bytes. */
function keyIdIn(bytes: Buffer): Buffer {
  return bytes.subarray(1, 1 + KEY_ID_BYTES);
}

function keyIdOf(key: Buffer): Buffer {
  return createHash('sha256').update(key).digest().subarray(0, KEY_ID_BYTES);
}
