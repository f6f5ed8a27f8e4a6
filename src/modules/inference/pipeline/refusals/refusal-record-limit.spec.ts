import type { Environment } from '../../../../config/environment.js';
import { RefusalRecordLimit } from './refusal-record-limit.js';

const MINUTE_MS = 60_000;

describe('the limit of records of early refusals', () => {
  const limitOf = (refusalRecordsPerKey: number, refusalRecordsPerOrganization: number): RefusalRecordLimit =>
    new RefusalRecordLimit({ refusalRecordsPerKey, refusalRecordsPerOrganization } as Environment);

  const taken = (limit: RefusalRecordLimit, organizationId: string, credentialId: string, times: number): number =>
    Array.from({ length: times }, () => limit.take({ organizationId, credentialId })).filter(Boolean).length;

  beforeEach(() => {
    jest.useFakeTimers({ now: 10 * MINUTE_MS });
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('gives each key its share, and all keys of an organization no more than that of the organization', () => {
    const limit = limitOf(3, 5);
    expect([taken(limit, 'one', 'a', 9), taken(limit, 'one', 'b', 9), taken(limit, 'one', 'c', 9)]).toEqual([3, 2, 0]);
  });

  it('gives an organization its share whatever another one has used', () => {
    const limit = limitOf(3, 3);
    taken(limit, 'one', 'a', 9);
    expect(taken(limit, 'other', 'b', 9)).toBe(3);
  });

  it('begins anew with each minute of the clock, and not before', () => {
    const limit = limitOf(2, 2);
    expect(taken(limit, 'one', 'a', 9)).toBe(2);
    jest.advanceTimersByTime(MINUTE_MS - 1);
    expect(taken(limit, 'one', 'a', 9)).toBe(0);
    jest.advanceTimersByTime(1);
    expect(taken(limit, 'one', 'a', 9)).toBe(2);
  });

  it('gives none where the share is 0', () => {
    expect(taken(limitOf(0, 5), 'one', 'a', 2)).toBe(0);
    expect(taken(limitOf(5, 0), 'one', 'a', 2)).toBe(0);
  });
});
