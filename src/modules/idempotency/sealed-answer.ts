import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { canonicalJson } from '../../http/canonical-json.js';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A key with fewer characters is not hard enough to guess to keep a secret. */
const SHORTEST_SEALING_KEY = 16;

/** What tells a request from others: a repetition has the same. */
export interface RequestParts {
  readonly method: string;
  /** The path with its prefix, and the query as it was sent. */
  readonly url: string;
  /** Undefined for none. */
  readonly body: unknown;
}

/**
 * An Idempotency-Key as its organization's rows have it. The key itself is not stored, so that an answer can only be opened by a client that
 * sends it, with the credential that it sent before: both are in what the answer is sealed under.
 */
export class StoredKey {
  /** SHA-256 of the key. */
  readonly hash: Buffer;

  /**
   * @param key as the client sends it
   * @param organizationId of the credential
   * @param credentialId of the credential
   * @param credentialSecret the secret of the credential, as it was sent
   */
  constructor(
    private readonly key: string,
    readonly organizationId: string,
    readonly credentialId: string,
    private readonly credentialSecret: string,
  ) {
    this.hash = createHash('sha256').update(key).digest();
  }

  /** Whether an answer with a secret may be sealed under it. */
  get keepsSecrets(): boolean {
    return this.key.length >= SHORTEST_SEALING_KEY;
  }

  /** The fingerprint of a request. The order of the fields of objects does not count. */
  fingerprintOf({ method, url, body }: RequestParts): Buffer {
    // Under the key, so that no one can try which body has this fingerprint.
    return createHmac('sha256', this.key)
      .update(canonicalJson([method, url, body]))
      .digest();
  }

  seal(answer: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.sealingKey(), nonce).setAAD(this.place());
    return Buffer.concat([nonce, cipher.update(answer, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  }

  /** Decrypts what {@link seal} has encrypted. @returns undefined when the credential had another secret then */
  open(sealed: Buffer): string | undefined {
    const nonce = sealed.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(ALGORITHM, this.sealingKey(), nonce, { authTagLength: TAG_BYTES })
      .setAAD(this.place())
      .setAuthTag(sealed.subarray(-TAG_BYTES));
    const opened = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
    try {
      return Buffer.concat([opened, decipher.final()]).toString('utf8');
    } catch {
      // The tag does not fit: OpenSSL says no more than that.
      return undefined;
    }
  }

  private sealingKey(): Buffer {
    // No header that has one of the two can have a NUL in it.
    const secret = `${this.key}\0${this.credentialSecret}`;
    return Buffer.from(hkdfSync('sha256', secret, '', 'gatehouse idempotent answer', KEY_BYTES));
  }

  /** The row that a sealed answer belongs to, so that it fits into no other. */
  private place(): Buffer {
    return Buffer.from(JSON.stringify([this.organizationId, this.credentialId, this.hash.toString('hex')]));
  }
}
