import { sharedApplication } from '../../support/application/shared-application.js';
import { Redis } from 'ioredis';
import { DatabaseRates } from '../../../src/modules/rates/database-rates.js';
import { ProcessRates } from '../../../src/modules/rates/process-rates.js';
import type { RateCount, RateCounter, RateSubject } from '../../../src/modules/rates/rate-count.js';
import { RedisRates } from '../../../src/modules/rates/redis-rates.js';
import { newUuid } from '../../../src/persistence/identifiers.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

const REDIS_URL = process.env['GATEHOUSE_TEST_REDIS_URL'];

/** The limits of the key in every case. */
const REQUESTS = 4;
const TOKENS = 100;

/** What was counted before, and how long before the request, in seconds. */
type Earlier = readonly [secondsAgo: number, tokens: number];

/** How a request is counted: what is used then, and when there is room where there is none. */
interface Case {
  readonly name: string;
  readonly earlier: readonly Earlier[];
  readonly tokens: number;
  readonly used: readonly [requests: number, tokens: number];
  readonly exceeded?: readonly [kind: 'requests' | 'tokens', retryAfterSeconds: number];
  /** The seconds until nothing is used. */
  readonly reset: number;
}

const CASES: readonly Case[] = [
  { name: 'all that the limit allows', earlier: [], tokens: 100, used: [1, 100], reset: 61 },
  {
    name: 'more than the limit ever allows',
    earlier: [],
    tokens: 101,
    used: [0, 0],
    exceeded: ['tokens', 61],
    reset: 0,
  },
  { name: 'what is left beside a minute ago', earlier: [[60, 60]], tokens: 40, used: [2, 100], reset: 61 },
  { name: 'all, beside what was counted earlier', earlier: [[61, 60]], tokens: 100, used: [1, 100], reset: 61 },
  {
    name: 'one token too many, until the oldest second is gone',
    earlier: [[60, 60], [20, 30]], // prettier-ignore
    tokens: 11,
    used: [2, 90],
    exceeded: ['tokens', 1],
    reset: 41,
  },
  {
    name: 'exactly what is left when the oldest second is gone',
    earlier: [[45, 60], [20, 30]], // prettier-ignore
    tokens: 70,
    used: [2, 90],
    exceeded: ['tokens', 16],
    reset: 41,
  },
  {
    name: 'one token more than what is left then, until the next second is gone',
    earlier: [[45, 60], [20, 30]], // prettier-ignore
    tokens: 71,
    used: [2, 90],
    exceeded: ['tokens', 41],
    reset: 41,
  },
  {
    name: 'the last request of the limit',
    earlier: [[59, 1], [9, 1], [9, 1]], // prettier-ignore
    tokens: 1,
    used: [4, 4],
    reset: 61,
  },
  {
    name: 'a request beyond the limit, until the oldest one is gone',
    earlier: [[59, 1], [9, 1], [9, 1], [0, 1]], // prettier-ignore
    tokens: 1,
    used: [4, 4],
    exceeded: ['requests', 2],
    reset: 61,
  },
  {
    name: 'a request beyond both limits, of which that of requests is told',
    earlier: [[30, 97], [30, 1], [30, 1], [30, 1]], // prettier-ignore
    tokens: 1,
    used: [4, 100],
    exceeded: ['requests', 31],
    reset: 31,
  },
];

/** Where something is counted, and how what it has counted gets older. */
interface Place {
  readonly counter: RateCounter;
  readonly age: (organizationId: string, seconds: number) => Promise<void>;
  /** Whether it gets older because the clock is set on. */
  readonly isClockSet: boolean;
}

