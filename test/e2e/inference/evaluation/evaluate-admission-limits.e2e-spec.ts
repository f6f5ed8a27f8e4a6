import { setTimeout as delay } from 'node:timers/promises';
import { newProviderKey } from '../../../support/resources/provider-keys.js';
import { admissionEvaluation, COST } from './admission-evaluation.js';

describe('evaluateGuardrail at the admission', () => {
  const { gateway, organization, key, answerAfter, ask, setBudget, setLimit, guardrail, evaluated } =
    admissionEvaluation();

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

  it('answers 200 with the largest limits, and with all of their digits', async () => {
    await setBudget('monthly', Number.MAX_VALUE);
    await setLimit(123456789.12345679);
    const id = await guardrail({ limit_usd: Number.MAX_VALUE, reset_interval: 'daily' });
    const { outcome, admission } = await evaluated(id, { max_tokens: 5 }, { api_key_hash: key.hash });

    expect(outcome).toBe('admitted');
    expect(admission!.limits).toMatchObject(
      [Number.MAX_VALUE, 123456789.12345679, Number.MAX_VALUE].map((limit) => ({
        limit_usd: limit,
        remaining_usd: limit,
        effect: 'none',
      })),
    );
    expect((await ask(key, { max_tokens: 5 })).status).toBe(200);
  });

  it('answers 200 with what is reserved for requests in progress, and reserves nothing beside it', async () => {
    await setBudget('daily', COST * 1.5);
    const id = await guardrail({});
    let release = (): void => undefined;
    answerAfter(new Promise<void>((resolve) => (release = resolve)));
    const answering = ask(key, { max_tokens: 5 });
    const reserved = (): Promise<object[]> =>
      gateway.app.rows('SELECT * FROM spend_reservations WHERE organization_id = $1', [organization.organizationId]);
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
    await newProviderKey(gateway.app, organization);
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
});
