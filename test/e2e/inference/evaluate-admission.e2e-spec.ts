import { keyPerTest, organizationPerTest } from '../../support/application/shared-organization.js';
import { sharedGate } from './shared-gate.js';
import { setTimeout as delay } from 'node:timers/promises';
import type { Issued } from '../../../src/modules/keys/keys.service.js';
import { defaultGuardrailIdOf } from '../../../src/persistence/identifiers.js';
import { rowCounts } from '../../support/expectations/no-side-effects.js';
import type { Answer } from '../../support/network/api-client.js';
import { newProviderKey } from '../../support/resources/provider-keys.js';
import { completion, endpoint, QUESTION, type WholeAnswer } from './gate.js';

/** What a request to Alpha costs, and may cost at most: 18 tokens of the prompt and 5 of the answer. */
const COST = 0.000028;
const USAGE = { prompt_tokens: 18, completion_tokens: 5, total_tokens: 23 };
const ALPHA = { provider: { only: ['alpha'] } };

const FREE = { pricing: { prompt: '0', completion: '0' } };

/** What the longest answer of Alpha may cost. */
const LONGEST = 0.00821;

interface Limit {
  readonly subject: string;
  readonly effect: string;
  readonly [field: string]: unknown;
}

/** What the tests look into. */
interface Evaluation {
  readonly outcome: string;
  readonly refused_at: string | null;
  readonly reason: string | null;
  readonly message: string | null;
  readonly content: object | null;
  readonly admission: {
    readonly worst_case: object;
    readonly limits: readonly Limit[];
    readonly capped_max_tokens: number | null;
  } | null;
}

interface Refusal {
  readonly error: { readonly message: string; readonly metadata: Record<string, unknown> };
}

