import type { NewGeneration } from '../../../../src/modules/generations/generations.service.js';
import { GenerationsService } from '../../../../src/modules/generations/generations.service.js';
import type { IssuedCredential } from '../../../../src/modules/keys/keys.service.js';
import { defaultGuardrailIdOf } from '../../../../src/persistence/identifiers.js';
import type { Answer } from '../../../support/network/api-client.js';
import { chargedGeneration, keepRecordsOf } from './charged-generation.js';
import { EMBEDDINGS } from '../test-gateway.js';
import { completion } from '../provider-answers.js';
import type { WholeAnswer } from '../read-answers.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { sharedGateway } from '../shared-gateway.js';

/** What a request to Alpha costs, and may cost at most: 18 tokens of the prompt and 5 of the answer. */
const COST = 0.000028;
const USAGE = { prompt_tokens: 18, completion_tokens: 5, total_tokens: 23 };
const AT_MOST = { max_tokens: 5, provider: { only: ['alpha'] } };

/** In windows that have ended, but for the lifetime. */
const LAST_YEAR = new Date(Date.now() - 366 * 24 * 60 * 60 * 1000);

const INTERVALS = ['lifetime', 'monthly', 'weekly', 'daily'] as const;

/** A body of an error, as clients of inference read it. */
interface Refusal {
  readonly error: { readonly message: string; readonly metadata: { readonly reason: string } };
}

