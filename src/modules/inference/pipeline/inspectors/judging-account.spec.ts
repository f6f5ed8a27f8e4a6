import { textOfUnits, unitsOf } from '../../../spend/decimal-amount.js';
import { costOfAttempts } from '../cost/attempt-charge.js';
import type { Candidate } from '../request/candidate.js';
import { chargedUsageOf, type JudgeUse, JudgingAccount, type OpenQuestion } from './judging-account.js';

const PRICES = { prompt: '0.000001', completion: '0.000002', request: '0.0001', input_cache_read: '0.0000001' };

/** What the questions of these tests may cost. */
const WORST = unitsOf('0.001');

const candidate = (isByok = false): Candidate =>
  ({ model: { row: { id: 'acme/guard' }, author: 'acme' }, endpoint: { row: { tag: 'beta' } }, isByok }) as Candidate;

const use = (prompt_tokens: number, details: object = {}): JudgeUse => ({
  usage: chargedUsageOf({ prompt_tokens, completion_tokens: 2, total_tokens: prompt_tokens + 2, ...details }),
  prices: PRICES,
  isEstimated: false,
  isCapped: false,
});

const unanswered = (): JudgeUse => ({ ...use(50), isEstimated: true });

describe('the account of judge models', () => {
  let account: JudgingAccount;

  beforeEach(() => {
    account = new JudgingAccount();
  });

  const begin = (isByok = false): OpenQuestion | undefined =>
    account.begin({ inspectorId: 'one', candidate: candidate(isByok), worst: WORST, unanswered });

  const total = (): string => textOfUnits(costOfAttempts(account.settled()));

  it('charges questions of equal prices together, as much as they cost one by one', () => {
    const uses = [
      use(100),
      use(7, { prompt_tokens_details: { cached_tokens: 900, cache_write_tokens: 900 } }),
      use(300, { prompt_tokens_details: { cached_tokens: 200 }, completion_tokens_details: { reasoning_tokens: 9 } }),
    ];
    const costs = uses.map((one) => begin()!.answered(one));

    expect(account.settled()).toMatchObject([
      { usage: { prompt_tokens: 407 }, units: { request: 3 }, judging: { questions: 3, longestPrompt: 300 } },
    ]);
    expect(total()).toBe(textOfUnits(costs.reduce((sum, cost) => sum + cost, 0n)));
  });

  it('begins no question that its bound does not pay for, by the keys that it uses', () => {
    account.limitTo({ ofDeployment: 2n * WORST, ofOrganization: 0n });
    const [first, second] = [begin(), begin()];

    expect([first, second].map((one) => one !== undefined)).toEqual([true, true]);
    expect(begin()).toBeUndefined();
    expect(begin(true)).toBeUndefined();
    first!.failed(false);
    expect(begin()).toBeDefined();
  });

  it('charges a question that its provider has, and that is under way at the end, once', () => {
    const [sent, unsent] = [begin()!, begin()!];
    sent.sent();
    const [charge] = account.settled();

    expect(charge).toMatchObject({ usage: { prompt_tokens: 50 }, isEstimated: true, judging: { questions: 1 } });
    expect([sent.answered(use(1_000)), sent.failed(true), unsent.failed(true)]).toEqual([0n, 0n, 0n]);
    expect(total()).toBe(charge!.cost.total);
  });

  it.each([
    ['nothing for one that its provider has refused', true, false, '0'],
    ['nothing for one that no provider has', false, true, '0'],
    ['its prompt for one that was given up', true, true, '0.000154'],
  ])('charges %s', (_, isSent, isCharged, cost) => {
    const question = begin()!;
    if (isSent) question.sent();
    question.failed(isCharged);

    expect(total()).toBe(cost);
  });
});
