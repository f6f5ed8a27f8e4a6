import type { IssuedCredential } from '../../../../src/modules/keys/keys.service.js';
import type { Answer, ErrorBody } from '../../../support/network/api-client.js';
import { CHAT, EMBEDDINGS, TestGateway, QUESTION } from '../test-gateway.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { sharedGateway } from '../shared-gateway.js';

/** What no record may have: it stands in the bodies that are refused. */
const SECRET = 'the-caller-s-secret';

const JSON_TYPE = 'application/json';

/** A text that is in no key, so that it can be searched for. */
const SENT = { model: 'acme/writer', user: SECRET, session_id: SECRET, metadata: { note: SECRET } };

/** A body of each operation with something wrong in it. */
const WRONG_BODIES: readonly [path: string, body: object][] = [
  [CHAT, { ...SENT, messages: [{ role: SECRET, content: SECRET }], stream: true }],
  ['/completions', { ...SENT, prompt: [SECRET, SECRET], stream: true }],
  ['/messages', { ...SENT, messages: [{ role: 'user', content: { [SECRET]: SECRET } }], stream: true }],
  ['/responses', { ...SENT, input: [{ role: SECRET, content: SECRET }], stream: true }],
  [EMBEDDINGS, { ...SENT, input: { [SECRET]: SECRET } }],
];