describe('limits that are met already', () => {
  const gateway = sharedGateway();
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  beforeAll(() => keepRecordsOf(gateway.app, LAST_YEAR.toISOString().slice(0, 7)));

  beforeEach(() => {
    gateway.alpha.answerWith((response) => {
      const document = JSON.stringify(completion('All is well.', { usage: USAGE }));
      response.writeHead(200, { 'content-type': 'application/json' }).end(document);
    });
  });

  const ask = (issued: IssuedCredential): Promise<Answer<WholeAnswer>> => gateway.ask(issued, AT_MOST);

  const managed = async (method: 'put' | 'patch', path: string, json: object): Promise<void> => {
    const { status } = await gateway.app.api[method](path, { key: organization.managementKey, json });
    expect({ path, status }).toEqual({ path, status: 200 });
  };

  const setBudget = (interval: string, limit: number, fields = {}): Promise<void> =>
    managed('put', `/workspaces/${organization.workspaceId}/budgets/${interval}`, { limit_usd: limit, ...fields });

  const setLimit = ({ hash }: IssuedCredential, limit: number | null, fields = {}): Promise<void> =>
    managed('patch', `/keys/${hash}`, { limit, ...fields });

  const refusalOf = ({ status, body }: Answer<WholeAnswer>): object => {
    const { message, metadata } = (body as unknown as Refusal).error;
    return { status, message, reason: metadata.reason };
  };

  /** Charges a request that was made outside this test. */
  const spend = async (fields: Partial<NewGeneration>, issued = key): Promise<void> => {
    const generation = chargedGeneration(organization, issued, { costUsd: String(COST), ...fields });
    await gateway.app.application.get(GenerationsService).record(generation);
  };

  describe('budgets of the workspace', () => {
    it.each(INTERVALS)('refuse with 403 what comes when the %s budget is met, whichever key asks', async (interval) => {
      await setBudget(interval, COST);
      expect((await ask(key)).status).toBe(200);
      gateway.alpha.received.length = 0;
      const sister = await gateway.app.factory.key(organization);
      const refused = await ask(sister);

      expect(refusalOf(refused)).toEqual({
        status: 403,
        message: `Workspace ${interval} budget of $0.00 exceeded. Contact your org admin.`,
        reason: 'workspace_budget_exceeded',
      });
      expect(gateway.alpha.received).toEqual([]);
      expect(await gateway.record(refused, sister)).toMatchObject({
        limited_by: { subject: 'workspace', interval },
        status: 403,
        refusal: 'workspace_budget_exceeded',
        total_cost: 0,
        workspace_id: organization.workspaceId,
      });
    });

    it('answer 200 while less was spent, and to other workspaces and organizations', async () => {
      await setBudget('monthly', COST * 2);
      expect((await ask(key)).status).toBe(200);
      expect((await ask(key)).status).toBe(200);
      expect((await ask(key)).status).toBe(403);

      const workspace = await gateway.app.factory.workspace(organization);
      const elsewhere = await gateway.app.factory.key(organization, { workspaceId: workspace });
      const other = await gateway.app.factory.organization();
      expect((await ask(elsewhere)).status).toBe(200);
      expect((await ask(await gateway.app.factory.key(other))).status).toBe(200);
    });

    it('name the broadest in the 403, with two decimals and without a thousands mark', async () => {
      await spend({ costUsd: '1234.5' });
      await setBudget('monthly', COST);
      await setBudget('daily', COST / 2);
      expect(refusalOf(await ask(key))).toMatchObject({ message: expect.stringContaining('monthly') as string });

      await setBudget('lifetime', 1234.5);
      expect(refusalOf(await ask(key))).toMatchObject({
        message: 'Workspace lifetime budget of $1234.50 exceeded. Contact your org admin.',
      });
    });

    it('answer 200 again at once when the limit is raised, and 403 when it is set below what is spent', async () => {
      await setBudget('daily', COST * 5);
      expect((await ask(key)).status).toBe(200);
      await setBudget('daily', COST / 2);
      expect((await ask(key)).status).toBe(403);
      await setBudget('daily', COST * 3);
      expect((await ask(key)).status).toBe(200);
    });

    it('answer 403 and 200 at once when the first limit of a key is set and the last one is removed, and set again', async () => {
      const statuses: number[] = [];
      const askNext = async (): Promise<unknown> => statuses.push((await ask(key)).status);
      await askNext();
      await setBudget('daily', COST / 2);
      await askNext();
      await askNext();
      await gateway.app.api.delete(`/workspaces/${organization.workspaceId}/budgets/daily`, {
        key: organization.managementKey,
      });
      await askNext();
      await setLimit(key, COST / 2);
      await askNext();
      await setLimit(key, null);
      await askNext();

      expect(statuses).toEqual([200, 403, 403, 200, 403, 200]);
    });

    it('answer 200 whatever was spent in windows that have ended, and 403 where the budget is one of the lifetime', async () => {
      await setBudget('monthly', COST * 4);
      await setBudget('weekly', COST * 3);
      await setBudget('daily', COST * 2);
      await spend({ createdAt: LAST_YEAR, costUsd: '300' });
      expect((await ask(key)).status).toBe(200);
      await setBudget('lifetime', 300);
      expect((await ask(key)).status).toBe(403);
    });

    it('count usage of own provider keys where the workspace says so: 200 without it, 403 with it', async () => {
      await setBudget('daily', COST);
      await spend({ isByok: true });
      expect((await ask(key)).status).toBe(200);
      await setBudget('daily', COST * 2, { include_byok_in_budgets: true });
      expect((await ask(key)).status).toBe(403);
    });
  });

  describe('the limit of a key', () => {
    it.each([
      ['total', null],
      ['monthly', 'monthly'],
      ['weekly', 'weekly'],
      ['daily', 'daily'],
    ])('refuses with 403 the requests that come when the %s limit is met, and no others', async (name, reset) => {
      await setLimit(key, COST, { limit_reset: reset });
      expect((await ask(key)).status).toBe(200);
      const refused = await ask(key);

      expect(refusalOf(refused)).toEqual({
        status: 403,
        message: `Key limit exceeded (${name} limit).`,
        reason: 'key_limit_exceeded',
      });
      expect((await gateway.record(refused, key)).refusal).toBe('key_limit_exceeded');
      const { body } = await gateway.app.api.get<{ data: object }>('/key', { key: key.plaintext });
      expect(body.data).toMatchObject({ usage: COST, limit_remaining: 0 });
      expect((await ask(await gateway.app.factory.key(organization))).status).toBe(200);
    });

    it('of nothing answers 403 to the first request, and one that was raised or removed 200', async () => {
      await setLimit(key, 0);
      expect((await ask(key)).status).toBe(403);
      await setLimit(key, COST);
      expect((await ask(key)).status).toBe(200);
      expect((await ask(key)).status).toBe(403);
      await setLimit(key, null);
      expect((await ask(key)).status).toBe(200);
    });

    it('answers 200 whatever was spent in windows that have ended, but 403 where it never starts again', async () => {
      for (const reset of ['daily', 'weekly', 'monthly']) {
        await setLimit(key, COST * 5, { limit_reset: reset });
        await spend({ createdAt: LAST_YEAR, costUsd: '100' });
        expect((await ask(key)).status).toBe(200);
      }
      await setLimit(key, 300, { limit_reset: null });
      expect((await ask(key)).status).toBe(403);
    });

    it('counts usage of own provider keys where the key says so: 200 without it, 403 with it', async () => {
      await setLimit(key, COST);
      await spend({ isByok: true });
      expect((await ask(key)).status).toBe(200);
      await setLimit(key, COST * 2, { include_byok_in_limit: true });
      expect((await ask(key)).status).toBe(403);
    });
  });

  describe('budgets of guardrails', () => {
    const budget = (interval: string, limit = COST): object => ({ limit_usd: limit, reset_interval: interval });

    it.each(['monthly', 'weekly', 'daily'])(
      'refuse with 403 what comes when a key has spent the %s budget, and no other key that holds it',
      async (interval) => {
        const { id } = await gateway.app.factory.guardrail(organization, budget(interval));
        const sister = await gateway.app.factory.key(organization);
        for (const holder of [key, sister]) await gateway.assign(organization, holder, id);
        expect((await ask(key)).status).toBe(200);
        const refused = await ask(key);

        expect(refusalOf(refused)).toEqual({
          status: 403,
          message: `Guardrail ${interval} budget of $0.00 exceeded. Contact your org admin.`,
          reason: 'guardrail_budget_exceeded',
        });
        expect(await gateway.record(refused, key)).toMatchObject({
          refusal: 'guardrail_budget_exceeded',
          limited_by: { subject: 'guardrail', interval, id },
        });
        expect((await ask(sister)).status).toBe(200);
      },
    );

    it('refuse with 403 whatever key of a member asks, when the member has spent it, and answer 200 to other members', async () => {
      const { id } = await gateway.app.factory.guardrail(organization, budget('daily'));
      const path = `/guardrails/${id}/assignments/members`;
      await gateway.app.api.post(path, {
        key: organization.managementKey,
        json: { member_user_ids: [organization.userId] },
      });
      expect((await ask(key)).status).toBe(200);

      expect((await ask(await gateway.app.factory.key(organization))).status).toBe(403);
      const member = await gateway.app.factory.member(organization.organizationId);
      expect((await ask(await gateway.app.factory.key(organization, { userId: member }))).status).toBe(200);
    });

    it('of the default guardrail refuse each key of the workspace by itself with 403', async () => {
      await managed('patch', `/guardrails/${defaultGuardrailIdOf(organization.workspaceId)}`, budget('weekly'));
      expect((await ask(key)).status).toBe(200);

      expect((await ask(key)).status).toBe(403);
      expect((await ask(await gateway.app.factory.key(organization))).status).toBe(200);
    });

    it('count usage of own provider keys where the guardrail says so: 200 without it, 403 with it', async () => {
      const held = await gateway.guardedKey(organization, budget('daily'));
      const counting = await gateway.guardedKey(organization, { ...budget('daily'), include_byok_in_budgets: true });
      for (const each of [held, counting]) await spend({ isByok: true }, each);

      expect((await ask(held)).status).toBe(200);
      expect((await ask(counting)).status).toBe(403);
    });
  });

  it('name the workspace in the 403 before the key, and the key before a guardrail', async () => {
    const held = await gateway.guardedKey(organization, { limit_usd: COST, reset_interval: 'monthly' });
    await ask(held);
    const reason = async (): Promise<unknown> => (refusalOf(await ask(held)) as { reason: string }).reason;

    expect(await reason()).toBe('guardrail_budget_exceeded');
    await setLimit(held, COST, { limit_reset: 'daily' });
    expect(await reason()).toBe('key_limit_exceeded');
    await setBudget('daily', COST);
    expect(await reason()).toBe('workspace_budget_exceeded');
  });

  it('refuse embeddings with 403, as they refuse chats', async () => {
    await spend({ costUsd: '1' });
    await setLimit(key, 1);
    const answer = await gateway.app.api.post<WholeAnswer>(EMBEDDINGS, {
      key: key.plaintext,
      json: { model: 'acme/embedder', input: 'What is new?' },
    });

    expect(refusalOf(answer)).toMatchObject({ status: 403, reason: 'key_limit_exceeded' });
    expect((await gateway.record(answer, key)).refusal).toBe('key_limit_exceeded');
  });

  it('are known to every replica with the next request: 403', async () => {
    const replica = await gateway.replica();
    try {
      await setLimit(key, COST);
      await ask(key);
      const { status } = await replica.api.post('/chat/completions', {
        key: key.plaintext,
        json: { model: 'acme/writer', messages: [{ role: 'user', content: 'What is new?' }] },
      });
      expect(status).toBe(403);
    } finally {
      await replica.stop();
    }
  });
});
