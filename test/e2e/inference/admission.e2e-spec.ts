import { setTimeout as delay } from 'node:timers/promises';
import { ExpiredReservationsService } from '../../../src/modules/generations/expired-reservations.service.js';
import { INSERT_GENERATIONS } from '../../../src/modules/generations/generations.repository.js';
import { LateGenerations } from '../../../src/modules/generations/late-generations.js';
import { newGenerationId } from '../../../src/modules/inference/generation-id.js';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { Issued } from '../../../src/modules/keys/keys.service.js';
import { AdmissionService } from '../../../src/modules/spend/admission.service.js';
import { unitsOf } from '../../../src/modules/spend/decimal-amount.js';
import { ProcessLeaseService } from '../../../src/modules/spend/process-lease.service.js';
import { Statements } from '../../../src/persistence/statements.js';
import type { TestApplication } from '../../support/application/test-application.js';
import type { Answer } from '../../support/network/api-client.js';
import {
  CHAT,
  chunk,
  completion,
  endpoint,
  EMBEDDINGS,
  Gate,
  QUESTION,
  STREAM_HEAD,
  type WholeAnswer,
} from './gate.js';

/** What a request to Alpha costs, and may cost at most: 18 tokens of the prompt and 5 of the answer. */
const COST = 0.000028;
const USAGE = { prompt_tokens: 18, completion_tokens: 5, total_tokens: 23 };
const ALPHA = { provider: { only: ['alpha'] } };
const AT_MOST = { max_tokens: 5, ...ALPHA };

interface Refusal {
  readonly error: { readonly message: string; readonly metadata: Record<string, unknown> };
}

const thisSecond = (): Date => new Date(Math.floor(Date.now() / 1000) * 1000);

