import { readEnvironment } from '../../config/environment.js';
import { TooManyRequests } from '../errors/request.errors.js';
import { RequestRateLimit } from './request-rate-limit.js';
import type { RedisConnection } from '../../concurrency/redis-connection.js';

const LIMIT = 3;

function rateWithoutRedis(): RequestRateLimit {
  const environment = readEnvironment({ ORGANIZATION_REQUESTS_PER_MINUTE: String(LIMIT) });
  return new RequestRateLimit(environment, { client: undefined } as unknown as RedisConnection);
}

function refusalOf(rate: RequestRateLimit, organizationId: string): unknown {
  try {
    rate.count(organizationId);
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('RequestRateLimit', () => {
  beforeEach(() => jest.useFakeTimers({ now: new Date('2026-01-01T00:00:18.500Z') }));
  afterEach(() => jest.useRealTimers());

  it('refuses requests beyond the limit with 429 and the seconds until the next minute', () => {
    const rate = rateWithoutRedis();
    for (let request = 0; request < LIMIT; request += 1) expect(refusalOf(rate, 'a')).toBeUndefined();

    const refusal = refusalOf(rate, 'a');
    expect(refusal).toBeInstanceOf(TooManyRequests);
    expect(refusal).toMatchObject({ status: 429, reason: 'organization_request_rate', retryAfterSeconds: 42 });
  });

  it('counts each organization separately', () => {
    const rate = rateWithoutRedis();
    for (let request = 0; request <= LIMIT; request += 1) refusalOf(rate, 'a');

    expect(refusalOf(rate, 'b')).toBeUndefined();
  });

  it('counts from 0 in the next minute', () => {
    const rate = rateWithoutRedis();
    for (let request = 0; request <= LIMIT; request += 1) refusalOf(rate, 'a');

    jest.advanceTimersByTime(41_500);
    expect(refusalOf(rate, 'a')).toBeUndefined();
  });
});