describe('A request is counted alike in the process, in PostgreSQL and in Redis:', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = sharedOrganization(app);
  let redis: Redis | undefined;

  beforeAll(() => {
    if (REDIS_URL !== undefined) redis = new Redis(REDIS_URL);
  });

  afterEach(() => jest.useRealTimers());

  afterAll(() => redis?.disconnect());

  const places: Readonly<Record<string, () => Place>> = {
    'in the process': () => {
      jest.useFakeTimers({ now: 1_800_000_000_500, doNotFake: ['nextTick', 'setImmediate', 'performance'] });
      return {
        counter: new ProcessRates(),
        isClockSet: true,
        age: (_, seconds) => {
          jest.setSystemTime(Date.now() + seconds * 1000);
          return Promise.resolve();
        },
      };
    },
    'in PostgreSQL': () => ({
      counter: app.application.get(DatabaseRates),
      isClockSet: false,
      // The place of a second is its remainder by 61.
      age: async (organizationId, seconds) => {
        const moved = (column: string): string =>
          `CASE WHEN cardinality(${column}) = 0 THEN ${column} ELSE ARRAY(
             SELECT ${column}[(place + $2) % 61 + 1] FROM generate_series(0, 60) AS place ORDER BY place) END`;
        await app.rows(
          `UPDATE rate_uses SET latest_second = latest_second - $2::integer, requests = ${moved('requests')},
             tokens = ${moved('tokens')} WHERE organization_id = $1`,
          [organizationId, seconds],
        );
      },
    }),
    ...(REDIS_URL !== undefined && {
      'in Redis': () => ({
        counter: new RedisRates(redis!),
        isClockSet: false,
        age: async (organizationId, seconds) => {
          for (const key of await redis!.keys(`gatehouse:rates:{${organizationId}}:*`)) {
            const fields = Object.entries(await redis!.hgetall(key));
            await redis!.del(key);
            for (const [field, amount] of fields)
              await redis!.hset(key, `${field[0]}${Number(field.slice(1)) - seconds}`, amount);
          }
        },
      }),
    }),
  };

  const newKey = (): RateSubject => ({
    subject: 'key',
    id: newUuid(),
    limits: { requestsPerMinute: REQUESTS, tokensPerMinute: TOKENS },
  });

  /**
   * Counts what came earlier, each so long ago, and then the request. All of it within one second by the clock that counts, if that goes
   * on by itself; else once more.
   */
  const counted = async (place: Place, { earlier, tokens }: Pick<Case, 'earlier' | 'tokens'>): Promise<RateCount> => {
    const { organizationId } = organization;
    const { counter, age, isClockSet } = place;
    const subjects = [newKey()];
    const seconds = new Set<number>();
    for (const [index, [ago, used]] of earlier.entries()) {
      seconds.add((await counter.count(organizationId, { subjects, tokens: used })).second);
      await age(organizationId, ago - (earlier[index + 1]?.[0] ?? 0));
    }
    const count = await counter.count(organizationId, { subjects, tokens });
    seconds.add(count.second);
    return isClockSet || seconds.size === 1 ? count : counted(place, { earlier, tokens });
  };

  /** Corrects what was counted so long ago, and counts one token more. @returns the tokens that are used before it */
  const corrected = async (place: Place, secondsAgo: number, tokens: number): Promise<readonly number[]> => {
    const { organizationId } = organization;
    const { counter, age, isClockSet } = place;
    const subjects = [newKey(), { ...newKey(), limits: { requestsPerMinute: REQUESTS, tokensPerMinute: null } }];
    const before = await counter.count(organizationId, { subjects, tokens: 50 });
    await age(organizationId, secondsAgo);
    const second = isClockSet ? before.second : before.second - secondsAgo;
    await counter.correct(organizationId, { subjects, second, tokens });
    const { levels, second: now } = await counter.count(organizationId, { subjects, tokens: 1 });
    if (!isClockSet && now !== before.second) return corrected(place, secondsAgo, tokens);
    return levels.filter(({ kind }) => kind === 'tokens').flatMap(({ used, resetSeconds }) => [used - 1, resetSeconds]);
  };

  describe.each(Object.keys(places))('%s', (name) => {
    it.each(CASES)('$name', async (expected) => {
      const { levels, exceeded } = await counted(places[name]!(), expected);

      expect(levels.map(({ used }) => used)).toEqual(expected.used);
      expect(levels.map(({ resetSeconds }) => resetSeconds)).toEqual([expected.reset, expected.reset]);
      const [kind, retryAfterSeconds] = expected.exceeded ?? [];
      expect([exceeded?.kind, exceeded?.retryAfterSeconds]).toEqual([kind, retryAfterSeconds]);
    });

    it.each<[name: string, secondsAgo: number, tokens: number, used: number]>([
      ['takes back what was counted too much', 10, -20, 30],
      ['takes back no more than was counted then', 10, -70, 0],
      ['takes nothing back of what does not count any more', 61, -20, 0],
      ['counts what was used beyond it now', 10, 20, 70],
      ['counts what was used beyond it now, also where that does not count any more', 61, 20, 20],
    ])('a correction %s', async (_, secondsAgo, tokens, used) => {
      expect(await corrected(places[name]!(), secondsAgo, tokens)).toEqual([used, 61]);
    });

    it('what is counted beyond a limit by a correction leaves no room until it is gone', async () => {
      const { counter } = places[name]!();
      const { organizationId } = organization;
      const subjects = [newKey()];
      const { second } = await counter.count(organizationId, { subjects, tokens: 50 });
      await counter.correct(organizationId, { subjects, second, tokens: 500 });
      const { exceeded } = await counter.count(organizationId, { subjects, tokens: 1 });
      expect(exceeded).toMatchObject({ kind: 'tokens', used: 550, requested: 1 });
    });
  });
});
