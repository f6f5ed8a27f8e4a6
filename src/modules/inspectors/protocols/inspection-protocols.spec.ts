import { createHash } from 'node:crypto';
import { readEnvironment } from '../../../config/environment.js';
import { ProviderServer } from '../../../../test/support/network/provider-server.js';
import { UpstreamAuthorization } from '../../providers/credentials/upstream-authorization.js';
import { InspectorJudge } from '../judging/inspector-judge.js';
import type { Inspection, Judgement } from '../judging/judgement.js';
import { INSPECTION_PROTOCOLS, INSPECTOR_PROTOCOLS, type ServerProtocol } from './inspection-protocols.js';

const KEY = 'service-key-0123456789';

const PROTOCOLS = INSPECTOR_PROTOCOLS.filter((name) => name !== 'model');

const AMAZON = { region: 'eu-central-1', guardrail_id: 'gr1', guardrail_version: '2' };
const ARMOR = { project: 'my-project', location: 'europe-west4', template: 'strict' };

const spans = (...found: [entity_type: string, start: unknown, end: unknown, score?: unknown][]): object[] =>
  found.map(([entity_type, start, end, score = 0.9]) => ({ entity_type, start, end, score }));

const assessed = (assessment: object, outputs: readonly string[] = []): object => ({
  action: 'GUARDRAIL_INTERVENED',
  outputs: outputs.map((text) => ({ text })),
  assessments: [assessment],
  usage: { topicPolicyUnits: 1 },
});

const pii = (...actions: string[]): object => ({
  sensitiveInformationPolicy: {
    piiEntities: actions.map((action) => ({ type: 'NAME', match: 'Jane', action })),
    regexes: [],
  },
});

const armored = (filterResults: object): object => ({
  sanitizationResult: { filterMatchState: 'MATCH_FOUND', filterResults, invocationResult: 'SUCCESS' },
});

const shielded = (isAttack: unknown): object => ({
  userPromptAnalysis: { attackDetected: isAttack },
  documentsAnalysis: [{ attackDetected: isAttack }],
});

const guarded = (detectors: readonly string[], payload: readonly object[] = []): object => ({
  flagged: true,
  payload,
  breakdown: [
    ...detectors.map((detector_type) => ({ detector_type, detected: true })),
    { detector_type: 'moderated_content/hate', detected: false },
  ],
});

const passed = { outcome: 'passed' };
const blocked = (reason: string): object => ({ outcome: 'blocked', reason });
const changed = (...texts: string[]): object => ({ outcome: 'changed', texts });
const failed = { outcome: 'failed' };

interface Case {
  readonly settings?: object;
  readonly of?: Partial<Inspection>;
  readonly answer: unknown;
  readonly becomes: object;
}

const TEXTS = ['Hi Jane'];
const RESPONSE = { place: 'response' } as const;

