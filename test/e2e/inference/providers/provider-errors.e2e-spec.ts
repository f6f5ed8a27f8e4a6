import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { GenerationsService } from '../../../../src/modules/generations/generations.service.js';
import { type ErrorBody, readAnswer } from '../../../support/network/api-client.js';
import { PROVIDER_KEY } from '../test-gateway.js';
import { chunk, STREAM_HEAD } from '../provider-answers.js';
import { chunksOf, eventsOf } from '../read-answers.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { sharedGateway } from '../shared-gateway.js';

const ALPHA_ALONE = { provider: { only: ['alpha'] } };

/** Details that a provider puts in its errors and that clients must not see. */
const INTERNALS = `stack trace of host-17 with ${PROVIDER_KEY}`;

/** So deep that it can be parsed, but not written again. */
const NESTED = '['.repeat(20_000) + ']'.repeat(20_000);

/** What clients of OpenAI's interface read of a failure that is not the request's. */
const OF_SERVER = { type: 'server_error', param: null };

describe('sendChatCompletionRequest with a provider that fails', () => {
  const gateway = sharedGateway();
  const key = keyPerTest(gateway, organizationPerTest(gateway));

  /** What was logged since the start. */
  const logged = (): string => gateway.app.logLines.join('');

  /** What was stored and logged since the start. */
  const traces = async (): Promise<string> => {
    const rows = await gateway.app.rows('SELECT to_jsonb(g)::text AS row FROM generations g');
    return JSON.stringify([rows, gateway.app.logLines]);
  };

  it.each([
    [503, 'a status of 500', 500],
    [503, 'a status of 401', 401],
    [429, 'a status of 429', 429],
  ])(
    'answers %i as JSON for %s before the first token of a stream, without the words of the provider',
    async (status, _, its) => {
      gateway.alpha.answerJson({ error: { message: INTERNALS, raw: INTERNALS } }, its);
      const streamed = await gateway.stream(key, ALPHA_ALONE);
      const whole = await gateway.ask<ErrorBody>(key, ALPHA_ALONE);

      for (const answer of [streamed, whole]) {
        expect(answer.status).toBe(status);
        expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
        expect(answer.headers.get('x-generation-id')).toMatch(/^gen-/);
        expect(answer.text).not.toContain('host-17');
        expect(await gateway.record(answer, key)).toMatchObject({ status, total_cost: 0 });
      }
      expect(logged()).not.toContain('host-17');
      expect(await traces()).not.toContain(PROVIDER_KEY);
    },
  );

  it('answers 503 and logs which providers failed and how, without a stack', async () => {
    gateway.alpha.answerJson({ error: { message: INTERNALS } }, 500);
    gateway.beta.answerWith((response) => void response.destroy());
    const answer = await gateway.ask<ErrorBody>(key, { provider: { order: ['alpha', 'beta'] } });

    expect(answer.status).toBe(503);
    const lines = gateway.app.logLines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    const { request_id: id } = answer.body.service_metadata;
    expect(lines.filter(({ request_id: other, level }) => other === id && level === 'error')).toEqual([
      expect.objectContaining({
        message: 'request failed',
        failure: {
          type: 'ProvidersUnavailable',
          message: 'provider_unavailable',
          previous_errors: [
            { provider: 'Alpha Cloud', code: 500 },
            { provider: 'Beta Cloud', code: 'unreachable' },
          ],
        },
      }),
    ]);
  });

  it.each([400, 403, 404, 405, 409, 410, 413, 415, 422, 424, 425, 451])(
    'answers %i where the only provider refuses the request itself, with its message and without its key',
    async (status) => {
      const error = { message: `the prompt is too long, ${PROVIDER_KEY}`, code: 'context_length_exceeded' };
      gateway.alpha.answerJson({ error }, status);
      const answer = await gateway.stream(key, ALPHA_ALONE);

      expect(answer.status).toBe(status);
      expect(answer.body).toMatchObject({
        error: {
          code: status,
          message: expect.stringMatching(/^the prompt is too long, \[redacted\]/) as string,
          metadata: {
            reason: 'provider_refused_request',
            provider_name: 'Alpha Cloud',
            provider_code: 'context_length_exceeded',
          },
        },
      });
      expect(await traces()).not.toContain(PROVIDER_KEY);
      expect(answer.headers.get('retry-after')).toBeNull();
      expect(await gateway.record(answer, key)).toMatchObject({ status, refusal: 'provider_refused_request' });
    },
  );

  it('answers 400 where the only provider refuses the request with a status that is not passed on', async () => {
    gateway.alpha.answerJson({ error: { message: 'short and stout' } }, 418);
    const answer = await gateway.ask<ErrorBody>(key, ALPHA_ALONE);

    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toBe('short and stout');
  });

  it.each([401, 402, 408])('answers 503 to repeat where the only provider answers %i', async (status) => {
    gateway.alpha.answerJson({ error: { message: INTERNALS } }, status);
    const answer = await gateway.ask<ErrorBody>(key, ALPHA_ALONE);

    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
  });

  describe.each([
    [400, 402, { type: 'invalid_request_error', message: 'Your credit balance is too low to access the API.' }],
    [429, 402, { code: '1113', message: 'Insufficient balance or no resource package. Please recharge.' }],
    [400, 401, { type: 'invalid_request_error', message: 'This organization has been disabled.' }],
  ])('whose account is at fault, which it says with %i', (said, meant, error) => {
    it('answers 200 by the next provider', async () => {
      gateway.alpha.answerJson({ error }, said);
      const answer = await gateway.ask(key, { provider: { order: ['alpha', 'beta'] } });

      expect(answer).toMatchObject({ status: 200, body: { provider: 'Beta Cloud' } });
    });

    it('answers 503 without its words where it is the only one', async () => {
      gateway.alpha.answerJson({ error }, said);
      const answer = await gateway.ask<ErrorBody>(key, ALPHA_ALONE);

      expect([answer.status, answer.text.includes(error.message)]).toEqual([503, false]);
      const previous_errors = [{ provider: 'Alpha Cloud', code: meant }];
      expect(answer.body.error.metadata).toMatchObject({ reason: 'provider_unavailable', previous_errors });
    });
  });

  it('answers 404 with the words of the only provider where it has no model of the name, which it says with 400', async () => {
    const error = { message: 'The model `old` has been decommissioned.', code: 'model_decommissioned' };
    gateway.alpha.answerJson({ error }, 400);
    const lone = await gateway.ask<ErrorBody>(key, ALPHA_ALONE);
    const both = await gateway.ask(key, { provider: { order: ['alpha', 'beta'] } });

    expect([lone.status, lone.body.error.message, both.status]).toEqual([404, error.message, 200]);
  });

  it.each([403, 404])('answers 503 where several providers were asked and the last answers %i', async (status) => {
    gateway.alpha.answerJson({ error: { message: INTERNALS } }, 500);
    gateway.beta.answerJson({ error: { message: INTERNALS } }, status);

    expect((await gateway.ask(key)).status).toBe(503);
  });

  it.each([
    ['context_length_exceeded', { message: 'No.', code: 'context_length_exceeded' }],
    ['context_length_exceeded', { message: 'prompt is too long: 214350 tokens > 200000 maximum' }],
    ['content_policy_violation', { message: 'No.', code: 'content_filter' }],
    ['invalid_request', { message: 'No.', code: 'whatever' }],
  ])('answers 400 with the error_type %s where the provider says %j', async (type, error) => {
    gateway.alpha.answerJson({ error }, 400);
    const answer = await gateway.ask<ErrorBody>(key, ALPHA_ALONE);

    expect(answer.status).toBe(400);
    expect(answer.body.error.metadata).toMatchObject({ error_type: type });
  });

  it.each([
    [
      { code: 400, message: 'prompt is too long' },
      400,
      'prompt is too long (context_length_exceeded)',
      'context_length_exceeded',
      true,
    ],
    [{ type: 'rate_limit_error', message: INTERNALS }, 429, 'Rate limit exceeded', 'rate_limit_exceeded', true],
    [{ type: 'overloaded_error', message: INTERNALS }, 529, 'Provider returned error', 'provider_overloaded', false],
    [{ code: 503, message: INTERNALS }, 503, 'Provider returned error', 'provider_overloaded', false],
    [{ code: 401, message: INTERNALS }, 502, 'Provider returned error', 'provider_unavailable', false],
  ] as const)(
    'ends a stream with 200 by an error chunk where the provider has sent the error %j: its code is %i',
    async (error, code, message, type, hasProviderCode) => {
      gateway.alpha.answerWith((response) => {
        response
          .writeHead(200, STREAM_HEAD)
          .end(`${chunk({ role: 'assistant', content: 'Half an ans' })}data: ${JSON.stringify({ error })}\n\n`);
      });
      const answer = await gateway.stream(key);
      const said = 'type' in error ? error.type : String(error.code);

      expect(answer.status).toBe(200);
      expect(chunksOf(answer).at(-1)!.error).toEqual({
        code,
        message,
        type: code === 429 ? 'rate_limit_error' : code < 500 ? 'invalid_request_error' : 'server_error',
        param: null,
        metadata: { error_type: type, ...(hasProviderCode && { provider_code: said }) },
      });
      expect(answer.text + logged()).not.toContain('host-17');
      expect(await traces()).not.toContain(PROVIDER_KEY);
    },
  );

  it.each([
    ['an error within the stream', `data: ${JSON.stringify({ error: { message: INTERNALS, code: 500 } })}\n\n`],
    ['a chunk that is not JSON', `data: ${INTERNALS}\n\n`],
    ['a chunk that nests too deep', `data: {"choices":[{"index":0,"delta":{"odd":${NESTED}}}]}\n\n`],
    ['an error that nests too deep', `data: {"error":{"message":${NESTED}}}\n\n`],
    ['a stream that breaks off', ''],
  ])('ends a stream with 200 by one error chunk and no [DONE] after %s', async (_, end) => {
    gateway.alpha.answerWith((response) => {
      response.writeHead(200, STREAM_HEAD).end(chunk({ role: 'assistant', content: 'Half an ans' }) + end);
    });
    const answer = await gateway.stream(key);

    expect(answer.status).toBe(200);
    const [last, ...before] = chunksOf(answer).reverse();
    expect(answer.events).not.toContain('[DONE]');
    expect(last).toEqual({
      id: answer.headers.get('x-generation-id'),
      object: 'chat.completion.chunk',
      created: expect.any(Number) as number,
      model: 'acme/writer',
      provider: 'Alpha Cloud',
      error: {
        ...OF_SERVER,
        code: 502,
        message: 'Provider returned error',
        metadata: { error_type: 'provider_unavailable' },
      },
      choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error', native_finish_reason: null }],
    });
    expect(before.filter(({ error }) => error !== undefined)).toEqual([]);
    expect(gateway.beta.received).toEqual([]);
    expect(answer.text + logged()).not.toContain('host-17');
    expect(await traces()).not.toContain(PROVIDER_KEY);
    // 12 bytes of a prompt and 11 of an answer.
    expect(await gateway.record(answer, key)).toMatchObject({
      finish_reason: 'error',
      cancelled: false,
      total_cost: 0.000009,
    });
  });

  it('ends a stream with 200 by an error chunk where the provider lets it wait too long', async () => {
    await gateway.limitAlpha({ gap: 50 });
    gateway.alpha.answerWith((response) => {
      response.writeHead(200, STREAM_HEAD).write(chunk({ role: 'assistant', content: 'One moment' }));
    });
    const answer = await gateway.stream(key);

    expect(answer.status).toBe(200);
    expect(chunksOf(answer).at(-1)!.error).toMatchObject({ code: 502 });
    expect(answer.events).not.toContain('[DONE]');
  });

  describe('while a comment is due', () => {
    afterEach(() => jest.restoreAllMocks());

    /** Lets the interval that looks whether a comment is due do so at once, and its clock go on by what is returned. */
    const hurry = (): { ms: number } => {
      const [repeat, now, ahead] = [setInterval, performance.now.bind(performance), { ms: 0 }];
      jest
        .spyOn(globalThis, 'setInterval')
        .mockImplementation(((work: () => void, ms: number) => repeat(work, ms === 5_000 ? 5 : ms)) as never);
      jest.spyOn(performance, 'now').mockImplementation(() => now() + ahead.ms);
      return ahead;
    };

    it('answers 503 as JSON where every provider has failed already, however long that takes to record', async () => {
      gateway.alpha.answerJson({ error: { message: INTERNALS } }, 500);
      const ahead = hurry();
      const generations = gateway.app.application.get(GenerationsService);
      const record = generations.record.bind(generations);
      let recorded = (): void => undefined;
      const isAllowed = new Promise<void>((resolve) => (recorded = resolve));
      const recording = new Promise<void>((resolve) => {
        jest.spyOn(generations, 'record').mockImplementationOnce(async (generation) => {
          resolve();
          await isAllowed;
          await record(generation);
        });
      });
      const opened = gateway.open(key, ALPHA_ALONE);
      await recording;
      ahead.ms = 10_000;
      // The interval has looked several times by then.
      for (let looks = 0; looks < 5; looks += 1) await delay(5);
      recorded();
      const answer = await opened;

      expect(answer.status).toBe(503);
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(await answer.json()).toMatchObject({ error: { code: 503 } });
    });

    it('ends a stream with 200 by an error chunk, where one was sent and no provider sends a first token', async () => {
      const asked: ServerResponse[] = [];
      const isAsked = new Promise<void>((resolve) => {
        gateway.alpha.answerWith((response) => {
          asked.push(response);
          resolve();
        });
      });
      gateway.beta.answerJson({ error: { message: INTERNALS } }, 500);
      const ahead = hurry();
      const opened = gateway.open(key);
      await isAsked;
      ahead.ms = 10_000;
      const answer = await opened;
      asked[0]!.writeHead(500).end();
      const { text, isWhole } = await readAnswer(answer);

      expect(answer.status).toBe(200);
      expect(isWhole).toBe(false);
      expect(text).toMatch(/^: PROCESSING\n\ndata: [^\n]+\n\n$/);
      expect(eventsOf(text)).toEqual([
        {
          id: answer.headers.get('x-generation-id'),
          object: 'chat.completion.chunk',
          created: expect.any(Number) as number,
          model: 'acme/writer',
          provider: 'Beta Cloud',
          error: {
            ...OF_SERVER,
            code: 503,
            message: 'Service temporarily unavailable: no provider could answer.',
            metadata: { error_type: 'provider_overloaded' },
          },
          choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error', native_finish_reason: null }],
        },
      ]);
      expect(await gateway.record(answer, key)).toMatchObject({ status: 503, refusal: 'provider_unavailable' });
    }, 120_000);
  });
});
