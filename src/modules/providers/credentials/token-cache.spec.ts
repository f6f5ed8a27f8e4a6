import { ProviderError } from '../../codecs/index.js';
import { type Issued, TokenCache } from './token-cache.js';

const HOUR = 3_600_000;

describe('The cache of tokens', () => {
  const signal = new AbortController().signal;
  let cache: TokenCache;
  let fetched: number;

  beforeEach(() => {
    cache = new TokenCache();
    fetched = 0;
  });

  const issue = (lifetime: number) => (): Promise<Issued<string>> => {
    fetched += 1;
    return Promise.resolve({ token: `token ${fetched}`, expiresAt: Date.now() + lifetime });
  };

  const fail = (): Promise<never> => {
    fetched += 1;
    return Promise.reject(new ProviderError('refused', 'away', { status: 503 }));
  };

  it('asks once for all who wait, and for those who come later', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => cache.get('a', issue(HOUR), signal)));
    expect(new Set(all)).toEqual(new Set(['token 1']));
    expect(await cache.get('a', issue(HOUR), signal)).toBe('token 1');
    expect(fetched).toBe(1);
  });

  it('keeps the tokens of credentials apart', async () => {
    expect(await cache.get('a', issue(HOUR), signal)).toBe('token 1');
    expect(await cache.get('b', issue(HOUR), signal)).toBe('token 2');
  });

  it('renews a token before it ends, without letting anybody wait', async () => {
    await cache.get('a', issue(200_000), signal);
    let issued: (() => void) | undefined;
    const slow = async (): Promise<Issued<string>> => {
      await new Promise<void>((resolve) => (issued = resolve));
      return issue(HOUR)();
    };
    expect(await cache.get('a', slow, signal)).toBe('token 1');
    issued!();
    await new Promise(setImmediate);
    expect(await cache.get('a', fail, signal)).toBe('token 2');
  });

  it('fails nobody whose token is valid when it cannot be renewed, and does not ask again at once', async () => {
    await cache.get('a', issue(200_000), signal);
    for (let request = 0; request < 20; request += 1) {
      expect(await cache.get('a', fail, signal)).toBe('token 1');
      await new Promise(setImmediate);
    }
    expect(fetched).toBe(2);
  });

  it('gives whoever waits the failure, for a few seconds without asking again', async () => {
    await expect(cache.get('a', fail, signal)).rejects.toMatchObject({ status: 503 });
    await expect(cache.get('a', issue(HOUR), signal)).rejects.toMatchObject({ status: 503 });
    expect(fetched).toBe(1);
  });

  it('fetches another token after one was dropped', async () => {
    await cache.get('a', issue(HOUR), signal);
    cache.drop('a');
    expect(await cache.get('a', issue(HOUR), signal)).toBe('token 2');
  });

  it('lets one who leaves go, and the others wait', async () => {
    const leaving = new AbortController();
    let issued: (() => void) | undefined;
    const slow = async (): Promise<Issued<string>> => {
      await new Promise<void>((resolve) => (issued = resolve));
      return issue(HOUR)();
    };
    const left = cache.get('a', slow, leaving.signal);
    const waiting = cache.get('a', slow, signal);
    leaving.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    issued!();
    expect(await waiting).toBe('token 1');
  });
});
