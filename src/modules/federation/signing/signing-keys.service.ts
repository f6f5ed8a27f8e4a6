import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { LRUCache } from 'lru-cache';
import { newUuid } from '../../../persistence/identifiers.js';
import { RepeatedWork } from '../../../persistence/repeated-work.js';
import { ServiceLogger } from '../../../telemetry/logging/service-logger.js';
import { Cipher } from '../../encryption/cipher.js';
import { type EncryptedRow, type EncryptedTable, EncryptedTables } from '../../encryption/encrypted-tables.js';
import type { TokenSigningKeyEntity } from '../entities/token-signing-key.entity.js';
import { type NewSigningKey, SigningKeysRepository } from './signing-keys.repository.js';

/** How often a process looks whether a key is to be made, in milliseconds: several times in the hour for which keys are published ahead. */
const ROTATION_INTERVAL_MS = 600_000;

/** For how long a process verifies with a key that it has read, in milliseconds, and of how many keys: few are valid at a time. */
const PUBLIC_KEY_MS = 60_000;
const PUBLIC_KEYS = 16;

/** The algorithm of access tokens: ECDSA with P-256 and SHA-256 (RFC 7518, section 3.4). */
export const ALGORITHM = 'ES256';

/** A key to sign with. */
export interface SigningKey {
  readonly kid: string;
  readonly key: CryptoKey;
}

/** The keys that access tokens are signed with, and their rotation (docs/interface/token-exchange.md#signing-keys). */
@Injectable()
export class SigningKeys implements EncryptedTable, OnModuleInit, OnApplicationShutdown {
  readonly name = 'token signing keys';
  private readonly rotation: RepeatedWork;
  private readonly publicKeys = new LRUCache<string, CryptoKey>({ max: PUBLIC_KEYS, ttl: PUBLIC_KEY_MS });

  constructor(
    private readonly repository: SigningKeysRepository,
    private readonly cipher: Cipher,
    private readonly tables: EncryptedTables,
    logger: ServiceLogger,
  ) {
    this.rotation = new RepeatedWork(() => this.rotate(), {
      intervalMs: ROTATION_INTERVAL_MS,
      failure: 'the keys that access tokens are signed with were not rotated',
      logger,
    });
  }

  onModuleInit(): void {
    this.tables.register(this);
  }

  /** Begins to look regularly whether a key is to be made. */
  start(): void {
    this.rotation.start();
  }

  onApplicationShutdown(): void {
    this.rotation.stop();
  }

  /** The key that signs now. The first one is made by the first process that needs it. */
  async active(): Promise<SigningKey> {
    let row = await this.repository.active();
    if (row === undefined) {
      await this.rotate();
      row = (await this.repository.active())!;
    }
    const jwk = this.cipher.open(dataOf(row.id), row.sealedPrivateJwk) as JWK;
    return { kid: row.id, key: (await importJWK(jwk, ALGORITHM)) as CryptoKey };
  }

  /** The public keys that tokens may be signed with now or within the hour. */
  async published(): Promise<JWK[]> {
    const rows = await this.repository.published();
    return rows.map(({ id, publicJwk: { kty, crv, x, y } }) => ({
      kty,
      crv,
      alg: ALGORITHM,
      use: 'sig',
      kid: id,
      x,
      y,
    }));
  }

  /** The public key of a `kid`. @param kid in UUID form @returns undefined where there is no such key */
  async publicKey(kid: string): Promise<CryptoKey | undefined> {
    const known = this.publicKeys.get(kid);
    if (known !== undefined) return known;
    const row = await this.repository.find(kid);
    if (row === undefined) return undefined;
    const key = (await importJWK(row.publicJwk, ALGORITHM)) as CryptoKey;
    this.publicKeys.set(kid, key);
    return key;
  }

  /** Makes the next key when it is time for it, and deletes those that no token is of any more. Processes take turns. */
  async rotate(): Promise<void> {
    await this.repository.rotate(() => this.newKey());
  }

  async *rows(): AsyncGenerator<EncryptedRow> {
    for (const { id, sealedPrivateJwk } of await this.repository.all()) yield { id, bytes: sealedPrivateJwk };
  }

  reEncrypted({ id, bytes }: EncryptedRow): Buffer {
    return this.cipher.seal(dataOf(id), this.cipher.open(dataOf(id), bytes));
  }

  async replace({ id, bytes }: EncryptedRow, replacement: Buffer): Promise<boolean> {
    return this.repository.replace(id, bytes, replacement);
  }

  private async newKey(): Promise<NewSigningKey> {
    const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
    const id = newUuid();
    const sealedPrivateJwk = this.cipher.seal(dataOf(id), await exportJWK(privateKey));
    return { id, publicJwk: await exportJWK(publicKey), sealedPrivateJwk };
  }
}

/** The row of a key, which is authenticated with it. */
function dataOf(id: TokenSigningKeyEntity['id']): readonly string[] {
  return ['token_signing_key', id];
}