/** Answers of each protocol, and what becomes of texts by them. */
const CASES: Readonly<Record<ServerProtocol, Readonly<Record<string, Case>>>> = {
  texts: {
    NONE: { answer: { action: 'NONE' }, becomes: passed },
    BLOCKED: { answer: { action: 'BLOCKED', blocked_reason: 'no' }, becomes: blocked('no') },
    GUARDRAIL_INTERVENED: {
      answer: { action: 'GUARDRAIL_INTERVENED', texts: ['Hi [NAME]'] },
      becomes: changed('Hi [NAME]'),
    },
  },
  messages: {
    'an action without a body': { answer: { action: { reason: 'fine' } }, becomes: passed },
    'an action that is empty': { answer: { action: {} }, becomes: passed },
    'a text and a status': { answer: { action: { body: 'no', status_code: 403 } }, becomes: blocked('no') },
    'a text, a status and a reason': {
      answer: { action: { body: 'no', status_code: 403, reason: 'pii' } },
      becomes: blocked('pii'),
    },
    messages: {
      answer: { action: { body: { messages: [{ role: 'user', content: 'Hi X' }] } } },
      becomes: changed('Hi X'),
    },
    choices: {
      of: RESPONSE,
      answer: { action: { body: { choices: [{ message: { role: 'assistant', content: 'Hi X' } }] } } },
      becomes: changed('Hi X'),
    },
    'choices of a request': { answer: { action: { body: { choices: [] } } }, becomes: failed },
    'a status alone': { answer: { action: { status_code: 403 } }, becomes: failed },
    'more messages': {
      answer: { action: { body: { messages: [{ content: 'a' }, { content: 'b' }] } } },
      becomes: failed,
    },
    'no action': { answer: {}, becomes: failed },
  },
  portkey: {
    true: { answer: { verdict: true }, becomes: passed },
    'true without a change': {
      answer: { verdict: true, transformedData: { request: { json: null } } },
      becomes: passed,
    },
    false: { answer: { verdict: false, data: { reason: 'no' } }, becomes: blocked('no') },
    messages: {
      answer: { verdict: true, transformedData: { request: { json: { messages: [{ content: 'Hi X' }] } } } },
      becomes: changed('Hi X'),
    },
    choices: {
      of: RESPONSE,
      answer: {
        verdict: true,
        transformedData: { response: { json: { choices: [{ message: { content: 'Hi X' } }] } } },
      },
      becomes: changed('Hi X'),
    },
    'a verdict of another form': { answer: { verdict: 'true' }, becomes: failed },
  },
  bedrock: {
    NONE: { settings: AMAZON, answer: { action: 'NONE', outputs: [], assessments: [] }, becomes: passed },
    'what is masked': {
      settings: AMAZON,
      answer: assessed(pii('ANONYMIZED', 'NONE'), ['Hi {NAME}']),
      becomes: changed('Hi {NAME}'),
    },
    'what is masked and blocked': {
      settings: AMAZON,
      answer: assessed(pii('ANONYMIZED', 'BLOCKED'), ['no']),
      becomes: blocked('sensitiveInformationPolicy NAME'),
    },
    'a topic': {
      settings: AMAZON,
      answer: assessed({ topicPolicy: { topics: [{ name: 'Finance', type: 'DENY', action: 'BLOCKED' }] } }, ['no']),
      becomes: blocked('topicPolicy DENY'),
    },
    'words, without what they are': {
      settings: AMAZON,
      answer: assessed({ wordPolicy: { customWords: [{ match: 'Jane', action: 'BLOCKED' }] } }, ['no']),
      becomes: blocked('wordPolicy'),
    },
    'an intervention without a finding': { settings: AMAZON, answer: assessed({}, ['no']), becomes: blocked('') },
    'another action': { settings: AMAZON, answer: { action: 'MAYBE' }, becomes: failed },
  },
  'azure-content-safety': {
    'what is mild': {
      settings: { threshold: 4 },
      answer: { blocklistsMatch: [], categoriesAnalysis: [{ category: 'Hate', severity: 2 }] },
      becomes: passed,
    },
    'what is severe': {
      answer: {
        categoriesAnalysis: [
          { category: 'Hate', severity: 2 },
          { category: 'Sexual', severity: 0 },
        ],
      },
      becomes: blocked('Hate'),
    },
    'a match of a blocklist': {
      settings: { blocklists: ['names'] },
      answer: { blocklistsMatch: [{ blocklistItemText: 'Jane' }], categoriesAnalysis: [] },
      becomes: blocked('blocklist'),
    },
    'no analysis': { answer: {}, becomes: failed },
  },
  'azure-prompt-shields': {
    'no attack': { answer: shielded(false), becomes: passed },
    'an attack': { answer: shielded(true), becomes: blocked('attack') },
    'an attack in a document': { of: { place: 'tool_result' }, answer: shielded(true), becomes: blocked('attack') },
    'no analysis of the document': { of: { place: 'tool_result' }, answer: { documentsAnalysis: [] }, becomes: failed },
    'another form': { answer: shielded('no'), becomes: failed },
  },
  'model-armor': {
    'no match': {
      settings: ARMOR,
      answer: { sanitizationResult: { filterMatchState: 'NO_MATCH_FOUND', filterResults: {} } },
      becomes: passed,
    },
    'a match of a filter': {
      settings: ARMOR,
      answer: armored({
        pi_and_jailbreak: { piAndJailbreakFilterResult: { matchState: 'MATCH_FOUND' } },
        rai: { raiFilterResult: { matchState: 'NO_MATCH_FOUND' } },
      }),
      becomes: blocked('pi_and_jailbreak'),
    },
    'what is deidentified': {
      settings: ARMOR,
      answer: armored({
        sdp: { sdpFilterResult: { deidentifyResult: { matchState: 'MATCH_FOUND', data: { text: 'Hi [X]' } } } },
      }),
      becomes: changed('Hi [X]'),
    },
    'what is only inspected': {
      settings: ARMOR,
      answer: armored({ sdp: { sdpFilterResult: { inspectResult: { matchState: 'MATCH_FOUND' } } } }),
      becomes: blocked('sdp'),
    },
    'what is deidentified beside another match': {
      settings: ARMOR,
      answer: armored({
        csam: { csamFilterFilterResult: { matchState: 'MATCH_FOUND' } },
        sdp: { sdpFilterResult: { deidentifyResult: { matchState: 'MATCH_FOUND', data: { text: 'Hi' } } } },
      }),
      becomes: blocked('csam, sdp'),
    },
    'an unknown state': {
      settings: ARMOR,
      answer: { sanitizationResult: { filterMatchState: 'FILTER_MATCH_STATE_UNSPECIFIED' } },
      becomes: failed,
    },
  },
  lakera: {
    nothing: { answer: { flagged: false }, becomes: passed },
    'an attack': { answer: guarded(['prompt_attack']), becomes: blocked('prompt_attack') },
    'personal data alone': {
      of: { texts: ['🙂 Jane', 'x'] },
      answer: guarded(['pii/name'], [{ message_id: 0, start: 2, end: 6, detector_type: 'pii/name' }]),
      becomes: changed('🙂 [NAME]', 'x'),
    },
    'personal data beside an attack': {
      answer: guarded(['pii/name', 'prompt_attack'], [{ message_id: 0, start: 3, end: 7, detector_type: 'pii/name' }]),
      becomes: blocked('pii/name, prompt_attack'),
    },
    'personal data without places': { answer: guarded(['pii/name']), becomes: blocked('pii/name') },
    'an offset outside': {
      answer: guarded(['pii/name'], [{ message_id: 0, start: 3, end: 99, detector_type: 'pii/name' }]),
      becomes: failed,
    },
    'another message': {
      answer: guarded(['pii/name'], [{ message_id: 1, start: 0, end: 1, detector_type: 'pii/name' }]),
      becomes: failed,
    },
    'no word': { answer: {}, becomes: failed },
  },
  'openai-moderation': {
    nothing: { answer: { results: [{ flagged: false, categories: { violence: false } }] }, becomes: passed },
    'what is flagged': {
      answer: { results: [{ flagged: true, categories: { violence: true, hate: false } }] },
      becomes: blocked('violence'),
    },
    'another category than asked for': {
      settings: { categories: ['hate'] },
      answer: { results: [{ flagged: true, categories: { violence: true, hate: false } }] },
      becomes: passed,
    },
    'fewer results': { answer: { results: [] }, becomes: failed },
  },
  presidio: {
    nothing: { answer: [], becomes: passed },
    'entities, one in another': {
      of: { texts: ['🙂 Jane Roe of Acme'] },
      answer: spans(['ORGANIZATION', 14, 18], ['PERSON', 2, 10], ['FIRST_NAME', 2, 6]),
      becomes: changed('🙂 [PERSON] of [ORGANIZATION]'),
    },
    'what blocks': { settings: { action: 'block' }, answer: spans(['PERSON', 3, 7]), becomes: blocked('PERSON') },
    'a low score': { settings: { score_threshold: 0.6 }, answer: spans(['PERSON', 3, 7, 0.5]), becomes: passed },
    'an offset that is none': { answer: spans(['PERSON', '3', 7]), becomes: failed },
    'an empty entity': { answer: spans(['PERSON', 3, 3]), becomes: failed },
  },
  classifier: {
    'a harmless label': {
      settings: { labels: ['INJECTION'] },
      answer: [
        [
          { label: 'SAFE', score: 0.9 },
          { label: 'INJECTION', score: 0.1 },
        ],
      ],
      becomes: passed,
    },
    'labels together': {
      settings: { labels: ['injection', 'jailbreak'] },
      answer: [
        [
          { label: 'INJECTION', score: 0.3 },
          { label: 'JAILBREAK', score: 0.3 },
        ],
      ],
      becomes: blocked('INJECTION, JAILBREAK'),
    },
    'no label': { settings: { labels: ['x'] }, answer: [[]], becomes: failed },
    'a score of another form': { settings: { labels: ['x'] }, answer: [[{ label: 'x', score: '1' }]], becomes: failed },
  },
};

