import { EVALUATED_PATHS } from '../../../../src/modules/inference/operations/index.js';
import type { ErrorBody } from '../../../support/network/api-client.js';
import { OPERATIONS } from '../../../operations/operations.js';
import { isOfInference } from '../../../support/expectations/error-envelope.js';
import { imageEndpoint, importCatalog, modelEntry } from '../../../support/resources/catalog-entries.js';
import { architectureOf, OPERATION_SAMPLES, PICTURE } from '../operation-samples.js';
import { sharedGateway } from '../shared-gateway.js';
import { endpoint } from '../test-gateway.js';
import {
  EMAIL,
  type EvaluationBody,
  guardrailEvaluation,
  INJECTION,
  reasonAndPaths,
  REDACT_EMAIL,
} from './guardrail-evaluation.js';

const IN_ORDER = { provider: { order: ['alpha', 'beta'] } };

const QUESTION = 'What is new?';

const ADDRESS = `https://example.com/picture.png?for=${EMAIL}`;

const PATHS = Object.keys(OPERATION_SAMPLES);

const BLOCK_EMAIL = { content_filter_builtins: [{ slug: 'email', action: 'block' }] };

/** Settings of a guardrail, what is asked under them, and what the request is refused with; null where it is not. */
const SETTINGS: readonly (readonly [string, { guardrail: object; text?: string; fields?: object }, string | null])[] = [
  ['nothing in its way', { guardrail: {} }, null],
  ['a redaction', { guardrail: REDACT_EMAIL, text: `Write to ${EMAIL}` }, null],
  ['a filter that blocks', { guardrail: BLOCK_EMAIL, text: `Write to ${EMAIL}` }, 'content_blocked'],
  [
    'a custom filter that blocks',
    {
      guardrail: { content_filters: [{ pattern: 'PROJECT-[0-9]{4}', action: 'block', label: '[PROJECT]' }] },
      text: 'PROJECT-1234',
    },
    'content_blocked',
  ],
  [
    'an injection',
    {
      guardrail: {
        content_filter_builtins: [{ slug: 'regex-prompt-injection', action: 'block', scan_scope: 'user_only' }],
      },
      text: INJECTION[0]!.content,
    },
    'prompt_injection_detected',
  ],
  ['a model that is left out', { guardrail: { allowed_models: ['acme/spare'] } }, 'no_endpoints'],
  ['a provider that is left out', { guardrail: { ignored_providers: ['alpha'] } }, null],
  ['a provider that the request excludes', { guardrail: {}, fields: { provider: { ignore: ['alpha'] } } }, null],
  ['all providers left out', { guardrail: { allowed_providers: ['openai'] } }, 'no_endpoints'],
  ['a region that is not allowed', { guardrail: { allowed_data_regions: ['europe'] } }, 'data_region_not_allowed'],
  ['a budget that is met', { guardrail: { limit_usd: 0, reset_interval: 'daily' } }, 'guardrail_budget_exceeded'],
  [
    'a budget that is too small',
    { guardrail: { limit_usd: 0.00000001, reset_interval: 'daily' } },
    'insufficient_budget',
  ],
  ['an unknown model', { guardrail: {}, fields: { model: 'acme/nothing' } }, 'model_not_found'],
  ['a model of another operation', { guardrail: {}, fields: { model: 'gatehouse/other' } }, 'wrong_endpoint'],
];

const reference = (url: string): object => ({ type: 'image_url', image_url: { url } });

