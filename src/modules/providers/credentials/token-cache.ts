import { LRUCache } from 'lru-cache';
import { forSeveralRequests } from '../../../concurrency/request-scope.js';

/** How many credentials have what they got kept. */
const KEPT = 10_000;

/** How long before its end a token is fetched anew, in milliseconds. */
const RENEWED_BEFORE_MS = 300_000;

/** How long a failure is remembered, in milliseconds: requests in this time fail with it, and the token service is not asked again. */
const FAILURE_MS = 3_000;

/**
 * How long after one renewal in the background the next one may begin, in milliseconds: services of machines give out the same token until
 * it is about to end, and some give out short ones.
 */
const RENEWAL_GAP_MS = 10_000;

/** What a token service gave. */
export interface Issued<Token> {
  readonly token: Token;
  /** Unix time in milliseconds; undefined for one that does not say when it ends. */
  readonly expiresAt: number | undefined;
  /** From when on another one should be fetched, in Unix time in milliseconds; undefined for five minutes before the end. */
  readonly renewAt?: number;
}

/** What is to be shown to a provider. */
export interface KeptToken<Token> {
  readonly token: Token;
  /** Whether an earlier request had it fetched: another one may be accepted where the provider refuses it. */
  readonly isKept: boolean;
}

interface Entry {
  issued?: Issued<unknown>;
  pending?: Promise<unknown>;
  /** When a renewal in the background began last, in Unix time in milliseconds. */
  renewedAt?: number;
  failure?: { readonly error: unknown; readonly until: number };
}

/**
 * Tokens by the credential that they were issued for. Requests that come while a token is fetched wait for that one. Before a token ends the
 * next one is fetched in the background; if that fails, the token is used until it ends.
 */
export class TokenCache {
  private readonly entries = new LRUCache<string, Entry>({ max: KEPT });

  /**
   * @param credential names the credential, as a hash of it does
   * @param fetch asks the token service, within a time limit of its own
   * @param signal ends the waiting, but not the request that others wait for too
   * @throws ProviderError as `fetch` does, or the reason of the signal
   */
  async get<Token>(
    credential: string,
    fetch: () => Promise<Issued<Token>>,
    signal: AbortSignal,
  ): Promise<KeptToken<Token>> {
    signal.throwIfAborted();
    const entry = this.entryOf(credential);
    const now = Date.now();
    const issued = entry.issued as Issued<Token> | undefined;
    if (issued !== undefined && isValid(issued, now)) {
      if (isDue(issued, now) && !hasFailed(entry, now)) this.renewBeside(entry, fetch, now);
      return { token: issued.token, isKept: true };
    }
    if (hasFailed(entry, now)) throw entry.failure!.error;
    return { token: await untilAborted(this.renew(entry, fetch), signal), isKept: false };
  }

  /**
   * Forgets what was issued, because the provider did not accept it. Requests that were sent together are refused one after the other: what was
   * issued since stays.
   */
  drop(credential: string, token: unknown): void {
    const entry = this.entries.get(credential);
    if (entry?.issued?.token === token) delete entry!.issued;
  }

  private entryOf(credential: string): Entry {
    const known = this.entries.get(credential);
    if (known !== undefined) return known;
    const entry: Entry = {};
    this.entries.set(credential, entry);
    return entry;
  }

  private renewBeside(entry: Entry, fetch: () => Promise<Issued<unknown>>, now: number): void {
    if (entry.renewedAt !== undefined && now < entry.renewedAt + RENEWAL_GAP_MS) return;
    entry.renewedAt = now;
    this.renew(entry, fetch).catch(ignore);
  }

  private renew<Token>(entry: Entry, fetch: () => Promise<Issued<Token>>): Promise<Token> {
    entry.pending ??= forSeveralRequests(fetch)
      .then(
        (issued) => {
          entry.issued = issued;
          delete entry.failure;
          return issued.token;
        },
        (error: unknown) => {
          entry.failure = { error, until: Date.now() + FAILURE_MS };
          throw error;
        },
      )
      .finally(() => delete entry.pending);
    return entry.pending as Promise<Token>;
  }
}

function isValid({ expiresAt }: Issued<unknown>, now: number): boolean {
  return expiresAt === undefined || now < expiresAt;
}

function isDue({ expiresAt, renewAt }: Issued<unknown>, now: number): boolean {
  const due = renewAt ?? (expiresAt === undefined ? Number.POSITIVE_INFINITY : expiresAt - RENEWED_BEFORE_MS);
  return now >= due;
}

function hasFailed({ failure }: Entry, now: number): boolean {
  return failure !== undefined && now < failure.until;
}

/** No request waits for a token that is fetched in the background, so its failure is thrown to none. */
function ignore(): void {
  return undefined;
}

async function untilAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  let leave: (() => void) | undefined;
  const left = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason as Error);
    signal.addEventListener('abort', leave, { once: true });
  });
  try {
    return await Promise.race([result, left]);
  } finally {
    signal.removeEventListener('abort', leave!);
  }
}
