import { setTimeout as delay } from 'node:timers/promises';
import { readEnvironment } from '../../../config/environment.js';
import type { InspectorMetrics, Metrics } from '../../../telemetry/metrics/metrics.js';
import { ProviderServer } from '../../../../test/support/network/provider-server.js';
import { until } from '../../../../test/support/time/until.js';
import { UpstreamAuthorization } from '../../providers/credentials/upstream-authorization.js';
import { NO_SECRETS } from '../inspector-secrets.js';
import { InspectorJudge } from './inspector-judge.js';
import type { Inspection, Judgement, ReadyInspector } from './judgement.js';

const TEXTS = ['Hello Jane', 'x'];

describe('the judge', () => {
  let guard: ProviderServer;
  const counted: unknown[] = [];
  const inspectors: InspectorMetrics = {
    request: (protocol, outcome) => counted.push([protocol, outcome]),
    breaker: (protocol, change) => counted.push([protocol, change]),
  };

  const judgeWith = (variables: Readonly<Record<string, string>>): InspectorJudge => {
    const environment = readEnvironment({ ALLOW_PRIVATE_DESTINATIONS: 'true', ...variables });
    return new InspectorJudge(environment, new UpstreamAuthorization(environment), {
      inspectors,
    } as unknown as Metrics);
  };
  const judge = judgeWith({});

  beforeAll(async () => {
    guard = await ProviderServer.start();
  });
  beforeEach(() => (counted.length = 0));
  afterAll(async () => {
    await judge.onApplicationShutdown();
    await guard.stop();
  });

  let version = 0;
  const inspector = (changes: Partial<ReadyInspector> = {}): ReadyInspector => ({
    id: 'one',
    organizationId: 'org_1',
    name: 'Guard',
    protocol: 'texts',
    url: guard.baseUrl,
    settings: {},
    appliesTo: ['request'],
    mode: 'enforce',
    onFailure: 'block',
    // No test is as slow as that.
    timeoutMs: 600_000,
    window: 'whole',
    secrets: NO_SECRETS,
    version: `one ${(version += 1)}`,
    ...changes,
  });

  const inspection = (changes: Partial<Inspection> = {}): Inspection => ({
    place: 'request',
    texts: TEXTS,
    context: {},
    ...changes,
  });

  const judged = (changes: Partial<ReadyInspector> = {}, of: Partial<Inspection> = {}): Promise<Judgement> =>
    judge.judge(inspector(changes), inspection(of));

  it('lets texts pass, and tells the inspector whose they are', async () => {
    guard.answerJson({ action: 'NONE' });
    const context = { generationId: 'gen-1', workspaceId: 'w', keyHash: 'h', keyName: 'n', userId: 'u', endUser: 'e' };
    const of = { place: 'response', context: { ...context, sessionId: 's', model: 'm' } } as const;
    expect(await judged({}, of)).toEqual({ outcome: 'passed', milliseconds: expect.any(Number) as number });
    expect(guard.received[0]!.body).toEqual({
      texts: TEXTS,
      input_type: 'response',
      litellm_call_id: 'gen-1',
      litellm_trace_id: 's',
      model: 'm',
      request_data: {
        user_api_key_org_id: 'org_1',
        user_api_key_hash: 'h',
        user_api_key_alias: 'n',
        user_api_key_user_id: 'u',
        user_api_key_team_id: 'w',
        user_api_key_end_user_id: 'e',
      },
      additional_provider_specific_params: { place: 'response' },
    });
    expect(counted).toEqual([['texts', 'passed']]);
  });

  it('asks no one about white space', async () => {
    guard.answerJson({ action: 'BLOCKED' });
    expect(await judged({}, { texts: ['', ' \n'] })).toMatchObject({ outcome: 'passed' });
    expect(guard.received).toEqual([]);
  });

  it('takes the same texts for no change, and an empty one for one', async () => {
    guard.answerJson({ action: 'GUARDRAIL_INTERVENED', texts: TEXTS });
    expect(await judged()).toMatchObject({ outcome: 'passed' });
    guard.answerJson({ action: 'GUARDRAIL_INTERVENED', texts: ['', 'x'] });
    expect(await judged()).toMatchObject({ outcome: 'changed', texts: ['', 'x'] });
  });

  it('makes halves of characters in a changed text whole', async () => {
    guard.answerJson({ action: 'GUARDRAIL_INTERVENED', texts: ['a\ud800', 'x'] });
    expect(await judged()).toMatchObject({ outcome: 'changed', texts: ['a\ufffd', 'x'] });
  });

  const longest = 2 * TEXTS[0]!.length + 1_024;

  it('takes a text that is twice as long plus 1,024 characters', async () => {
    guard.answerJson({ action: 'GUARDRAIL_INTERVENED', texts: ['y'.repeat(longest), 'x'] });
    expect(await judged()).toMatchObject({ outcome: 'changed' });
  });

  const answers: Readonly<Record<string, () => void>> = {
    'a 500': () => guard.answerJson({ action: 'NONE' }, 500),
    'a redirect': () => guard.answerJson({ action: 'NONE' }, 307, { location: `${guard.baseUrl}/elsewhere` }),
    'no JSON': () => guard.answerStream('action: NONE'),
    'an empty answer': () => guard.answerStream(''),
    'a list': () => guard.answerJson([]),
    null: () => guard.answerJson(null),
    'another action': () => guard.answerJson({ action: 'none' }),
    'an action that is inherited': () => guard.answerJson({ __proto__: { action: 'NONE' } }),
    'no texts': () => guard.answerJson({ action: 'GUARDRAIL_INTERVENED' }),
    'fewer texts': () => guard.answerJson({ action: 'GUARDRAIL_INTERVENED', texts: ['a'] }),
    'more texts': () => guard.answerJson({ action: 'GUARDRAIL_INTERVENED', texts: ['a', 'b', 'c'] }),
    'a text that is none': () => guard.answerJson({ action: 'GUARDRAIL_INTERVENED', texts: ['a', 1] }),
    'a text that is too long': () =>
      guard.answerJson({ action: 'GUARDRAIL_INTERVENED', texts: ['y'.repeat(longest + 1), 'x'] }),
    'a deep answer': () => guard.answerStream(`{"action":"NONE","x":${'['.repeat(17)}${']'.repeat(17)}}`),
    'a large answer': () => guard.answerStream(`{"action":"NONE","x":"${'x'.repeat(4_194_304)}"}`),
    'an answer that breaks off': () =>
      guard.answerWith((response) => {
        response.writeHead(200, { 'content-length': 100 }).write('{"action":"NONE"');
        setImmediate(() => response.destroy());
      }),
    'no answer': () => guard.answerWith((response) => void response.destroy()),
  };

  it.each(Object.keys(answers))(
    'takes %s for a failure, which blocks or lets pass as the inspector says',
    async (name) => {
      answers[name]!();
      const failure = { outcome: 'failed', failure: expect.any(String) as string };
      expect(await judged()).toMatchObject({ ...failure, letsPass: false });
      expect(await judged({ onFailure: 'pass' })).toMatchObject({ ...failure, letsPass: true });
      expect(await judged({ mode: 'observe' })).toMatchObject({ ...failure, letsPass: true });
      expect(counted).toEqual([1, 2, 3].map(() => ['texts', 'failed']));
      expect(guard.received).toHaveLength(3);
    },
  );

  it('says of a failure neither texts nor addresses nor secrets', async () => {
    const secrets = { apiKey: 'key-0123456789', signingSecret: null, headers: { 'x-secret': 'header-0123456789' } };
    for (const answer of Object.values(answers)) {
      answer();
      const told = JSON.stringify(await judged({ secrets }));
      for (const hidden of ['Jane', '127.0.0.1', '0123456789']) expect(told).not.toContain(hidden);
    }
  });

  it.each<[where: string, answer: () => void]>([
    ['before the head', () => guard.answerWith(() => undefined)],
    [
      'within the body, however often a byte comes',
      () =>
        guard.answerWith(async (response) => {
          response.writeHead(200);
          while (!response.destroyed) {
            response.write(' ');
            await delay(5);
          }
        }),
    ],
  ])('gives up an inspector that is slow %s', async (_, answer) => {
    answer();
    expect(await judged({ timeoutMs: 50 })).toMatchObject({
      outcome: 'failed',
      failure: expect.stringMatching(/long/) as string,
    });
  });

  it('fails within its time while others of the organization are judged', async () => {
    guard.answerWith(() => undefined);
    const gone = new AbortController();
    const waiting = Array.from({ length: 32 }, () =>
      judge.judge(inspector(), inspection(), gone.signal).catch((error: unknown) => error),
    );
    await until(() => Promise.resolve(guard.received.length === 32));
    expect(await judged({ timeoutMs: 50 })).toMatchObject({ outcome: 'failed' });
    expect(guard.received).toHaveLength(32);
    const reason = new Error('gone');
    gone.abort(reason);
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([reason]));
  });

  it.each(['http://127.0.0.1:9', 'http://169.254.169.254', 'http://localhost:9'])(
    'never calls %s where private addresses are not allowed',
    async (url) => {
      const careful = judgeWith({ ALLOW_PRIVATE_DESTINATIONS: 'false' });
      const judgement = await careful.judge(inspector({ url }), inspection());
      expect(judgement).toMatchObject({ outcome: 'failed', failure: 'the address leads into a private network' });
      await careful.onApplicationShutdown();
    },
  );

  it('never calls a metadata service, not even where private addresses are allowed', async () => {
    expect(await judged({ url: 'http://169.254.169.254' })).toMatchObject({
      outcome: 'failed',
      failure: 'the address leads into a private network',
    });
  });

  it('fails without its secrets, and for texts that are too large', async () => {
    guard.answerJson({ action: 'NONE' });
    expect(await judged({ secrets: undefined })).toMatchObject({ outcome: 'failed' });
    expect(await judged({}, { texts: ['x'.repeat(8_388_608)] })).toMatchObject({
      outcome: 'failed',
      failure: 'the texts are too large for a request',
    });
    expect(guard.received).toEqual([]);
  });

  it('does not ask after five failures in a row, and asks again after a change', async () => {
    guard.answerJson({}, 503);
    const broken = inspector();
    for (let count = 0; count < 5; count += 1) await judge.judge(broken, inspection());
    guard.answerJson({ action: 'NONE' });
    expect(await judge.judge(broken, inspection())).toMatchObject({ outcome: 'failed', letsPass: false });
    expect(guard.received).toEqual([]);
    expect(counted.slice(-2)).toEqual([
      ['texts', 1],
      ['texts', 'not_asked'],
    ]);
    expect(await judge.judge({ ...broken, version: 'changed' }, inspection())).toMatchObject({ outcome: 'passed' });
  });

  it('does not take clients that leave, and its own faults, for failures of the inspector', async () => {
    guard.answerWith(() => undefined);
    const one = inspector();
    for (let count = 0; count < 6; count += 1) {
      const gone = new AbortController();
      const judgement = judge.judge(one, inspection(), gone.signal);
      await until(() => Promise.resolve(guard.received.length === count + 1));
      gone.abort(new Error('gone'));
      await expect(judgement).rejects.toThrow('gone');
      await judge.judge({ ...one, secrets: undefined }, inspection());
    }
    guard.answerJson({ action: 'NONE' });
    expect(await judge.judge(one, inspection())).toMatchObject({ outcome: 'passed' });
  });
});
