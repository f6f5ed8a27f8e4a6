import { createHash } from 'node:crypto';
import { readEnvironment } from '../../../config/environment.js';
import { ProviderServer } from '../../../../test/support/network/provider-server.js';
import { UpstreamAuthorization } from '../../providers/credentials/upstream-authorization.js';
import { InspectorJudge } from '../judging/inspector-judge.js';
import type { Inspection, Judgement } from '../judging/judgement.js';
import {
  AMAZON,
  blocked,
  CASES,
  changed,
  passed,
  REQUESTS,
  RESPONSE,
  spans,
  TEXTS,
} from './inspection-protocols.fixture.js';
import { INSPECTION_PROTOCOLS, INSPECTOR_PROTOCOLS, type ServerProtocol } from './inspection-protocols.js';

const KEY = 'service-key-0123456789';

const PROTOCOLS = INSPECTOR_PROTOCOLS.filter((name) => name !== 'model');

describe('the protocol of an inspector', () => {
  let guard: ProviderServer;
  const environment = readEnvironment({ ALLOW_PRIVATE_DESTINATIONS: 'true' });
  const judge = new InspectorJudge(environment, new UpstreamAuthorization(environment));

  beforeAll(async () => {
    guard = await ProviderServer.start();
  });
  afterAll(async () => {
    await judge.onApplicationShutdown();
    await guard.stop();
  });

  const judged = (
    protocol: ServerProtocol,
    settings: object = {},
    of: Partial<Inspection> = {},
    apiKey: string | null = KEY,
  ): Promise<Judgement> =>
    judge.judgeNow(
      {
        id: 'one',
        organizationId: 'org_1',
        name: 'Guard',
        protocol,
        url: guard.baseUrl,
        settings,
        appliesTo: ['request'],
        mode: 'enforce',
        onFailure: 'block',
        timeoutMs: 600_000,
        window: 'whole',
        secrets: { apiKey, signingSecret: null, headers: {} },
        version: 'one',
      },
      { place: 'request', texts: TEXTS, context: {}, ...of },
    );

  const cases = PROTOCOLS.flatMap((protocol) =>
    Object.entries(CASES[protocol]).map(([name, rest]) => [protocol, name, rest] as const),
  );

  it.each(cases)('%s understands %s', async (protocol, _, { settings, of, answer, becomes }) => {
    guard.answerJson(answer);
    expect(await judged(protocol, settings, of)).toMatchObject(becomes);
  });

  it.each(PROTOCOLS)('%s takes no odd answer for a pass', async (protocol) => {
    for (const answer of [null, 1, 'NONE', {}, [1], [null], { results: 1 }, { action: null }, { verdict: null }]) {
      guard.answerJson(answer);
      expect([answer, (await judged(protocol, REQUESTS[protocol].settings)).outcome]).toEqual([answer, 'failed']);
    }
  });

  it.each(PROTOCOLS)('%s sends texts and key in its form', async (protocol) => {
    guard.answerJson({});
    const { settings, path, key, body } = REQUESTS[protocol];
    await judged(protocol, settings);
    const [{ headers, ...sent }] = guard.received as [(typeof guard.received)[number]];
    expect(sent).toMatchObject({ method: 'POST', path, body });
    expect(headers[key]).toBe(key === 'authorization' ? `Bearer ${KEY}` : KEY);
    expect(headers['webhook-id'] !== undefined).toBe(INSPECTION_PROTOCOLS[protocol].isSigned);
  });

  it.each<[protocol: ServerProtocol, path: RegExp, body: object]>([
    ['texts', /./, { input_type: 'response' }],
    ['messages', /\/response$/, { body: { choices: [{ message: { role: 'assistant', content: 'Hi Jane' } }] } }],
    ['portkey', /./, { eventType: 'afterRequestHook', response: { text: 'Hi Jane', statusCode: 200 } }],
    ['bedrock', /./, { source: 'OUTPUT' }],
    ['azure-prompt-shields', /./, { userPrompt: '', documents: TEXTS }],
    ['model-armor', /:sanitizeModelResponse$/, { modelResponseData: { text: 'Hi Jane' } }],
    ['lakera', /./, { messages: [{ role: 'assistant', content: 'Hi Jane' }] }],
  ])('%s tells answers from requests', async (protocol, path, body) => {
    guard.answerJson({});
    await judged(protocol, REQUESTS[protocol].settings, RESPONSE);
    expect(guard.received[0]).toMatchObject({ path: expect.stringMatching(path) as string, body });
  });

  it('bedrock signs requests with keys of Amazon', async () => {
    guard.answerJson({ action: 'NONE', outputs: [], assessments: [] });
    const keys = { access_key_id: 'AKIA0123456789ABCDEF', secret_access_key: 'secret-0123456789' };
    expect(await judged('bedrock', AMAZON, {}, JSON.stringify(keys))).toMatchObject(passed);
    const { headers, body } = guard.received[0]!;
    expect(headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIA0123456789ABCDEF\/\d{8}\/eu-central-1\/bedrock\/aws4_request, /,
    );
    expect(headers['x-amz-content-sha256']).toBe(createHash('sha256').update(JSON.stringify(body)).digest('hex'));
  });

  it('asks a service of short texts about pieces, and puts their changes where they were', async () => {
    guard.answerWith((response, { body }) => {
      const { text } = body as { text: string };
      const start = text.indexOf('Jane');
      response.end(JSON.stringify(start < 0 ? [] : spans(['PERSON', start, start + 4])));
    });
    const filler = 'word '.repeat(10_000);
    const texts = [`${filler}Jane ${filler}Jane`, 'nothing', 'Jane'];
    expect(await judged('presidio', {}, { texts })).toMatchObject(
      changed(`${filler}[PERSON] ${filler}[PERSON]`, 'nothing', '[PERSON]'),
    );
    expect(guard.received.length).toBeGreaterThan(4);
  });

  it('blocks all of several texts when one of them is', async () => {
    guard.answerWith((response, { body }) => {
      const { inputs } = body as { inputs: string[][] };
      response.end(JSON.stringify(inputs.map(([text]) => [{ label: 'INJECTION', score: text === 'bad' ? 1 : 0 }])));
    });
    const texts = [...Array.from({ length: 40 }, (_, index) => `good ${index}`), 'bad'];
    expect(await judged('classifier', { labels: ['INJECTION'] }, { texts })).toMatchObject(blocked('INJECTION'));
  });
});
