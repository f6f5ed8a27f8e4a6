import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../config/environment.js';

const ALGORITHM = 'aes-256-gcm';
/** The format of earlier releases, which authenticates only the row id. Only read during an upgrade, and never written. */
export const UNBOUND_FORMAT = 1;
const FORMAT = 2;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const DIGEST_KEY_BYTES = 32;
const HEADER_BYTES = 1 + KEY_ID_BYTES + NONCE_BYTES;

interface EncryptionKey {
  readonly id: Buffer;
  readonly key: Buffer;
}

/**
 * Encrypts values at rest with AES-256-GCM (NIST SP 800-38D) and the keys of ENCRYPTION_KEY. Texts that say which row a value
 * belongs to are authenticated along with it, so that it cannot be decrypted in another one.
 *
 * Layout: format version (1 byte), key id (4), nonce (12), ciphertext, tag (16). The key id is the start of the key's
 * SHA-256: it says which of several keys to decrypt with.
 */
@Injectable()
export class Cipher {
  private readonly keys: readonly EncryptionKey[];

  constructor(environment: Environment) {
    this.keys = environment.encryptionKeys.map((key) => ({ id: keyIdOf(key), key }));
  }

  /** Whether the bytes are of the present format and under the first key. */
  isCurrent(bytes: Buffer): boolean {
    return bytes[0] === FORMAT && keyIdIn(bytes).equals(this.current.id);
  }

  /** Whether the bytes are of the format of earlier releases, which binds a configuration to the id of its row alone. */
  isUnbound(bytes: Buffer): boolean {
    return bytes[0] === UNBOUND_FORMAT;
  }

  /** Whether one of the keys encrypted the bytes, by their key id. */
  hasKeyOf(bytes: Buffer): boolean {
    return this.keyOf(bytes) !== undefined;
  }

  /**
   * Encrypts a value that JSON can hold, with the first key.
   *
   * @param data additional authenticated data, which is also needed to decrypt
   */
  seal(data: readonly string[], value: unknown): Buffer {
    return this.sealBytes(data, Buffer.from(JSON.stringify(value)));
  }

  /** Encrypts bytes with the first key. @param data as of {@link seal} */
  sealBytes(data: readonly string[], bytes: Buffer): Buffer {
    const { id, key } = this.current;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(encoded(data));
    return Buffer.concat([Buffer.of(FORMAT), id, nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  }

  /**
   * Decrypts what `seal` has encrypted.
   *
   * @param data the same as when it was encrypted
   * @throws Error when no key fits, or the bytes or the data are not those of the encryption
   */
  open(data: readonly string[], bytes: Buffer): unknown {
    return this.decryptAs(FORMAT, encoded(data), bytes);
  }

  /** Decrypts what {@link sealBytes} has encrypted. @throws Error as {@link open} does */
  openBytes(data: readonly string[], bytes: Buffer): Buffer {
    return this.decryptedBytes(FORMAT, encoded(data), bytes);
  }

  /** @throws Error when the bytes are of another format, no key fits, or the bytes or the data are not those of the encryption */
  protected decryptAs(format: number, data: Buffer, bytes: Buffer): unknown {
    return JSON.parse(this.decryptedBytes(format, data, bytes).toString('utf8')) as unknown;
  }

  /**
   * A digest of a text under the first key, so that only who has the key can tell which text it is of: HMAC-SHA-256 with a key derived for
   * the purpose (RFC 5869). Another first key gives other digests.
   *
   * @returns 32 bytes
   */
  digest(purpose: string, text: string): Buffer {
    const key = Buffer.from(hkdfSync('sha256', this.current.key, '', purpose, DIGEST_KEY_BYTES));
    return createHmac('sha256', key).update(text).digest();
  }

  private decryptedBytes(format: number, data: Buffer, bytes: Buffer): Buffer {
    if (bytes[0] !== format || bytes.length < HEADER_BYTES + TAG_BYTES) {
      throw new Error('the encrypted value has an unknown format');
    }
    const entry = this.keyOf(bytes);
    if (entry === undefined) throw new Error('no ENCRYPTION_KEY fits the encrypted value');
    const nonce = bytes.subarray(1 + KEY_ID_BYTES, HEADER_BYTES);
    const decipher = createDecipheriv(ALGORITHM, entry.key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(data)
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(HEADER_BYTES, -TAG_BYTES)), decipher.final()]);
  }

  private keyOf(bytes: Buffer): EncryptionKey | undefined {
    const keyId = keyIdIn(bytes);
    return this.keys.find(({ id }) => id.equals(keyId));
  }

  private get current(): EncryptionKey {
    const first = this.keys[0];
    if (first === undefined) throw new Error('there is no encryption key');
    return first;
  }
}

/** A JSON list says where each text ends, whatever is in it, so that no two lists have the same encoding. */
function encoded(data: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify([FORMAT, ...data]));
}

/** The id of the key that has encrypted the bytes. */
function keyIdIn(bytes: Buffer): Buffer {
  return bytes.subarray(1, 1 + KEY_ID_BYTES);
}

function keyIdOf(key: Buffer): Buffer {
  return createHash('sha256').update(key).digest().subarray(0, KEY_ID_BYTES);
}
