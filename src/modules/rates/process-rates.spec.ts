import { newUuid } from '../../persistence/identifiers.js';
import { ProcessRates } from './process-rates.js';
import type { RateSubject } from './rate-count.js';

const ORGANIZATION = 'org_1';

function keyWith(requestsPerMinute: number | null, tokensPerMinute: number | null = null): RateSubject {
  return { subject: 'key', id: newUuid(), limits: { requestsPerMinute, tokensPerMinute } };
}

describe('ProcessRates', () => {
  beforeEach(() => jest.useFakeTimers({ now: new Date('2026-01-01T00:00:18.500Z') }));
  afterEach(() => jest.useRealTimers());

  const isCounted = async (rates: ProcessRates, subjects: RateSubject[], tokens = 1): Promise<boolean> =>
    (await rates.count(ORGANIZATION, { subjects, tokens })).exceeded === undefined;

  it('counts a request for all of its subjects or for none', async () => {
    const rates = new ProcessRates();
    const [key, workspace] = [keyWith(1), { ...keyWith(3), subject: 'workspace' as const }];
    expect(await isCounted(rates, [workspace, key])).toBe(true);
    for (let refused = 0; refused < 5; refused += 1) expect(await isCounted(rates, [workspace, key])).toBe(false);
    const { levels } = await rates.count(ORGANIZATION, { subjects: [workspace], tokens: 1 });
    expect(levels).toEqual([{ subject: 'workspace', kind: 'requests', limit: 3, used: 2, resetSeconds: 61 }]);
  });

  it('tells which limit leaves no room, and when it will', async () => {
    const rates = new ProcessRates();
    const key = keyWith(10, 100);
    await rates.count(ORGANIZATION, { subjects: [key], tokens: 60 });
    jest.advanceTimersByTime(20_000);
    await rates.count(ORGANIZATION, { subjects: [key], tokens: 30 });
    const { exceeded } = await rates.count(ORGANIZATION, { subjects: [key], tokens: 20 });
    expect(exceeded).toMatchObject({ kind: 'tokens', limit: 100, used: 90, requested: 20, retryAfterSeconds: 41 });
    jest.advanceTimersByTime(40_999);
    expect(await isCounted(rates, [key], 20)).toBe(true);
  });

  it('counts the tokens that were used beyond those expected now, and takes those back that were not', async () => {
    const rates = new ProcessRates();
    const key = keyWith(null, 100);
    const { second } = await rates.count(ORGANIZATION, { subjects: [key], tokens: 60 });
    await rates.correct(ORGANIZATION, { subjects: [key], second, tokens: -50 });
    expect(await isCounted(rates, [key], 90)).toBe(true);
    await rates.correct(ORGANIZATION, { subjects: [key], second, tokens: 500 });
    jest.advanceTimersByTime(60_000);
    expect(await isCounted(rates, [key], 1)).toBe(false);
    jest.advanceTimersByTime(1_000);
    expect(await isCounted(rates, [key], 100)).toBe(true);
  });

  it('keeps a bounded number of subjects of an organization, those that were used last', async () => {
    const rates = new ProcessRates();
    const [first, last] = [keyWith(1), keyWith(1)];
    await isCounted(rates, [first]);
    for (let index = 0; index < 1_500; index += 1) await isCounted(rates, [keyWith(1)]);
    await isCounted(rates, [last]);
    expect(rates.subjectsOf(ORGANIZATION)).toBe(1_000);
    expect(await isCounted(rates, [last])).toBe(false);
    expect(await isCounted(rates, [first])).toBe(true);
  });
});
