import { type CryptoKey, compactVerify, CompactSign, exportJWK, generateKeyPair, type JWK } from 'jose';
import { IssuerUnreachable } from './issuer-transport.js';
import { isOfBoundedSize, IssuerKeysUnreachable, PublishedKeys } from './published-keys.js';

const PAUSES = { firstPauseMs: 0, pauseMs: 5_000 };

interface Key {
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

async function newKey(kid: string): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256' } };
}

async function tokenOf({ privateKey, jwk }: Key): Promise<string> {
  return new CompactSign(Buffer.from('{}')).setProtectedHeader({ alg: 'ES256', kid: jwk.kid! }).sign(privateKey);
}

/** An issuer whose keys a test sets, and the keys that it was asked for. */
class Issuer {
  published: readonly unknown[] = [];
  isAway = false;
  readonly asked: boolean[] = [];
  private time = 1_000;
  private readonly keys: PublishedKeys;

  constructor(pauses = PAUSES) {
    jest.spyOn(performance, 'now').mockImplementation(() => this.time);
    const transport = { json: () => this.answer() } as unknown as ConstructorParameters<typeof PublishedKeys>[0];
    this.keys = new PublishedKeys(transport, { ...pauses, isUsable: isOfBoundedSize });
  }

  pass(milliseconds: number): void {
    this.time += milliseconds;
  }

  /** Whether a token that a key has signed is verified, or what fails. */
  async judge(key: Key): Promise<string> {
    const token = await tokenOf(key);
    const address = (isAgain: boolean): Promise<string> => {
      this.asked.push(isAgain);
      return Promise.resolve('https://issuer.example/jwks');
    };
    return this.keys
      .verified({ name: 'issuer', address }, (find) => compactVerify(token, find))
      .then(
        () => 'verified',
        (error: unknown) => (error as Error).constructor.name,
      );
  }

  private answer(): Promise<Readonly<Record<string, unknown>>> {
    return this.isAway ? Promise.reject(new IssuerUnreachable('away')) : Promise.resolve({ keys: this.published });
  }
}

describe('PublishedKeys', () => {
  afterEach(() => jest.restoreAllMocks());

  it.each(['another', 'first'])('asks at once for a new key with the id %s, and then after a pause', async (id) => {
    const [first, second, third] = [await newKey('first'), await newKey(id), await newKey(id)];
    const issuer = new Issuer();
    issuer.published = [first.jwk];
    expect(await issuer.judge(first)).toBe('verified');

    issuer.published = [second.jwk];
    expect(await issuer.judge(second)).toBe('verified');
    issuer.published = [third.jwk];
    issuer.pass(4_999);
    expect(await issuer.judge(third)).toBe('JWSSignatureVerificationFailed');
    issuer.pass(1);
    expect(await issuer.judge(third)).toBe('verified');
    expect(issuer.asked).toEqual([false, true, true]);
  });

  it('asks once for a storm of tokens that fit no key', async () => {
    const [known, unknown] = [await newKey('known'), await newKey('unknown')];
    const issuer = new Issuer();
    issuer.published = [known.jwk];

    const judged = await Promise.all(Array.from({ length: 20 }, () => issuer.judge(unknown)));

    expect(new Set(judged)).toEqual(new Set(['JWKSNoMatchingKey']));
    expect(issuer.asked).toEqual([false, true]);
  });

  it('asks not before a pause after any reading, where that is set', async () => {
    const [known, unknown] = [await newKey('known'), await newKey('unknown')];
    const issuer = new Issuer({ firstPauseMs: 30_000, pauseMs: 30_000 });
    issuer.published = [known.jwk];
    await issuer.judge(known);
    issuer.published = [unknown.jwk];

    issuer.pass(29_999);
    expect(await issuer.judge(unknown)).toBe('JWKSNoMatchingKey');
    issuer.pass(1);
    expect(await issuer.judge(unknown)).toBe('verified');
  });

  it('goes on with the keys that it has while the issuer does not answer, and reads them anew after ten minutes', async () => {
    const [known, unknown] = [await newKey('known'), await newKey('unknown')];
    const issuer = new Issuer();
    issuer.published = [known.jwk];
    await issuer.judge(known);
    issuer.isAway = true;

    expect(await issuer.judge(unknown)).toBe(IssuerKeysUnreachable.name);
    expect(await issuer.judge(known)).toBe('verified');
    issuer.pass(600_000);
    expect(await issuer.judge(known)).toBe(IssuerKeysUnreachable.name);
    issuer.isAway = false;
    expect(await issuer.judge(known)).toBe(IssuerKeysUnreachable.name);
    issuer.pass(5_000);
    expect(await issuer.judge(known)).toBe('verified');
  });

  it('leaves out what is no key, and RSA keys that are too long or too short', async () => {
    const known = await newKey('known');
    const issuer = new Issuer();
    const rsa = (n: string): JWK => ({ kty: 'RSA', kid: 'rsa', n, e: 'AQAB' });
    issuer.published = [
      null,
      'x',
      1,
      [],
      {},
      { kty: 'RSA', n: 1, e: null },
      rsa('A'.repeat(341)),
      rsa('A'.repeat(1_367)),
      known.jwk,
    ];

    expect(await issuer.judge(known)).toBe('verified');
  });
});
