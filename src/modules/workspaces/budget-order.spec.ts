import { BUDGET_INTERVALS } from './budget-interval.js';
import { budgetOrderFaults, type IntervalLimit } from './budget-order.js';

const LIMITS: readonly IntervalLimit[] = [
  { interval: 'daily', limitUsd: 10 },
  { interval: 'weekly', limitUsd: 20 },
  { interval: 'monthly', limitUsd: 30 },
  { interval: 'lifetime', limitUsd: 40 },
];

describe('the order of budgets', () => {
  const messagesOf = (limit: IntervalLimit, others = LIMITS): string[] =>
    budgetOrderFaults(limit, others).map(({ message }) => message);

  it('is kept by limits that decrease as the interval narrows', () => {
    for (const limit of LIMITS) expect(budgetOrderFaults(limit, LIMITS)).toEqual([]);
  });

  it('is kept by any limit where there is no other', () => {
    for (const interval of BUDGET_INTERVALS) expect(budgetOrderFaults({ interval, limitUsd: 5e-324 }, [])).toEqual([]);
  });

  it('does not hold a limit against the one that it replaces', () => {
    expect(budgetOrderFaults({ interval: 'weekly', limitUsd: 20 }, [{ interval: 'weekly', limitUsd: 1 }])).toEqual([]);
    expect(budgetOrderFaults({ interval: 'weekly', limitUsd: 20 }, [{ interval: 'weekly', limitUsd: 99 }])).toEqual([]);
  });

  it.each([
    [{ interval: 'weekly', limitUsd: 10 }, ['must be more than the daily limit of 10']],
    [{ interval: 'weekly', limitUsd: 30 }, ['must be less than the monthly limit of 30']],
    [
      { interval: 'daily', limitUsd: 40 },
      [
        'must be less than the weekly limit of 20',
        'must be less than the monthly limit of 30',
        'must be less than the lifetime limit of 40',
      ],
    ],
    [{ interval: 'lifetime', limitUsd: 25 }, ['must be more than the monthly limit of 30']],
    [{ interval: 'monthly', limitUsd: Number.MAX_VALUE }, ['must be less than the lifetime limit of 40']],
  ] as const)('is broken by %j', (limit, messages) => {
    expect(messagesOf(limit)).toEqual(messages);
  });

  it('is broken by an equal limit, of a wider interval and of a narrower one', () => {
    expect(messagesOf({ interval: 'daily', limitUsd: 40 }, [LIMITS[3]!])).toHaveLength(1);
    expect(messagesOf({ interval: 'lifetime', limitUsd: 10 }, [LIMITS[0]!])).toHaveLength(1);
  });

  it('is told by the place and the reason of the limit that is set', () => {
    expect(budgetOrderFaults({ interval: 'lifetime', limitUsd: 1 }, [LIMITS[0]!])).toEqual([
      {
        path: 'limit_usd',
        message: 'must be more than the daily limit of 10',
        reason: 'budget_limits_not_decreasing',
      },
    ]);
  });
});