describe('the admission of requests', () => {
  let gate: Gate;
  let replica: TestApplication;
  let organization: NewOrganization;
  let key: Issued;

  beforeAll(async () => {
    gate = await Gate.start(
      {},
      {
        'acme/surprising': [endpoint('alpha')],
        'acme/flat': [endpoint('alpha', { pricing: { prompt: '0', completion: '0', request: '0.01' } })],
      },
    );
    replica = await gate.replica();
  });

  beforeEach(async () => {
    answerWith(USAGE);
    organization = await gate.app.factory.organization();
    key = await gate.app.factory.key(organization);
  });

  afterEach(() => jest.restoreAllMocks());

  afterAll(async () => {
    await replica.stop();
    await gate.stop();
  });

  const answerWith = (usage: object | null): void => {
    gate.reset();
    gate.alpha.answerWith((response) => {
      const document = JSON.stringify(completion('All is well.', { usage }));
      response.writeHead(200, { 'content-type': 'application/json' }).end(document);
    });
  };

  /** Keeps providers from answering. @returns lets them answer */
  const holdAlpha = (usage: object = USAGE): (() => void) => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    gate.alpha.answerWith(async (response) => {
      await released;
      const document = JSON.stringify(completion('All is well.', { usage }));
      response.writeHead(200, { 'content-type': 'application/json' }).end(document);
    });
    return release;
  };

  const ask = (
    issued: Issued,
    fields: object = AT_MOST,
    app: TestApplication = gate.app,
  ): Promise<Answer<WholeAnswer>> => {
    const json = { model: 'acme/writer', messages: QUESTION, ...fields };
    return app.api.post<WholeAnswer>(CHAT, { key: issued.plaintext, json });
  };

  const managed = async (method: 'put' | 'patch', path: string, json: object): Promise<void> => {
    const { status } = await gate.app.api[method](path, { key: organization.managementKey, json });
    expect({ path, status }).toEqual({ path, status: 200 });
  };

  const setBudget = (interval: string, limit: number): Promise<void> =>
    managed('put', `/workspaces/${organization.workspaceId}/budgets/${interval}`, { limit_usd: limit });

  const setLimit = ({ hash }: Issued, limit: number | null, fields = {}): Promise<void> =>
    managed('patch', `/keys/${hash}`, { limit, ...fields });

  interface Reservation extends Record<string, unknown> {
    readonly amount: string;
  }

  const reservations = (): Promise<Reservation[]> =>
    gate.app.rows<Reservation>(
      `SELECT generation_id AS id, key_id AS "keyId", workspace_id AS "workspaceId", amount_usd::text AS amount,
         byok_amount_usd::text AS byok FROM spend_reservations WHERE organization_id = $1`,
      [organization.organizationId],
    );

  /** In the smallest units. */
  const charged = async (): Promise<bigint> => {
    const [{ sum } = { sum: '0' }] = await gate.app.rows<{ sum: string }>(
      'SELECT coalesce(sum(cost_usd), 0)::text AS sum FROM generations WHERE organization_id = $1',
      [organization.organizationId],
    );
    return unitsOf(sum);
  };

  const until = async (isSo: () => Promise<boolean> | boolean): Promise<void> => {
    while (!(await isSo())) await delay(10);
  };

  const errorOf = ({ status, body }: Answer<WholeAnswer>): object => {
    const { message, metadata } = (body as unknown as Refusal).error;
    return { status, message, ...metadata };
  };

  it('reserves the worst case while a request is answered, and nothing after its 200', async () => {
    await setLimit(key, COST * 3);
    const release = holdAlpha();
    const answering = ask(key);
    await until(async () => (await reservations()).length === 1);

    expect(await reservations()).toEqual([
      {
        id: expect.stringMatching(/^gen-/) as string,
        keyId: key.id,
        workspaceId: organization.workspaceId,
        amount: String(COST),
        byok: '0',
      },
    ]);
    release();
    expect((await answering).status).toBe(200);
    expect(await reservations()).toEqual([]);
    expect(await charged()).toBe(unitsOf(String(COST)));
  });

  it('reserves nothing for a request to which no limit applies, nor for one that is free: 200', async () => {
    const transactions = jest.spyOn(gate.app.application.get(Statements), 'transaction');
    expect((await ask(key)).status).toBe(200);
    expect(transactions).not.toHaveBeenCalled();
    await setLimit(key, 1);
    transactions.mockClear();
    expect((await ask(key, { model: 'acme/flat' })).status).toBe(200);
    expect(transactions).toHaveBeenCalledTimes(1);
  });

  describe('of many requests at once', () => {
    const room = 7;
    const limit = COST * room + COST / 2;

    const limits: readonly (readonly [string, string, () => Promise<readonly Issued[]>])[] = [
      ...['lifetime', 'monthly', 'weekly', 'daily'].map(
        (interval) =>
          [
            `the ${interval} budget of a workspace`,
            'workspace',
            async () => {
              await setBudget(interval, limit);
              return [key, await gate.app.factory.key(organization)];
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
            async () => [await gate.guardedKey(organization, { limit_usd: limit, reset_interval: interval })],
          ] as const,
      ),
      [
        'the budget of a guardrail of a member',
        'guardrail',
        async () => {
          const settings = { limit_usd: limit, reset_interval: 'daily' } as const;
          const { id } = await gate.app.factory.guardrail(organization, settings);
          await gate.app.api.post(`/guardrails/${id}/assignments/members`, {
            key: organization.managementKey,
            json: { member_user_ids: [organization.userId] },
          });
          return [key, await gate.app.factory.key(organization)];
        },
      ],
    ];

    it.each(limits)(
      'lets as many pass with 200 as %s has room for, on two replicas, and refuses with 402',
      async (_, subject, make) => {
        const keys = await make();
        const answers = await Promise.all(
          Array.from({ length: 40 }, (_none, n) =>
            ask(keys[n % keys.length]!, AT_MOST, n % 4 < 2 ? gate.app : replica),
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
      expect(await gate.record(refused, key)).toMatchObject({
        status: 402,
        refusal: 'insufficient_budget',
        total_cost: 0,
        overrun: 0,
      });
    });

    it('sends the longest answer that it pays for where the caller names none: 200', async () => {
      await setBudget('monthly', COST);
      gate.alpha.received.length = 0;
      expect((await ask(key, ALPHA)).status).toBe(200);
      expect(gate.alpha.received).toMatchObject([{ body: { max_tokens: 5 } }]);
    });

    it('sends no longest answer where it pays for any: 200', async () => {
      await setBudget('monthly', 100);
      gate.alpha.received.length = 0;
      expect((await ask(key, ALPHA)).status).toBe(200);
      expect(gate.alpha.received[0]!.body).not.toHaveProperty('max_tokens');
    });

    it('refuses with 402 what cannot even pay for its prompt', async () => {
      await setBudget('monthly', COST / 10);
      expect(errorOf(await ask(key, ALPHA))).toMatchObject({
        status: 402,
        message:
          'This request requires more credits, or fewer max_tokens. You requested up to 4096 tokens, but can only afford 0.',
      });
    });

    it('counts each of several answers, and the longer one of two fields: 402', async () => {
      await setLimit(key, COST);
      expect((await ask(key, { ...AT_MOST, n: 2 })).status).toBe(402);
      expect((await ask(key, { ...AT_MOST, max_completion_tokens: 6 })).status).toBe(402);
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
        gate.app.api.post<WholeAnswer>(path, { key: key.plaintext, json });
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

    const admit = (fields: object, candidates = [candidate]): ReturnType<AdmissionService['admit']> =>
      gate.app.application.get(AdmissionService).admit({
        organizationId: organization.organizationId,
        generationId: newGenerationId(Date.now()),
        keyId: key.id,
        userId: organization.userId,
        workspaceId: organization.workspaceId,
        createdAt: thisSecond(),
        worstCase: { candidates: candidates.map((one) => ({ ...one, fixed: unitsOf('1') })), namedTokens: 0 },
        request: {
          requestId: 'request',
          requestedModel: 'acme/writer',
          model: 'acme/writer',
          apiType: 'completions',
          streamed: false,
        },
        ...fields,
      });

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
        await gate.app.rows(
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
      await gate.app.rows(
        `INSERT INTO key_spend (organization_id, key_id, day, amount_usd, byok_amount_usd) VALUES ($1, $2, current_date, 1, 0)`,
        [organization.organizationId, key.id],
      );
      await setLimit(key, limit);
      await expect(admit({})).rejects.toMatchObject({ status: 403, reason: 'key_limit_exceeded' });
    });
  });

  it('releases what is reserved for a request that no provider answers, or that is refused: 503', async () => {
    await setLimit(key, COST);
    gate.alpha.answerWith((response) => void response.writeHead(500).end());
    expect((await ask(key)).status).toBe(503);
    expect(await reservations()).toEqual([]);
    answerWith(USAGE);
    expect((await ask(key)).status).toBe(200);
  });

  it('releases what is reserved for a stream of 200 whose client leaves, and charges what was delivered', async () => {
    await setLimit(key, COST * 2);
    gate.alpha.answerWith((response) => {
      response.writeHead(200, STREAM_HEAD).write(chunk({ role: 'assistant', content: 'All ' }));
    });
    const controller = new AbortController();
    const response = await gate.open(key, AT_MOST, controller.signal);
    expect(response.status).toBe(200);
    await response.body!.getReader().read();
    expect(await reservations()).toHaveLength(1);
    controller.abort();
    await until(async () => (await reservations()).length === 0);
    // 12 bytes were sent and 4 delivered: 3 tokens and 1.
    expect(await charged()).toBe(unitsOf('0.000005'));
  });

  it('charges usage above the worst case in full, shows it in the record, and expects as much of the next: 200, 402', async () => {
    await setLimit(key, COST * 1.5);
    answerWith({ prompt_tokens: 30, completion_tokens: 5, total_tokens: 35 });
    const fields = { ...AT_MOST, model: 'acme/surprising' };
    const answer = await ask(key, fields);

    expect(answer.status).toBe(200);
    expect(await gate.record(answer, key)).toMatchObject({ total_cost: 0.00004, overrun: 0.000012 });
    await setLimit(key, 0.00004 + COST);
    expect((await ask(key, fields)).status).toBe(402);
    await setLimit(key, 0.00008);
    const expected = await ask(key, fields);
    expect(await gate.record(expected, key)).toMatchObject({ total_cost: 0.00004, overrun: 0 });
  });

  describe('when the database refuses', () => {
    it('answers 500, and keeps what is reserved until the request can be settled, once', async () => {
      await setLimit(key, COST * 2);
      const statements = gate.app.application.get(Statements);
      const write = statements.write.bind(statements);
      let isGone = true;
      jest.spyOn(statements, 'write').mockImplementation(async (statement, values) => {
        if (isGone && statement.name === INSERT_GENERATIONS.name) throw new Error('the database is gone');
        return write(statement, values);
      });

      expect((await ask(key)).status).toBe(500);
      expect(await reservations()).toHaveLength(1);
      expect(await charged()).toBe(0n);
      isGone = false;
      await gate.app.application.get(LateGenerations).store();
      expect(await reservations()).toEqual([]);
      expect(await charged()).toBe(unitsOf(String(COST)));
      await gate.app.application.get(LateGenerations).store();
      expect(await charged()).toBe(unitsOf(String(COST)));
    });
  });

  describe('of a replica that died', () => {
    const endLeases = (): Promise<unknown> =>
      gate.app.rows(`UPDATE live_processes SET alive_until = now() - interval '1 second' WHERE id = $1`, [
        gate.app.application.get(ProcessLeaseService).processId,
      ]);

    // The process itself does not know that it is taken for dead.
    afterEach(() => gate.app.rows(`UPDATE live_processes SET alive_until = now() + interval '1 minute'`));

    const settleOn = async (app: TestApplication): Promise<void> => {
      jest.spyOn(app.application.get(ProcessLeaseService), 'hasBeenHeld', 'get').mockReturnValue(true);
      await app.application.get(ExpiredReservationsService).settle();
    };

    it('charges the worst case, with 500 in the record; what it settles later changes nothing', async () => {
      await setLimit(key, COST * 2);
      const release = holdAlpha({ ...USAGE, completion_tokens: 1 });
      const answering = ask(key);
      await until(async () => (await reservations()).length === 1);
      await endLeases();
      await Promise.all([settleOn(replica), settleOn(gate.app)]);

      expect(await reservations()).toEqual([]);
      expect(await charged()).toBe(unitsOf(String(COST)));
      const answer = (release(), await answering);
      expect(answer.status).toBe(200);
      expect(await gate.record(answer, key)).toMatchObject({
        status: 500,
        refusal: 'reservation_expired',
        finish_reason: 'error',
        total_cost: COST,
        model: 'acme/writer',
      });
      const { body } = await gate.app.api.get<{ data: object }>('/key', { key: key.plaintext });
      expect(body.data).toMatchObject({ usage: COST, limit_remaining: COST });
    });

    it('leaves what is reserved by those that live, and by anyone before this replica was sure: 200', async () => {
      await setLimit(key, COST * 2);
      const release = holdAlpha();
      const answering = ask(key);
      await until(async () => (await reservations()).length === 1);
      await settleOn(replica);
      expect(await reservations()).toHaveLength(1);
      await endLeases();
      jest.restoreAllMocks();
      await replica.application.get(ExpiredReservationsService).settle();
      expect(await reservations()).toHaveLength(1);
      release();
      expect((await answering).status).toBe(200);
    });
  });
});