describe('a request of inference that is refused before it reaches its controller', () => {
  const gateway = sharedGateway({ variables: { INFERENCE_BODY_LIMIT: '64KiB' } });
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  beforeEach(() => {
    gateway.alpha.received.length = 0;
  });

  const send = (path: string, json: object): Promise<Answer<ErrorBody>> =>
    gateway.app.api.post(path, { key: key.plaintext, json });

  it.each(WRONG_BODIES)('to %s with a 400 has a record without anything that it says', async (path, body) => {
    const log = { is_observability_io_logging_enabled: true };
    await gateway.app.api.patch(`/workspaces/${organization.workspaceId}`, {
      key: organization.managementKey,
      json: log,
    });
    const answer = await send(path, body);

    expect(answer.status).toBe(400);
    const record = await gateway.record(answer, key);
    expect(record).toMatchObject({
      request_id: answer.headers.get('x-request-id'),
      status: 400,
      refusal: answer.body.error.metadata.reason,
      api_type: path === EMBEDDINGS ? 'embeddings' : 'completions',
      model: 'acme/writer',
      streamed: path !== EMBEDDINGS,
      workspace_id: organization.workspaceId,
      total_cost: 0,
      tokens_prompt: null,
      external_user: null,
      session_id: null,
      provider_responses: [],
    });
    const [row] = await gateway.app.rows('SELECT g::text AS stored, content FROM generations g WHERE id = $1', [
      record.id,
    ]);
    expect(row!['stored']).not.toContain(SECRET);
    expect(row!['content']).toBeNull();
    expect(gateway.alpha.received).toEqual([]);
  });

  it.each(WRONG_BODIES)('to %s with a 400 says its kind in error_type', async (path, body) => {
    const answer = await send(path, body);
    expect([answer.status, answer.body.error.metadata]).toMatchObject([400, { error_type: 'invalid_request' }]);
  });

  it.each([
    [401, 'authentication', {}],
    [403, 'permission_denied', { key: 'management' }],
    [413, 'payload_too_large', { key: 'inference', user: 'x'.repeat(70_000) }],
  ])('with a %i says %s in error_type', async (status, type, { key: kind, ...fields }: Record<string, string>) => {
    const keys: Record<string, string> = { management: organization.managementKey, inference: key.plaintext };
    const json = { messages: QUESTION, ...fields };
    const answer = await gateway.app.api.post<ErrorBody>(CHAT, { ...(kind && { key: keys[kind]! }), json });
    expect([answer.status, answer.body.error.metadata]).toMatchObject([status, { error_type: type }]);
  });

  it('with a 400 has no name of a model in its record that the catalog does not have', async () => {
    const wrong = { messages: [], models: [SECRET] };
    const answers = [await send(CHAT, { ...wrong, model: SECRET }), await send(CHAT, wrong), await send(CHAT, {})];
    for (const answer of answers) {
      expect(answer.status).toBe(400);
      expect((await gateway.record(answer, key)).model).toBe('');
    }
    const named = await send(CHAT, { messages: [], model: 'ACME/writer:nitro@preset/mine' });
    expect([named.status, (await gateway.record(named, key)).model]).toEqual([400, 'acme/writer']);
  });

  it.each([
    [400, 'malformed_json', JSON_TYPE, '{"model": '],
    [400, 'invalid_parameters', JSON_TYPE, '"text"'],
    [400, 'unsupported_content_type', 'text/plain', '{}'],
    [413, 'body_too_large', JSON_TYPE, JSON.stringify({ messages: QUESTION, user: 'x'.repeat(70_000) })],
  ])('with a %i for %s has a record', async (status, refusal, type, raw) => {
    const headers = { 'content-type': type };
    const answer = await gateway.app.api.post<ErrorBody>(CHAT, { key: key.plaintext, raw, headers });

    expect([answer.status, answer.body.error.metadata.reason]).toEqual([status, refusal]);
    expect(await gateway.record(answer, key)).toMatchObject({ status, refusal, model: '', streamed: false });
  });

  it('has its record under the id in the answer, also in the Messages form: 400', async () => {
    const answer = await gateway.app.api.post<{ request_id: string }>('/messages', { key: key.plaintext, json: {} });
    expect([answer.status, answer.body.request_id]).toEqual([400, answer.headers.get('x-generation-id')]);
  });

  it('has none where its key is none of the operation: 403, nor without a key: 401', async () => {
    const json = { messages: [] };
    const [management, stranger] = [
      await gateway.app.api.post(CHAT, { key: organization.managementKey, json }),
      await gateway.app.api.post(CHAT, { json }),
    ];
    expect([management.status, stranger.status]).toEqual([403, 401]);
    for (const { headers } of [management, stranger]) expect(headers.get('x-generation-id')).toBeNull();
  });

  it('with a 400 counts as a request, shows what is left, and gives back its tokens', async () => {
    const limited = await gateway.app.factory.key(organization, { requestsPerMinute: 3, tokensPerMinute: 1_000 });
    const ask = (json: object): Promise<Answer> => gateway.app.api.post(CHAT, { key: limited.plaintext, json });
    const left = ({ status, headers }: Answer): unknown[] => [status, headers.get('x-ratelimit-remaining-requests')];

    expect(left(await ask({}))).toEqual([400, '2']);
    const answered = await ask({ model: 'gatehouse/echo', messages: QUESTION });
    expect(left(answered)).toEqual([200, '1']);
    // What is expected of the question alone.
    expect(answered.headers.get('x-ratelimit-remaining-tokens')).toBe('997');
    expect(left(await ask({}))).toEqual([400, '0']);
    // It stays what it is, and counts no more.
    expect(left(await ask({}))).toEqual([400, '0']);
    expect(left(await ask({ model: 'gatehouse/echo', messages: QUESTION }))).toEqual([429, '0']);
  });

  it('with a 400 tells clients of the Messages form what is left in their own words', async () => {
    const limited = await gateway.app.factory.key(organization, { requestsPerMinute: 3 });
    const { status, headers } = await gateway.app.api.post('/messages', { key: limited.plaintext, json: {} });
    expect([status, headers.get('anthropic-ratelimit-requests-remaining')]).toEqual([400, '2']);
    const chat = await gateway.app.api.post(CHAT, { key: limited.plaintext, json: {} });
    expect([chat.status, chat.headers.get('anthropic-ratelimit-requests-remaining')]).toEqual([400, null]);
  });
});