describe('evaluateGuardrail with the request of an operation', () => {
  const gateway = sharedGateway();
  const { organization, guardrail, evaluate, evaluated } = guardrailEvaluation(gateway);

  beforeAll(async () => {
    const models = Object.values(OPERATION_SAMPLES).flatMap(({ model, architecture }) =>
      architecture === undefined ? [] : [{ id: model, fields: { architecture } }],
    );
    const pricing = [{ billable: 'output_image', unit: 'image', cost_usd: 0.02 }];
    await importCatalog(gateway.app, {
      models: [
        ...models.map(({ id, fields }) => modelEntry(id, fields)),
        modelEntry('gatehouse/other', { architecture: architectureOf('text', 'video') }),
      ],
      endpoints: models.map(({ id }) => ({ id, endpoints: [endpoint('alpha'), endpoint('beta')] })),
      image_models: [
        {
          id: 'acme/painter',
          name: 'Painter',
          description: 'It draws.',
          created: 1767312000,
          architecture: { input_modalities: ['text', 'image'], output_modalities: ['image'] },
          endpoints: ['alpha', 'beta'].map((provider) => ({ ...imageEndpoint(provider, {}), pricing })),
        },
      ],
    });
  });

  beforeEach(() => {
    for (const provider of [gateway.alpha, gateway.beta]) {
      provider.answerWith((response, { path }) => {
        if (path.endsWith('/speech')) {
          response.writeHead(200, { 'content-type': 'audio/mpeg' }).end('ID3 the audio of a text');
          return;
        }
        const json = JSON.stringify(OPERATION_SAMPLES[path.replace('/v1/', '')]!.answer);
        response.writeHead(200, { 'content-type': 'application/json' }).end(json);
      });
    }
  });

  const requestOf = (path: string, text = QUESTION, fields: object = {}): object => {
    const { model, request } = OPERATION_SAMPLES[path]!;
    return { model, ...IN_ORDER, ...request(text), ...fields };
  };

  it('is there for every operation of inference, but for other forms of chats and rankings', () => {
    const others = ['completions', 'messages', 'messages/count_tokens', 'responses', 'v2/rerank'];
    const ofInference = Object.entries(OPERATIONS).filter(([id]) => isOfInference(id));
    expect(PATHS).toEqual(EVALUATED_PATHS);
    expect(ofInference.map(([, { path }]) => path.slice(1)).sort()).toEqual([...PATHS, ...others].sort());
  });

  describe.each(PATHS)('answers 200 with what %s itself is answered once the guardrail is assigned:', (path) => {
    it.each(SETTINGS)('%s', async (_, { guardrail: settings, text, fields }, reason) => {
      const id = await guardrail(settings);
      const key = await gateway.app.factory.key(organization);
      const request = requestOf(path, text, fields);

      const evaluation = await evaluated(id, { operation: path, request, api_key_hash: key.hash });
      expect([...gateway.alpha.received, ...gateway.beta.received]).toEqual([]);
      await gateway.assign(organization, key, id);
      const real = await gateway.app.api.post<Partial<ErrorBody>>(`/${path}`, { key: key.plaintext, json: request });

      expect([evaluation.outcome, evaluation.reason]).toEqual([reason === null ? 'admitted' : 'refused', reason]);
      expect(evaluation.status ?? 200).toBe(real.status);
      if (reason === null) {
        const record = await gateway.record(real, key);
        const [candidate] = evaluation.candidates;
        const [received] = (candidate!.provider === 'alpha' ? gateway.alpha : gateway.beta).received;
        const [redacted] = evaluation.content!.redacted_texts as readonly { readonly text: string }[];
        expect([record.model, record.status]).toEqual([candidate!.model, 200]);
        expect(JSON.stringify(received!.body)).toContain(JSON.stringify(redacted?.text ?? text ?? QUESTION));
        expect(JSON.stringify(received!.body)).not.toContain(EMAIL);
      } else {
        const { message, metadata } = real.body.error!;
        expect([evaluation.reason, evaluation.message]).toEqual([metadata.reason, message]);
      }
    });
  });

  it.each(Object.entries(OPERATION_SAMPLES))(
    'answers 200 with the place of a match in a request of %s',
    async (path, { place }) => {
      const id = await guardrail(REDACT_EMAIL);
      const { content, preset } = await evaluated(id, { operation: path, request: requestOf(path, `To ${EMAIL}`) });

      expect(preset).toBeNull();
      expect(content).toMatchObject({
        filters: [{ filter: 'email', count: 1, guardrail_ids: [id] }],
        matches: [{ path: place, offset: 3, length: EMAIL.length }],
        redacted_texts: [{ path: place, text: 'To [EMAIL]' }],
      });
    },
  );

  it.each([
    ['images', 'input_references[1].image_url.url', { input_references: [reference(PICTURE), reference(ADDRESS)] }],
    ['images/edits', 'images[1].image_url', { images: [{ image_url: PICTURE }, { image_url: ADDRESS }] }],
    ['images/edits', 'mask.image_url', { mask: { image_url: ADDRESS } }],
    ['images/generations', '', { style: `As ${EMAIL} likes it` }],
    ['rerank', 'documents[1].text', { documents: ['A text', { text: EMAIL }] }],
    ['embeddings', 'input[0].content[0].text', { input: [{ content: [{ type: 'text', text: EMAIL }] }] }],
    ['audio/speech', 'provider.options', { provider: { options: { alpha: { x: EMAIL } } } }],
  ])('answers 200 with the place of a match in %s as its request has it: %s', async (path, place, fields) => {
    const id = await guardrail(REDACT_EMAIL);
    const { content } = await evaluated(id, { operation: path, request: requestOf(path, 'A text', fields) });

    expect(content!.matches).toMatchObject([{ path: place, filter: 'email', message: null, part: null }]);
  });

  it('answers 200 with no tokens of an answer for vectors and rankings, which have none', async () => {
    const id = await guardrail({});
    for (const path of ['embeddings', 'rerank']) {
      const { admission } = await evaluated(id, { operation: path, request: requestOf(path) });
      expect([path, admission!.worst_case.answer_tokens]).toEqual([path, 0]);
    }
  });

  it.each<[string, string, object | undefined, readonly string[]]>([
    ['an operation that is not known', 'videos', {}, ['operation']],
    ['an operation that is a name of JavaScript', 'toString', {}, ['operation']],
    ['no request', 'rerank', undefined, ['request']],
    ['a request of another operation', 'audio/speech', { model: 'm', messages: [] }, ['request.input']],
    ['a request without its recording', 'audio/transcriptions', { model: 'm' }, ['request.input_audio']],
    ['a size that is none', 'images', { model: 'm', prompt: 'p', size: 'large' }, ['request.size']],
    ['an edit of nothing', 'images/edits', { model: 'm', prompt: 'p' }, ['request.images']],
  ])('answers 400 for %s', async (_, operation, request, paths) => {
    const answer = await evaluate<ErrorBody>(await guardrail({}), { operation, request });

    expect(answer.status).toBe(400);
    expect(reasonAndPaths(answer)).toEqual(['invalid_parameters', paths]);
  });

  it('answers 200 for a guardrail that is not created yet', async () => {
    const { status, body } = await gateway.app.api.post<EvaluationBody>('/guardrails/evaluate', {
      key: organization.managementKey,
      json: {
        guardrail: { name: 'Draft', ...BLOCK_EMAIL },
        operation: 'rerank',
        request: requestOf('rerank', EMAIL),
      },
    });

    expect([status, body.data.reason]).toEqual([200, 'content_blocked']);
  });
});
