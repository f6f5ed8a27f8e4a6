import { ProviderError } from '../../codecs/errors/provider-error.js';
import { type Issued, TokenCache } from './token-cache.js';

const HOUR = 3_600_000;

describe('The cache of tokens', () => {
  const signal = new AbortController().signal;
  let cache: TokenCache;
  let fetched: number;

  const tokenOf = async (
    credential: string,
    fetch: () => Promise<Issued<string>>,
    asker: AbortSignal = signal,
  ): Promise<string> => (await cache.get(credential, fetch, asker)).token;

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
    const all = await Promise.all(Array.from({ length: 50 }, () => tokenOf('a', issue(HOUR))));
    expect(new Set(all)).toEqual(new Set(['token 1']));
    expect(await tokenOf('a', issue(HOUR))).toBe('token 1');
    expect(fetched).toBe(1);
  });

  it('keeps the tokens of credentials apart', async () => {
    expect(await tokenOf('a', issue(HOUR))).toBe('token 1');
    expect(await tokenOf('b', issue(HOUR))).toBe('token 2');
  });

  it('renews a token before it ends, without letting anybody wait', async () => {
    await tokenOf('a', issue(200_000));
    let issued: (() => void) | undefined;
    const slow = async (): Promise<Issued<string>> => {
      await new Promise<void>((resolve) => (issued = resolve));
      return issue(HOUR)();
    };
    expect(await tokenOf('a', slow)).toBe('token 1');
    issued!();
    await new Promise(setImmediate);
    expect(await tokenOf('a', fail)).toBe('token 2');
  });

  it('fails no caller whose token is valid when it cannot be renewed, and does not ask again at once', async () => {
    await tokenOf('a', issue(200_000));
    for (let request = 0; request < 20; request += 1) {
      expect(await tokenOf('a', fail)).toBe('token 1');
      await new Promise(setImmediate);
    }
    expect(fetched).toBe(2);
  });

  it('does not ask again at once for a token that is to be renewed as soon as it comes', async () => {
    for (let request = 0; request < 20; request += 1) {
      await tokenOf('a', issue(200_000));
      await new Promise(setImmediate);
    }
    expect(fetched).toBe(2);
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 10_000);
    await tokenOf('a', issue(200_000));
    jest.restoreAllMocks();
    expect(fetched).toBe(3);
  });

  it('gives callers that wait the failure, for a few seconds without asking again', async () => {
    await expect(tokenOf('a', fail)).rejects.toMatchObject({ status: 503 });
    await expect(tokenOf('a', issue(HOUR))).rejects.toMatchObject({ status: 503 });
    expect(fetched).toBe(1);
  });

  it('fetches another token after one was dropped, once for all who were refused with it', async () => {
    await tokenOf('a', issue(HOUR));
    const another = async (): Promise<string> => {
      cache.drop('a', 'token 1');
      return tokenOf('a', issue(HOUR));
    };
    for (let request = 0; request < 3; request += 1) expect(await another()).toBe('token 2');
    expect(fetched).toBe(2);
  });

  it('says whether an earlier request has fetched a token', async () => {
    expect(await cache.get('a', issue(HOUR), signal)).toEqual({ token: 'token 1', isKept: false });
    expect(await cache.get('a', issue(HOUR), signal)).toEqual({ token: 'token 1', isKept: true });
  });

  it('asks for nothing where who wants it has left already', async () => {
    await expect(tokenOf('a', fail, AbortSignal.abort(new Error('left')))).rejects.toThrow('left');
    expect(fetched).toBe(0);
  });

  it('lets one who leaves go, and the others wait', async () => {
    const leaving = new AbortController();
    let issued: (() => void) | undefined;
    const slow = async (): Promise<Issued<string>> => {
      await new Promise<void>((resolve) => (issued = resolve));
      return issue(HOUR)();
    };
    const left = tokenOf('a', slow, leaving.signal);
    const waiting = tokenOf('a', slow);
    leaving.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    issued!();
    expect(await waiting).toBe('token 1');
  });
});
