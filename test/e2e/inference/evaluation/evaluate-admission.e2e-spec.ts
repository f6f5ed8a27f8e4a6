import { defaultGuardrailIdOf } from '../../../../src/persistence/identifiers.js';
import { rowCounts } from '../../../support/expectations/no-side-effects.js';
import { admissionEvaluation, COST } from './admission-evaluation.js';

/** What the longest answer of Alpha may cost. */
const LONGEST = 0.00821;

interface Refusal {
  readonly error: { readonly message: string; readonly metadata: Record<string, unknown> };
}

/** A guardrail and its holder as the evaluation assumes them, and how to make the assignment. */
interface Hypothetical {
  readonly id: string;
  readonly holder: object;
  readonly expected: object;
  readonly assign: () => Promise<void>;
}

describe('evaluateGuardrail at the admission', () => {
  const { gateway, organization, key, ask, managed, setBudget, setLimit, guardrail, evaluated } = admissionEvaluation();

  const ofKey = (id: string, expected: object): Hypothetical => ({
    id,
    holder: { api_key_hash: key.hash },
    expected,
    assign: () => gateway.assign(organization, key, id),
  });

  const kinds: readonly (readonly [string, (limit: number) => Promise<Hypothetical>])[] = [
    ...['lifetime', 'monthly', 'weekly', 'daily'].map(
      (interval) =>
        [
          `the ${interval} budget of a workspace`,
          async (limit: number) => {
            await setBudget(interval, limit);
            return ofKey(await guardrail({}), {
              subject: 'workspace',
              holder: 'workspace',
              guardrail_id: null,
              interval,
            });
          },
        ] as const,
    ),
    ...[null, 'monthly', 'weekly', 'daily'].map(
      (reset) =>
        [
          `the ${reset ?? 'total'} limit of a key`,
          async (limit: number) => {
            await setLimit(limit, { limit_reset: reset });
            const interval = reset ?? 'lifetime';
            return ofKey(await guardrail({}), { subject: 'key', holder: 'key', guardrail_id: null, interval });
          },
        ] as const,
    ),
    ...['monthly', 'weekly', 'daily'].map(
      (interval) =>
        [
          `the ${interval} budget of the guardrail, of a key`,
          async (limit: number) => {
            const id = await guardrail({ limit_usd: limit, reset_interval: interval });
            return ofKey(id, { subject: 'guardrail', holder: 'key', guardrail_id: id, interval });
          },
        ] as const,
    ),
    [
      'the budget of the guardrail, of a member',
      async (limit: number) => {
        const id = await guardrail({ limit_usd: limit, reset_interval: 'daily' });
        const { userId } = organization;
        return {
          id,
          holder: { user_id: userId },
          expected: { subject: 'guardrail', holder: 'member', guardrail_id: id, interval: 'daily' },
          assign: () => managed('post', `/guardrails/${id}/assignments/members`, { member_user_ids: [userId] }),
        };
      },
    ],
    [
      'the budget of a default guardrail',
      async (limit: number) => {
        const id = defaultGuardrailIdOf(organization.workspaceId);
        await managed('patch', `/guardrails/${id}`, { limit_usd: limit, reset_interval: 'weekly' });
        const expected = { subject: 'guardrail', holder: 'key', guardrail_id: id, interval: 'weekly' };
        return { id, holder: { api_key_hash: key.hash }, expected, assign: () => Promise.resolve() };
      },
    ],
  ];

  it.each(kinds)('answers 200 with what the request is answered then: %s', async (_, make) => {
    expect((await ask(key, { max_tokens: 5 })).status).toBe(200);
    const { id, holder, expected, assign } = await make(COST * 2);
    const before = await rowCounts(gateway.app);
    const amounts = { limit_usd: COST * 2, spent_usd: COST, reserved_usd: 0, remaining_usd: COST };

    const fitting = await evaluated(id, { max_tokens: 5 }, holder);
    expect(fitting).toMatchObject({
      outcome: 'admitted',
      admission: {
        worst_case: { provider: 'alpha', prompt_tokens: 18, answer_tokens: 5, cost_usd: COST },
        limits: [{ ...expected, ...amounts, cost_usd: COST, effect: 'none', capped_max_tokens: null }],
        capped_max_tokens: null,
      },
    });
    const capped = await evaluated(id, {}, holder);
    expect(capped).toMatchObject({
      outcome: 'admitted',
      admission: {
        worst_case: { prompt_tokens: 18, answer_tokens: 4096, cost_usd: LONGEST },
        limits: [{ ...expected, ...amounts, cost_usd: LONGEST, effect: 'caps', capped_max_tokens: 5 }],
        capped_max_tokens: 5,
      },
    });
    const refused = await evaluated(id, { max_tokens: 6 }, holder);
    expect(refused).toMatchObject({
      outcome: 'refused',
      refused_at: 'admission',
      status: 402,
      reason: 'insufficient_budget',
      content: { redacted_texts: [] },
      admission: { limits: [{ ...expected, ...amounts, effect: 'refuses' }], capped_max_tokens: null },
    });
    expect(await rowCounts(gateway.app)).toEqual(before);

    await assign();
    const really = (await ask(key, { max_tokens: 6 })) as unknown as {
      readonly status: number;
      readonly body: Refusal;
    };
    expect([really.status, really.body.error.message]).toEqual([402, refused.message]);
    expect(really.body.error.metadata).toMatchObject({ reason: refused.reason });
    gateway.alpha.received.length = 0;
    expect((await ask(key, {})).status).toBe(200);
    expect(gateway.alpha.received).toMatchObject([{ body: { max_tokens: 5 } }]);
  });

  it('answers 200 with a free request that every limit lets pass, as the request itself is answered', async () => {
    await setLimit(COST / 100);
    const evaluation = await evaluated(await guardrail({}), { model: 'acme/free' }, { api_key_hash: key.hash });

    expect(evaluation).toMatchObject({
      outcome: 'admitted',
      admission: { worst_case: { cost_usd: 0 }, limits: [{ cost_usd: 0, effect: 'none' }], capped_max_tokens: null },
    });
    expect((await ask(key, { model: 'acme/free' })).status).toBe(200);
  });

  it('answers 200 with the worst case at the most expensive candidate where no limit applies', async () => {
    const { admission } = await evaluated(await guardrail({}), { provider: {}, max_tokens: 5, n: 2 }, {});

    expect(admission).toEqual({
      worst_case: {
        model: 'acme/writer',
        provider: 'beta',
        endpoint: 'beta',
        is_byok: false,
        // Further fields are texts as well.
        prompt_tokens: 22,
        answer_tokens: 5,
        cost_usd: 0.000106,
      },
      limits: [],
      capped_max_tokens: null,
    });
  });

  it('answers 200 without an admission for a request that is refused before', async () => {
    const { refused_at: step, admission } = await evaluated(await guardrail({ allowed_providers: ['openai'] }), {}, {});

    expect([step, admission]).toEqual(['candidates', null]);
  });
});
