import { lockRows, untilWaitingForLock } from '../../../support/database/row-locks.js';
import { until } from '../../../support/time/until.js';
import type { Answer } from '../../../support/network/api-client.js';
import type { WholeAnswer } from '../read-answers.js';
import type { ShownGeneration } from '../test-gateway.js';
import { chunk, completion, embeddings, STREAM, STREAM_END, STREAM_HEAD } from '../provider-answers.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { sharedGateway } from '../shared-gateway.js';

interface RecordOfFailure {
  readonly data: { readonly attempts: readonly { readonly error: string | null }[] };
}

const JSON_HEAD = { 'content-type': 'application/json' };

describe('the record of a chat completion', () => {
  const gateway = sharedGateway();
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  const statusFor = async (id: string, credential: string): Promise<number> =>
    (await gateway.app.api.get(`/generation?id=${id}`, { key: credential })).status;

  it('says what was asked, answered and charged, for an answer with 200', async () => {
    const answer = await gateway.ask(
      key,
      { user: 'someone', session_id: 'session-1' },
      { 'http-referer': 'https://app.example.com', 'user-agent': 'test/1', 'x-session-id': 'session-2' },
    );

    expect(await gateway.record(answer, key)).toMatchObject({
      id: answer.body.id,
      upstream_id: 'chatcmpl-upstream',
      request_id: answer.headers.get('x-request-id'),
      api_type: 'completions',
      model: 'acme/writer',
      provider_name: 'Alpha Cloud',
      streamed: false,
      cancelled: false,
      status: 200,
      refusal: null,
      limited_by: null,
      finish_reason: 'stop',
      native_finish_reason: 'stop',
      tokens_prompt: 10,
      tokens_completion: 5,
      total_cost: 0.00002,
      usage: 0.00002,
      is_byok: false,
      external_user: 'someone',
      session_id: 'session-1',
      http_referer: 'https://app.example.com',
      user_agent: 'test/1',
      workspace_id: organization.workspaceId,
      requested_model: 'acme/writer',
      key_hash: key.hash,
      key_name: expect.any(String) as string,
      key_label: expect.stringContaining('...') as string,
      user_id: organization.userId,
      user_name: expect.any(String) as string,
      attempts: [
        {
          provider: 'alpha',
          provider_name: 'Alpha Cloud',
          model: 'acme/writer',
          endpoint: 'alpha',
          status: 200,
          is_byok: false,
          started: expect.any(Number) as number,
          latency: expect.any(Number) as number,
          error: null,
        },
      ],
      charges: [
        {
          model: 'acme/writer',
          endpoint: 'alpha',
          is_byok: false,
          cost: 0.00002,
          is_usage_estimated: false,
          is_usage_capped: false,
        },
      ],
      latency: expect.any(Number) as number,
      generation_time: expect.any(Number) as number,
    });
  });

  describe('keeps what a provider says of its failure', () => {
    const failing = async (status: number, message: string): Promise<Answer<WholeAnswer>> => {
      gateway.alpha.answerJson({ error: { message } }, status);
      return gateway.ask(key, { provider: { only: ['alpha'] } });
    };

    const errorFor = async ({ headers }: Answer<WholeAnswer>, credential: string): Promise<string | null> => {
      const path = `/generation?id=${headers.get('x-generation-id')}`;
      const { body } = await gateway.app.api.get<RecordOfFailure>(path, { key: credential });
      return body.data.attempts[0]!.error;
    };

    it('for management keys, without credentials and of 500 characters at most: 503', async () => {
      const secret = `sk-gate-v2-${'0a'.repeat(36)}`;
      const answer = await failing(500, `CUDA out of memory for ${secret} ${'x'.repeat(600)}`);
      expect(answer.status).toBe(503);
      const shown = await errorFor(answer, organization.managementKey);
      expect(shown).toMatch(/^CUDA out of memory for sk-gate-v2-\[redacted\] x+$/);
      expect(shown).toHaveLength(500);
      expect(await errorFor(answer, key.plaintext)).toBeNull();
    });

    it('unless the request was at fault, which the message may quote: 400', async () => {
      const answer = await failing(400, 'The word Ada is not allowed.');
      expect(answer.status).toBe(400);
      expect(await errorFor(answer, organization.managementKey)).toBeNull();
    });
  });

  it('counts the images and recordings of the prompt, also of a refused one with 404, and has no cost upstream', async () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
    const recording = { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } };
    const messages = [
      { role: 'user', content: [image, { type: 'text', text: 'And this?' }, image] },
      { role: 'user', content: [recording] },
    ];
    const refused = await gateway.ask(key, { model: 'acme/unconnected', messages });

    expect(refused.status).toBe(404);
    expect(await gateway.record(refused, key)).toMatchObject({ num_media_prompt: 2, num_input_audio_prompt: 1 });
    expect(await gateway.record(await gateway.ask(key), key)).toMatchObject({
      num_media_prompt: 0,
      num_media_completion: 0,
      num_input_audio_prompt: 0,
      upstream_inference_cost: null,
      cache_discount: null,
    });
  });

  it('counts the images of an answer with 200, whole and streamed, and of a request without an answer none', async () => {
    const images = [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }];
    const message = { role: 'assistant', content: '', images: [...images, ...images] };
    gateway.alpha.answerJson(completion('', { choices: [{ index: 0, message, finish_reason: 'stop' }] }));
    const whole = await gateway.ask(key);
    gateway.alpha.answerStream([chunk({ images }), chunk({ images }), chunk({ images }), STREAM_END].join(''));
    const streamed = await gateway.stream(key);

    expect([whole.status, streamed.status]).toEqual([200, 200]);
    expect(await gateway.record(whole, key)).toMatchObject({ num_media_completion: 2 });
    expect(await gateway.record(streamed, key)).toMatchObject({ num_media_completion: 3 });
    const refused = await gateway.ask(key, { model: 'acme/unconnected' });
    expect(await gateway.record(refused, key)).toMatchObject({ num_media_completion: null });
  });

  it('is there with 200 at the moment at which [DONE] arrives', async () => {
    gateway.alpha.answerStream([chunk({ content: 'All is well.' }), STREAM_END].join(''));
    for (let round = 0; round < 5; round += 1) {
      const answer = await gateway.open(key);
      const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      while (!text.includes('[DONE]')) text += (await reader.read()).value!;

      expect(await statusFor(answer.headers.get('x-generation-id')!, key.plaintext)).toBe(200);
      await reader.cancel();
    }
  });

  it.each<[form: string, ask: () => Promise<{ readonly status: number; readonly text: string }>]>([
    ['a whole chat', () => gateway.ask(key)],
    ['a streamed chat', () => gateway.stream(key)],
    ['embeddings', () => gateway.embed(key)],
    ['a refusal', () => gateway.ask(key, { model: 'acme/unconnected' })],
  ])('comes before the end of %s, however long it takes: 200 or 404', async (_, ask) => {
    gateway.alpha.answerWith((response, { body, path }) => {
      if (path.endsWith('/embeddings')) response.writeHead(200, JSON_HEAD).end(JSON.stringify(embeddings([[1]])));
      else if ((body as { stream?: boolean }).stream === true) response.writeHead(200, STREAM_HEAD).end(STREAM);
      else response.writeHead(200, JSON_HEAD).end(JSON.stringify(completion('All is well.')));
    });
    const release = await lockRows(gateway.app, 'LOCK TABLE generations IN SHARE MODE', []);
    let isAnswered = false;
    const asked = ask().finally(() => (isAnswered = true));
    await untilWaitingForLock(gateway.app, 1);
    // An answer that did not wait for its record would be there before that of a later request.
    const later = await gateway.app.api.get('/models/count', { key: key.plaintext });
    const wasAnswered = isAnswered;
    await release();
    const { status } = await asked;

    expect([later.status, wasAnswered]).toEqual([200, false]);
    expect([200, 404]).toContain(status);
  });

  it('answers 200 to its key and to management keys of the organization, and 404 to every other', async () => {
    const { id } = (await gateway.ask(key)).body;
    const [sister, stranger] = [
      await gateway.app.factory.key(organization),
      await gateway.app.factory
        .organization()
        .then(async (other) => ({ ...other, key: await gateway.app.factory.key(other) })),
    ];

    expect(await statusFor(id, key.plaintext)).toBe(200);
    expect(await statusFor(id, organization.managementKey)).toBe(200);
    expect(await statusFor(id, sister.plaintext)).toBe(404);
    expect(await statusFor(id, stranger.managementKey)).toBe(404);
    expect(await statusFor(id, stranger.key.plaintext)).toBe(404);
  });

  it('adds up to the usage of the key, which answers 200, and refusals add nothing', async () => {
    for (let round = 0; round < 3; round += 1) await gateway.ask(key);
    await gateway.stream(key);
    await gateway.ask(key, { model: 'acme/spare' });
    await gateway.ask(key, { model: 'acme/nothing' });
    const answer = await gateway.app.api.get<{ data: Record<string, number> }>('/key', { key: key.plaintext });

    expect(answer.status).toBe(200);
    // Four times 10 and 5 tokens from Alpha, and once from Beta.
    expect(answer.body.data).toMatchObject({ usage: 0.000115, usage_daily: 0.000115, byok_usage: 0 });
    const [sum] = await gateway.app.rows('SELECT sum(cost_usd) AS cost FROM generations WHERE key_id = $1', [key.id]);
    expect(Number(sum!['cost'])).toBe(0.000115);
  });

  it('is one for each of many requests at once, all answered with 200, none lost and none doubled', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? gateway.ask(key) : gateway.stream(key))),
    );

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ headers }) => headers.get('x-generation-id'))).size).toBe(40);
    const [sum] = await gateway.app.rows('SELECT amount_usd FROM key_spend WHERE key_id = $1', [key.id]);
    expect(Number(sum!['amount_usd'])).toBe(0.0008);
  });

  it('has the refusal no_endpoints and no attempts for a model whose provider is not connected (404)', async () => {
    const answer = await gateway.ask(key, { model: 'acme/unconnected' });

    expect(answer.status).toBe(404);
    const record: ShownGeneration = await gateway.record(answer, key);
    expect(record).toMatchObject({
      refusal: 'no_endpoints',
      provider_name: null,
      provider_responses: [],
      exclusions: [
        { reason: 'not_connected', detail: 'the provider is not connected', endpoints: 1, guardrail_ids: [] },
      ],
    });
  });
});

