import type { Inspection } from '../judging/judgement.js';
import type { ServerProtocol } from './inspection-protocols.js';

export const AMAZON = { region: 'eu-central-1', guardrail_id: 'gr1', guardrail_version: '2' };
const ARMOR = { project: 'my-project', location: 'europe-west4', template: 'strict' };

/** What Presidio says that it has found. */
export const spans = (...found: [entity_type: string, start: unknown, end: unknown, score?: unknown][]): object[] =>
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

export const passed = { outcome: 'passed' };
/** Texts that an inspector blocks. */
export const blocked = (reason: string): object => ({ outcome: 'blocked', reason });
/** Texts that an inspector changes. */
export const changed = (...texts: string[]): object => ({ outcome: 'changed', texts });
const failed = { outcome: 'failed' };

/** An answer of a service, and what becomes of texts by it. */
export interface Case {
  readonly settings?: object;
  readonly of?: Partial<Inspection>;
  readonly answer: unknown;
  readonly becomes: object;
}

export const TEXTS = ['Hi Jane'];
export const RESPONSE = { place: 'response' } as const;

/** Answers of each protocol, and what becomes of texts by them. */
export const CASES: Readonly<Record<ServerProtocol, Readonly<Record<string, Case>>>> = {
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
export const REQUESTS: Readonly<
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
