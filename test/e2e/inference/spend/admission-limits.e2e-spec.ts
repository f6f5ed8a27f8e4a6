import { newGenerationId } from '../../../../src/modules/inference/pipeline/request/generation-id.js';
import type { IssuedCredential } from '../../../../src/modules/keys/keys.service.js';
import type { AdmissionRequest } from '../../../../src/modules/spend/admission-request.js';
import type { AdmissionService } from '../../../../src/modules/spend/admission.service.js';
import { unitsOf } from '../../../../src/modules/spend/decimal-amount.js';
import type { Answer } from '../../../support/network/api-client.js';
import { EMBEDDINGS, QUESTION } from '../test-gateway.js';
import type { WholeAnswer } from '../read-answers.js';
import { admitDirectly, directRequest, thisSecond } from './direct-admissions.js';
import { limitedRequests, COST, AT_MOST, ALPHA } from './limited-requests.js';

interface Refusal {
  readonly error: { readonly message: string; readonly metadata: Record<string, unknown> };
}

describe('the admission of requests', () => {
  const { gateway, replica, organization, key, ask, managed, setLimit, reservations, charged } = limitedRequests();

  const setBudget = (interval: string, limit: number): Promise<void> =>
    managed('put', `/workspaces/${organization.workspaceId}/budgets/${interval}`, { limit_usd: limit });

  const errorOf = ({ status, body }: Answer<WholeAnswer>): object => {
    const { message, metadata } = (body as unknown as Refusal).error;
    return { status, message, ...metadata };
  };

  describe('of many requests at once', () => {
    const room = 7;
    const limit = COST * room + COST / 2;

    const limits: readonly (readonly [string, string, () => Promise<readonly IssuedCredential[]>])[] = [
      ...['lifetime', 'monthly', 'weekly', 'daily'].map(
        (interval) =>
          [
            `the ${interval} budget of a workspace`,
            'workspace',
            async () => {
              await setBudget(interval, limit);
              return [key, await gateway.app.factory.key(organization)];
            },
          ] as const,
      ),
      ...[null, 'monthly', 'weekly', 'daily'].map(
        (reset) =>
          [
            `the ${reset ?? 'total'} limit of a key`,
            'key',
            async () => {
              await setLimit(key, limit, { limit_reset: reset });
              return [key];
            },
          ] as const,
      ),
      ...['monthly', 'weekly', 'daily'].map(
        (interval) =>
          [
            `the ${interval} budget of a guardrail of a key`,
            'guardrail',
            async () => [await gateway.guardedKey(organization, { limit_usd: limit, reset_interval: interval })],
          ] as const,
      ),
      [
        'the budget of a guardrail of a member',
        'guardrail',
        async () => {
          const settings = { limit_usd: limit, reset_interval: 'daily' } as const;
          const { id } = await gateway.app.factory.guardrail(organization, settings);
          await gateway.app.api.post(`/guardrails/${id}/assignments/members`, {
            key: organization.managementKey,
            json: { member_user_ids: [organization.userId] },
          });
          return [key, await gateway.app.factory.key(organization)];
        },
      ],
    ];

    it.each(limits)(
      'lets as many pass with 200 as %s has room for, on two replicas, and refuses with 402',
      async (_, subject, make) => {
        const keys = await make();
        const answers = await Promise.all(
          Array.from({ length: 40 }, (_none, n) =>
            ask(keys[n % keys.length]!, AT_MOST, n % 4 < 2 ? gateway.app : replica),
          ),
        );

        expect(answers.filter(({ status }) => status === 200)).toHaveLength(room);
        const refused = answers.find(({ status }) => status !== 200)!;
        expect(errorOf(refused)).toMatchObject({ reason: 'insufficient_budget', limited_by: { subject } });
        expect(answers.filter(({ status }) => status === 402)).toHaveLength(40 - room);
        expect(await charged()).toBe(BigInt(room) * unitsOf(String(COST)));
        expect(await reservations()).toEqual([]);
        expect((await ask(keys[0]!)).status).toBe(402);
      },
    );
  });

  describe('with what is left', () => {
    it('refuses a longer answer than it pays for with 402 and the numbers of tokens, and records that', async () => {
      await setBudget('monthly', COST);
      const refused = await ask(key, { ...ALPHA, max_tokens: 100 });

      expect(errorOf(refused)).toEqual({
        status: 402,
        message:
          'This request requires more credits, or fewer max_tokens. You requested up to 100 tokens, but can only afford 5.',
        reason: 'insufficient_budget',
        error_type: 'payment_required',
        limited_by: { subject: 'workspace', interval: 'monthly' },
      });
      expect(await gateway.record(refused, key)).toMatchObject({
        status: 402,
        refusal: 'insufficient_budget',
        limited_by: { subject: 'workspace', interval: 'monthly' },
        total_cost: 0,
        overrun: 0,
      });
    });

    it('sends the longest answer that it pays for where the caller names none: 200', async () => {
      await setBudget('monthly', COST);
      gateway.alpha.received.length = 0;
      expect((await ask(key, ALPHA)).status).toBe(200);
      expect(gateway.alpha.received).toMatchObject([{ body: { max_tokens: 5 } }]);
    });

    it('sends no longest answer where it pays for any: 200', async () => {
      await setBudget('monthly', 100);
      gateway.alpha.received.length = 0;
      expect((await ask(key, ALPHA)).status).toBe(200);
      expect(gateway.alpha.received[0]!.body).not.toHaveProperty('max_tokens');
    });

    it('refuses with 402 what cannot even pay for its prompt', async () => {
      await setBudget('monthly', COST / 10);
      expect(errorOf(await ask(key, ALPHA))).toMatchObject({
        status: 402,
        message:
          'This request requires more credits, or fewer max_tokens. You requested up to 4096 tokens, but can only afford 0.',
      });
    });

    it('counts each of several answers, and of two fields the one that is sent: 402, or 200 where it fits', async () => {
      await setLimit(key, COST);
      expect((await ask(key, { ...AT_MOST, n: 2 })).status).toBe(402);
      expect((await ask(key, { ...AT_MOST, max_completion_tokens: 6 })).status).toBe(402);
      const fitting = await ask(key, { ...ALPHA, max_tokens: 6, max_completion_tokens: 5 });
      expect(fitting.status).toBe(200);
      expect(gateway.alpha.received.map(({ body }) => body)).toEqual([expect.objectContaining({ max_tokens: 5 })]);
    });

    it('counts the price of a request: 402 for the second', async () => {
      await setLimit(key, 0.015);
      const flat = { model: 'acme/flat' };
      expect((await ask(key, flat)).status).toBe(200);
      expect((await ask(key, flat)).status).toBe(402);
    });

    it('refuses embeddings with 402, and messages and responses in their forms', async () => {
      await setLimit(key, COST / 10);
      const post = (path: string, json: object): Promise<Answer<WholeAnswer>> =>
        gateway.app.api.post<WholeAnswer>(path, { key: key.plaintext, json });
      const embedded = await post(EMBEDDINGS, { model: 'acme/embedder', input: 'What is new?', ...ALPHA });
      const message = await post('/messages', { model: 'acme/writer', max_tokens: 5, messages: QUESTION });
      const answered = await post('/responses', { model: 'acme/writer', input: 'What is new?' });

      expect(errorOf(embedded)).toMatchObject({ status: 402, reason: 'insufficient_budget' });
      expect(message).toMatchObject({ status: 402, body: { type: 'error', error: { type: 'billing_error' } } });
      expect(errorOf(answered)).toMatchObject({ status: 402, reason: 'insufficient_budget' });
    });

    it('admits at once on another replica when the limit is raised, and refuses when it is set below what is spent: 402, 200, 403', async () => {
      await setLimit(key, COST * 1.5);
      expect((await ask(key)).status).toBe(200);
      expect((await ask(key, AT_MOST, replica)).status).toBe(402);
      await setLimit(key, COST * 2);
      expect((await ask(key, AT_MOST, replica)).status).toBe(200);
      await setLimit(key, COST);
      expect((await ask(key, AT_MOST, replica)).status).toBe(403);
    });
  });

  describe('decides', () => {
    const candidate = { fixed: 10n, perToken: 1n, longestAnswer: 100, isByok: false };

    const admit = (
      fields: Partial<AdmissionRequest>,
      candidates = [candidate],
    ): ReturnType<AdmissionService['admit']> => {
      const { organizationId, userId, workspaceId } = organization;
      const priced = candidates.map((one) => ({ ...one, fixed: unitsOf('1') }));
      const worstCase = { candidates: priced, namedTokens: 0 };
      const spender = { organizationId, keyId: key.id, userId, workspaceId };
      return admitDirectly(gateway.app, directRequest(spender, { worstCase, ...fields }));
    };

    it('about usage of own provider keys as the flag of the limit says: 402 where it counts', async () => {
      await setLimit(key, 0.5);
      const own = [{ ...candidate, isByok: true }];
      await expect(admit({}, own)).resolves.toMatchObject({ amount: 0n, byokAmount: unitsOf('1') });
      await setLimit(key, 0.5, { include_byok_in_limit: true });
      await expect(admit({}, own)).rejects.toMatchObject({ status: 402 });
    });

    it('by the windows of the day on which the request came, also when that is over: 402', async () => {
      await setLimit(key, 1.5, { limit_reset: 'daily' });
      const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000);
      yesterday.setUTCHours(23, 59, 59, 0);
      const before = { createdAt: yesterday, generationId: newGenerationId(yesterday.getTime()) };

      await expect(admit(before)).resolves.toMatchObject({ amount: unitsOf('1') });
      // What is reserved for yesterday leaves today's limit as it is.
      await expect(admit({})).resolves.toMatchObject({ amount: unitsOf('1') });
      const again = { ...before, generationId: newGenerationId(yesterday.getTime()) };
      await expect(admit(again)).rejects.toMatchObject({ status: 402 });
      await expect(admit({})).rejects.toMatchObject({ status: 402 });
    });

    it('by what was spent on that day, of which the running totals know nothing any more: 402', async () => {
      await setLimit(key, 1.5, { limit_reset: 'daily' });
      const yesterday = new Date(thisSecond().getTime() - 24 * 60 * 60 * 1000);
      for (const [day, amount] of [
        [yesterday, '1'],
        [new Date(), '0.2'],
      ] as const) {
        await gateway.app.rows(
          `INSERT INTO key_spend (organization_id, key_id, day, amount_usd, byok_amount_usd) VALUES ($1, $2, $3, $4, 0)`,
          [organization.organizationId, key.id, day.toISOString().slice(0, 10), amount],
        );
      }
      const before = { createdAt: yesterday, generationId: newGenerationId(yesterday.getTime()) };
      await expect(admit(before)).rejects.toMatchObject({ status: 402 });
      await expect(admit({})).resolves.toMatchObject({ amount: unitsOf('1') });
    });

    it.each([
      ['met', 1],
      ['set below what is spent', 0.5],
    ])('that a limit which was %s since the request came is a 403', async (_, limit) => {
      await gateway.app.rows(
        `INSERT INTO key_spend (organization_id, key_id, day, amount_usd, byok_amount_usd) VALUES ($1, $2, current_date, 1, 0)`,
        [organization.organizationId, key.id],
      );
      await setLimit(key, limit);
      await expect(admit({})).rejects.toMatchObject({ status: 403, reason: 'key_limit_exceeded' });
    });
  });
});