describe('records of early refusals', () => {
  const gateway = sharedGateway({
    variables: {
      REFUSAL_RECORDS_PER_KEY: '4',
      REFUSAL_RECORDS_PER_ORGANIZATION: '6',
      METRICS_TOKEN: 'a-token-of-at-least-32-characters',
    },
  });

  const refuse = async (
    { plaintext }: IssuedCredential,
    times: number,
  ): Promise<{ statuses: Set<number>; recorded: number }> => {
    const answers: Answer[] = await Promise.all(
      Array.from({ length: times }, () => gateway.app.api.post(CHAT, { key: plaintext, json: {} })),
    );
    const ids = answers.map(({ headers }) => headers.get('x-generation-id')).filter((id) => id !== null);
    const rows = await gateway.app.rows('SELECT FROM generations WHERE id = ANY ($1)', [ids]);
    expect(rows).toHaveLength(ids.length);
    return { statuses: new Set(answers.map(({ status }) => status)), recorded: ids.length };
  };

  it('are as many as a key and its organization may have in a minute; each further 400 is only counted', async () => {
    // All of it within one minute of the clock, by which records are counted.
    jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    const organization = await gateway.app.factory.organization();
    const keys = [await gateway.app.factory.key(organization), await gateway.app.factory.key(organization)];
    const stranger = await gateway.app.factory.key(await gateway.app.factory.organization());
    const statuses = new Set([400]);

    expect(await refuse(keys[0]!, 10)).toEqual({ statuses, recorded: 4 });
    expect(await refuse(keys[1]!, 10)).toEqual({ statuses, recorded: 2 });
    expect(await refuse(stranger, 3)).toEqual({ statuses, recorded: 3 });
    jest.restoreAllMocks();
    const { text } = await fetch(`${gateway.app.origin}/metrics`, {
      headers: { authorization: 'Bearer a-token-of-at-least-32-characters' },
    }).then(async (response) => ({ text: await response.text() }));
    expect(text).toContain('gatehouse_inference_unrecorded_refusals_total 14');
    expect(text).toContain('gatehouse_inference_refusals_total{reason="invalid_parameters"} 23');
  });
});

describe('an early refusal without a record', () => {
  it('gives back its tokens like one with a record: 400 and 200', async () => {
    const gateway = await TestGateway.start({ variables: { REFUSAL_RECORDS_PER_KEY: '0' } });
    gateway.reset();
    const limits = { requestsPerMinute: 100, tokensPerMinute: 1_000 };
    const limited = await gateway.app.factory.key(await gateway.app.factory.organization(), limits);
    const statuses: number[] = [];
    for (let time = 0; time < 5; time += 1) statuses.push((await gateway.ask(limited, { messages: 'none' })).status);
    const answered = await gateway.ask(limited);
    await gateway.stop();

    expect([...statuses, answered.status]).toEqual([400, 400, 400, 400, 400, 200]);
    // What is expected of the question alone.
    expect(answered.headers.get('x-ratelimit-remaining-tokens')).toBe('997');
  });
});

describe('records of what the limit on requests of an organization refuses', () => {
  it('are bounded, and a 429 has no headers of limits per minute, while others are answered with 200', async () => {
    const gateway = await TestGateway.start({
      variables: { ORGANIZATION_REQUESTS_PER_MINUTE: '3', REFUSAL_RECORDS_PER_KEY: '2' },
    });
    gateway.reset();
    // Not made over HTTP, which would count.
    const [organization, other] = [await gateway.app.factory.organization(), await gateway.app.factory.organization()];
    const limited = await gateway.app.factory.key(organization, { requestsPerMinute: 100 });
    jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    const answers: Answer[] = [];
    for (let request = 0; request < 7; request += 1) answers.push(await gateway.ask(limited));
    const free = await gateway.ask(await gateway.app.factory.key(other));
    jest.restoreAllMocks();
    const rows = await gateway.app.rows(
      `SELECT id, status, workspace_id, model, details->>'refusal' AS refusal FROM generations
        WHERE key_id = $1 AND status <> 200`,
      [limited.id],
    );
    await gateway.stop();

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429, 429, 429]);
    const refused = answers.slice(3);
    const ids = refused.map(({ headers }) => headers.get('x-generation-id')).filter((id) => id !== null);
    expect(ids).toHaveLength(2);
    expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(ids));
    for (const row of rows) {
      expect(row).toMatchObject({
        status: 429,
        refusal: 'organization_request_rate',
        workspace_id: organization.workspaceId,
        model: '',
      });
    }
    expect(refused.map(({ headers }) => headers.get('x-ratelimit-limit-requests'))).toEqual(Array(4).fill(null));
    expect(free.status).toBe(200);
  });
});