describe('access to chat completions', () => {
  const gateway = sharedGateway({ variables: { STREAMS_PER_ORGANIZATION: '1' } });
  const organization = organizationPerTest(gateway);
  const other = organizationPerTest(gateway);

  it('answers 404 for a preset of another organization, and 200 whatever the guardrails of others say', async () => {
    await gateway.app.factory.preset(other, other.workspaceId, 'theirs', [{ model: 'acme/writer' }]);
    const blocked = await gateway.guardedKey(other, { ignored_models: ['acme/writer'] });
    const key = await gateway.app.factory.key(organization);

    expect((await gateway.ask(key, { preset: 'theirs' })).status).toBe(404);
    expect((await gateway.ask(blocked)).status).toBe(404);
    expect((await gateway.ask(key)).status).toBe(200);
  });

  it('answers 403 to a management key, 401 without one and 401 to a key that is disabled, and asks no provider', async () => {
    const key = await gateway.app.factory.key(organization);
    const { managementKey } = organization;
    const management = await gateway.ask({ ...key, plaintext: managementKey });
    await gateway.app.api.patch(`/keys/${key.hash}`, { key: managementKey, json: { disabled: true } });

    expect(management.status).toBe(403);
    expect((await gateway.ask({ ...key, plaintext: 'nothing' })).status).toBe(401);
    expect((await gateway.ask(key)).status).toBe(401);
    expect(gateway.alpha.received).toEqual([]);
  });

  it('answers 429 with Retry-After beyond the open requests of an organization, and 200 to others and afterwards', async () => {
    const [key, theirs] = [await gateway.app.factory.key(organization), await gateway.app.factory.key(other)];
    let finish: (() => void) | undefined;
    gateway.alpha.answerWith((response) => {
      response.writeHead(200, STREAM_HEAD).write(chunk({ content: 'First.' }));
      finish = () => void response.end(STREAM_END);
    });
    const open = await gateway.open(key);
    const refused = await gateway.ask(key);

    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(refused.body).toMatchObject({ error: { metadata: { reason: 'too_many_open_inference_requests' } } });
    expect((await gateway.ask(theirs, { model: 'gatehouse/echo', provider: {} })).status).toBe(200);
    finish!();
    expect(await open.text()).toContain('[DONE]');
    await until(async () => (await gateway.ask(key, { model: 'gatehouse/echo', provider: {} })).status === 200);
  });
});
