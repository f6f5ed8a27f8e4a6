import { BUDGET_INTERVALS, budgetOrderIssues, type IntervalLimit } from './budget-interval.js';

const LIMITS: readonly IntervalLimit[] = [
  { interval: 'daily', limitUsd: 10 },
  { interval: 'weekly', limitUsd: 20 },
  { interval: 'monthly', limitUsd: 30 },
  { interval: 'lifetime', limitUsd: 40 },
];

describe('the order of budget limits', () => {
  const messagesOf = (limit: IntervalLimit, others = LIMITS): string[] =>
    budgetOrderIssues(limit, others).map(({ message }) => message);

  it('is kept when limits decrease from wide to narrow intervals', () => {
    for (const limit of LIMITS) expect(budgetOrderIssues(limit, LIMITS)).toEqual([]);
  });

  it('is kept by a single limit', () => {
    for (const interval of BUDGET_INTERVALS) expect(budgetOrderIssues({ interval, limitUsd: 5e-324 }, [])).toEqual([]);
  });

  it('ignores the limit that is being replaced', () => {
    expect(budgetOrderIssues({ interval: 'weekly', limitUsd: 20 }, [{ interval: 'weekly', limitUsd: 1 }])).toEqual([]);
    expect(budgetOrderIssues({ interval: 'weekly', limitUsd: 20 }, [{ interval: 'weekly', limitUsd: 99 }])).toEqual([]);
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

  it('is broken by equal limits of a wider and of a narrower interval', () => {
    expect(messagesOf({ interval: 'daily', limitUsd: 40 }, [LIMITS[3]!])).toHaveLength(1);
    expect(messagesOf({ interval: 'lifetime', limitUsd: 10 }, [LIMITS[0]!])).toHaveLength(1);
  });

  it('is reported at the limit that is being set', () => {
    expect(budgetOrderIssues({ interval: 'lifetime', limitUsd: 1 }, [LIMITS[0]!])).toEqual([
      {
        path: 'limit_usd',
        message: 'must be more than the daily limit of 10',
        reason: 'budget_limits_not_decreasing',
      },
    ]);
  });
});
