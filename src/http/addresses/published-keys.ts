import {
  createLocalJWKSet,
  type CryptoKey,
  errors,
  type FlattenedJWSInput,
  type JWK,
  type JWSHeaderParameters,
} from 'jose';
import { LRUCache } from 'lru-cache';
import { forSeveralRequests } from '../../concurrency/request-scope.js';
import { isIssuerUnreachable, type IssuerTransport, IssuerUnreachable } from './issuer-transport.js';

/** For how long the keys of an issuer are used without asking it again, in milliseconds. */
const MAXIMUM_AGE_MS = 600_000;

/** For how long an issuer is not asked again that did not answer, in milliseconds. */
const FAILURE_PAUSE_MS = 5_000;

/** The keys of how many issuers are kept. */
const ISSUERS = 1_000;

/** The most keys of an issuer that are used. */
const KEYS_OF_AN_ISSUER = 100;

/** The longest modulus of an RSA key as base64url: of 8,192 bits. Longer ones take long to verify with. */
export const MAXIMUM_MODULUS_LENGTH = 1_366;

/** The longest exponent as base64url: of 64 bits. */
const MAXIMUM_EXPONENT_LENGTH = 11;

/** Finds the key that a token is signed with, as jose asks for it. @throws JOSEError where there is no such key */
export type FindKey = (header: JWSHeaderParameters, token: FlattenedJWSInput) => Promise<CryptoKey>;

/** The shortest modulus that jose verifies with, as base64url: of 2,048 bits. */
const MINIMUM_MODULUS_LENGTH = 342;

/** Whether signatures can be verified with a key in a short time. */
export function isOfBoundedSize({ n, e }: JWK): boolean {
  return (n ?? '').length <= MAXIMUM_MODULUS_LENGTH && (e ?? '').length <= MAXIMUM_EXPONENT_LENGTH;
}

/** Finds keys among those that are given, as far as tokens may be signed with them. */
export function finderOf(keys: readonly unknown[], isUsable: (key: JWK) => boolean): FindKey {
  const isKey = (key: unknown): key is JWK =>
    typeof key === 'object' && key !== null && !Array.isArray(key) && isUsable(key) && isLongEnough(key);
  const find = createLocalJWKSet({ keys: keys.filter(isKey).slice(0, KEYS_OF_AN_ISSUER) });
  return async (header, token) => {
    try {
      return await find(header, token);
    } catch (error) {
      // Keys of issuers may be more than jose takes, such as a point that is not on the curve.
      if (error instanceof TypeError || error instanceof DOMException) throw new errors.JWKSInvalid();
      throw error;
    }
  };
}

function isLongEnough({ kty, n }: JWK): boolean {
  return kty !== 'RSA' || (n ?? '').length >= MINIMUM_MODULUS_LENGTH;
}

/** The keys of an issuer cannot be read now. */
export class IssuerKeysUnreachable extends IssuerUnreachable {
  /** @param retryAfterSeconds until it is asked again @param reason what failed; undefined where it has not been asked again yet */
  constructor(
    readonly retryAfterSeconds: number,
    readonly reason?: string,
  ) {
    super(reason ?? 'it did not answer a moment ago');
  }
}

/** Where the keys of an issuer are. */
export interface KeySet {
  /** Tells it from others. */
  readonly name: string;
  /**
   * The address of its JWK Set (RFC 7517).
   *
   * @param isAgain whether what is known of it may be out of date
   * @throws the error of the transport where the issuer cannot be asked
   */
  readonly address: (isAgain: boolean) => Promise<string>;
}

/** How often issuers are asked. */
export interface KeyReading {
  /** For how long an issuer is not asked for a key that it has not, after its keys were read for another reason, in milliseconds. */
  readonly firstPauseMs: number;
  /** For how long it is not asked again after it was asked for such a key, in milliseconds, so that made-up keys cannot have it asked for each. */
  readonly pauseMs: number;
  /** Whether tokens may be signed with a key. */
  readonly isUsable: (key: JWK) => boolean;
}