describe('evaluateGuardrail at the admission', () => {
  const gate = sharedGate({}, { 'acme/free': [endpoint('alpha', FREE)] });
  const organization = organizationPerTest(gate);
  const key = keyPerTest(gate, organization);

  beforeEach(() => {
    gate.alpha.received.length = 0;
    answerAfter(Promise.resolve());
  });

  const answerAfter = (released: Promise<void>): void => {
    gate.alpha.answerWith(async (response) => {
      await released;
      const document = JSON.stringify(completion('All is well.', { usage: USAGE }));
      response.writeHead(200, { 'content-type': 'application/json' }).end(document);
    });
  };

  const asked = (fields: object): object => ({ model: 'acme/writer', messages: QUESTION, ...ALPHA, ...fields });

  const ask = (issued: Issued, fields: object): Promise<Answer<WholeAnswer>> => gate.ask(issued, asked(fields));

  const managed = async (method: 'post' | 'put' | 'patch', path: string, json: object): Promise<void> => {
    const { status } = await gate.app.api[method](path, { key: organization.managementKey, json: { ...json } });
    expect({ path, status }).toEqual({ path, status: 200 });
  };

  const setBudget = (interval: string, limit: number, fields = {}): Promise<void> =>
    managed('put', `/workspaces/${organization.workspaceId}/budgets/${interval}`, { limit_usd: limit, ...fields });

  const setLimit = (limit: number, fields = {}): Promise<void> =>
    managed('patch', `/keys/${key.hash}`, { limit, ...fields });

  const guardrail = async (settings: object): Promise<string> =>
    (await gate.app.factory.guardrail(organization, settings)).id;

  const evaluated = async (id: string, fields: object, holder: object): Promise<Evaluation> => {
    const json = { request: asked(fields), ...holder };
    const { status, body } = await gate.app.api.post<{ data: Evaluation }>(`/guardrails/${id}/evaluate`, {
      key: organization.managementKey,
      json,
    });
    expect(status).toBe(200);
    return body.data;
  };

  /** A guardrail and its holder as the evaluation assumes them, and how to make the assignment. */
  interface Hypothetical {
    readonly id: string;
    readonly holder: object;
    readonly expected: object;
    readonly assign: () => Promise<void>;
  }

  const ofKey = (id: string, expected: object): Hypothetical => ({
    id,
    holder: { api_key_hash: key.hash },
    expected,
    assign: () => gate.assign(organization, key, id),
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
    const before = await rowCounts(gate.app);
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
    expect(await rowCounts(gate.app)).toEqual(before);

    await assign();
    const really = (await ask(key, { max_tokens: 6 })) as unknown as {
      readonly status: number;
      readonly body: Refusal;
    };
    expect([really.status, really.body.error.message]).toEqual([402, refused.message]);
    expect(really.body.error.metadata).toMatchObject({ reason: refused.reason });
    gate.alpha.received.length = 0;
    expect((await ask(key, {})).status).toBe(200);
    expect(gate.alpha.received).toMatchObject([{ body: { max_tokens: 5 } }]);
  });

  it('answers 200 with every limit, the broadest first, and refuses as the one that pays for the fewest tokens does', async () => {
    await setBudget('monthly', COST * 2);
    await setLimit(COST);
    const id = await guardrail({ limit_usd: COST * 3, reset_interval: 'daily' });
    const { admission, message } = await evaluated(id, { max_tokens: 17 }, { api_key_hash: key.hash });

    expect(admission!.limits.map(({ subject, effect }) => [subject, effect])).toEqual([
      ['workspace', 'none'],
      ['key', 'refuses'],
      ['guardrail', 'none'],
    ]);
    expect(message).toContain('up to 17 tokens, but can only afford 5.');
    const capped = await evaluated(id, {}, { api_key_hash: key.hash });
    expect(capped.admission!.limits.map(({ capped_max_tokens: tokens }) => tokens)).toEqual([19, 5, 33]);
    expect(capped.admission!.capped_max_tokens).toBe(5);
  });

  it('answers 200 with what is reserved for requests in progress, and reserves nothing beside it', async () => {
    await setBudget('daily', COST * 1.5);
    const id = await guardrail({});
    let release = (): void => undefined;
    answerAfter(new Promise<void>((resolve) => (release = resolve)));
    const answering = ask(key, { max_tokens: 5 });
    const reserved = (): Promise<object[]> =>
      gate.app.rows('SELECT * FROM spend_reservations WHERE organization_id = $1', [organization.organizationId]);
    while ((await reserved()).length === 0) await delay(10);
    const before = await reserved();

    // A new key has spent nothing, but is in the same workspace.
    const inProgress = await evaluated(id, { max_tokens: 5 }, {});
    expect(inProgress).toMatchObject({
      refused_at: 'admission',
      reason: 'insufficient_budget',
      admission: { limits: [{ spent_usd: 0, reserved_usd: COST, remaining_usd: COST / 2, effect: 'refuses' }] },
    });
    expect(await reserved()).toEqual(before);
    release();
    expect((await answering).status).toBe(200);
    const after = await evaluated(id, { max_tokens: 5 }, {});
    expect(after.admission!.limits).toMatchObject([{ spent_usd: COST, reserved_usd: 0, remaining_usd: COST / 2 }]);
  });

  it('answers 200 with own provider keys counted only where the limit counts them', async () => {
    await newProviderKey(gate.app, organization);
    const limited = (include: boolean): Promise<string> =>
      guardrail({ limit_usd: COST / 2, reset_interval: 'daily', include_byok_in_budgets: include });
    const own = { model: 'acme/brought', provider: { only: ['openai'] }, max_tokens: 5 };
    const holder = { api_key_hash: key.hash };
    const uncounted = await evaluated(await limited(false), own, holder);
    const counted = await evaluated(await limited(true), own, holder);

    expect(uncounted).toMatchObject({
      outcome: 'admitted',
      admission: {
        worst_case: { is_byok: true, cost_usd: COST },
        limits: [{ includes_byok: false, cost_usd: 0, effect: 'none' }],
      },
    });
    expect(counted).toMatchObject({
      refused_at: 'admission',
      admission: { limits: [{ includes_byok: true, cost_usd: COST, effect: 'refuses' }] },
    });
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

  it('answers 200 with the worst case at the dearest candidate where no limit applies', async () => {
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