/** What each protocol sends for the texts of a request, and where a key goes. */
const REQUESTS: Readonly<
  Record<
    ServerProtocol,
    { readonly settings?: object; readonly path: string; readonly key: string; readonly body: object }
  >
> = {
  texts: {
    path: '/v1/beta/litellm_basic_guardrail_api',
    key: 'x-api-key',
    body: { texts: TEXTS, input_type: 'request' },
  },
  messages: {
    path: '/v1/request',
    key: 'authorization',
    body: { body: { messages: [{ role: 'user', content: 'Hi Jane' }] } },
  },
  portkey: {
    path: '/v1',
    key: 'authorization',
    body: {
      eventType: 'beforeRequestHook',
      request: {
        json: { messages: [{ role: 'user', content: 'Hi Jane' }] },
        text: 'Hi Jane',
        isStreamingRequest: false,
      },
    },
  },
  bedrock: {
    settings: AMAZON,
    path: '/v1/guardrail/gr1/version/2/apply',
    key: 'authorization',
    body: { source: 'INPUT', content: [{ text: { text: 'Hi Jane' } }] },
  },
  'azure-content-safety': {
    settings: { categories: ['Hate'], blocklists: ['names'] },
    path: '/v1/contentsafety/text:analyze?api-version=2024-09-01',
    key: 'ocp-apim-subscription-key',
    body: { text: 'Hi Jane', categories: ['Hate'], blocklistNames: ['names'], haltOnBlocklistHit: true },
  },
  'azure-prompt-shields': {
    path: '/v1/contentsafety/text:shieldPrompt?api-version=2024-09-01',
    key: 'ocp-apim-subscription-key',
    body: { userPrompt: 'Hi Jane', documents: [] },
  },
  'model-armor': {
    settings: ARMOR,
    path: '/v1/v1/projects/my-project/locations/europe-west4/templates/strict:sanitizeUserPrompt',
    key: 'x-goog-api-key',
    body: { userPromptData: { text: 'Hi Jane' } },
  },
  lakera: {
    settings: { project_id: 'p' },
    path: '/v1/v2/guard',
    key: 'authorization',
    body: { messages: [{ role: 'user', content: 'Hi Jane' }], payload: true, breakdown: true, project_id: 'p' },
  },
  'openai-moderation': {
    path: '/v1/moderations',
    key: 'authorization',
    body: { model: 'omni-moderation-latest', input: TEXTS },
  },
  presidio: {
    settings: { entities: ['PERSON'], score_threshold: 0.4 },
    path: '/v1/analyze',
    key: 'authorization',
    body: { text: 'Hi Jane', language: 'en', entities: ['PERSON'], score_threshold: 0.4 },
  },
  classifier: {
    settings: { labels: ['x'] },
    path: '/v1/predict',
    key: 'authorization',
    body: { inputs: [TEXTS], truncate: true },
  },
};

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