/** What is known of the keys of an issuer. All times are of the monotonic clock, in milliseconds. */
interface KnownKeys {
  find?: FindKey;
  readAt: number;
  /** When they were last asked for because a token fitted none. */
  askedAgainAt: number;
  /** When they last could not be read. */
  failedAt: number;
  reading?: Promise<FindKey>;
}

/**
 * The keys of issuers, which are read from them when a token needs them, and kept for ten minutes. A token that fits none of them, by the
 * name of its key or by its signature, has the issuer asked again, because it may have new keys, or others under the same names; however
 * many such tokens there are, it is asked once in a while, and every five seconds while it does not answer.
 */
export class PublishedKeys {
  private readonly known = new LRUCache<string, KnownKeys>({ max: ISSUERS });

  constructor(
    private readonly transport: IssuerTransport,
    private readonly reading: KeyReading,
  ) {}

  /**
   * Verifies a token with the keys of its issuer.
   *
   * @param verify verifies it with the keys that it is given, and is called once more if there are newer ones
   * @throws IssuerKeysUnreachable, and the error of `verify`
   */
  async verified<Result>(set: KeySet, verify: (find: FindKey) => Promise<Result>): Promise<Result> {
    const known = this.knownOf(set.name);
    const isFresh = known.find !== undefined && performance.now() - known.readAt < MAXIMUM_AGE_MS;
    const find = isFresh ? known.find! : await this.read(set, known, false);
    try {
      return await verify(find);
    } catch (error) {
      const newer = fitsNone(error) ? await this.newerThan(find, set, known) : undefined;
      if (newer === undefined) throw error;
      return verify(newer);
    }
  }

  /** @returns undefined where the issuer was asked a moment ago */
  private async newerThan(find: FindKey, set: KeySet, known: KnownKeys): Promise<FindKey | undefined> {
    if (known.find !== find) return known.find;
    const now = performance.now();
    const { firstPauseMs, pauseMs } = this.reading;
    if (now - known.readAt < firstPauseMs || now - known.askedAgainAt < pauseMs) return known.reading;
    known.askedAgainAt = now;
    return this.read(set, known, true);
  }

  private knownOf(name: string): KnownKeys {
    let known = this.known.get(name);
    if (known === undefined) {
      known = { readAt: -Infinity, askedAgainAt: -Infinity, failedAt: -Infinity };
      this.known.set(name, known);
    }
    return known;
  }

  /** Asks the issuer, once for all that wait for its keys. */
  private async read(set: KeySet, known: KnownKeys, isAgain: boolean): Promise<FindKey> {
    if (known.reading !== undefined) return known.reading;
    const wait = known.failedAt + FAILURE_PAUSE_MS - performance.now();
    if (wait > 0) throw new IssuerKeysUnreachable(Math.ceil(wait / 1_000));
    known.reading = forSeveralRequests(() => this.fetched(set, known, isAgain)).finally(() => delete known.reading);
    return known.reading;
  }

  private async fetched(set: KeySet, known: KnownKeys, isAgain: boolean): Promise<FindKey> {
    try {
      const { keys } = await this.transport.json(await set.address(isAgain));
      if (!Array.isArray(keys)) throw new IssuerUnreachable('its answer is no JWK Set');
      known.find = finderOf(keys as readonly unknown[], this.reading.isUsable);
      known.readAt = performance.now();
      return known.find;
    } catch (error) {
      known.failedAt = performance.now();
      if (!isIssuerUnreachable(error)) throw error;
      throw new IssuerKeysUnreachable(FAILURE_PAUSE_MS / 1_000, reasonOf(error));
    }
  }
}

/** Whether newer keys of the issuer may be those that a token is signed with. */
function fitsNone(error: unknown): boolean {
  return error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWSSignatureVerificationFailed;
}

/** What the transport says of a failure, which libraries wrap. */
function reasonOf(error: unknown): string {
  if (error instanceof IssuerUnreachable || !(error instanceof Error)) return (error as Error).message;
  return reasonOf(error.cause);
}
