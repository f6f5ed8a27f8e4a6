import { openApiDocument } from '../../../../src/http/openapi/openapi-document.js';
import type { Answer } from '../../../support/network/api-client.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { imageEndpoint, importCatalog, modelEntry } from '../../../support/resources/catalog-entries.js';
import { wavFile } from '../../../support/resources/recordings.js';
import { PIXEL } from '../images/image-gateway.js';
import { embeddings } from '../provider-answers.js';
import { sharedGateway } from '../shared-gateway.js';
import { endpoint } from '../test-gateway.js';
import { INFERENCE_OPERATION_IDS, INFERENCE_OPERATIONS } from '../../../operations/inference-operations.js';

const USE = { 'x-cache': 'use' };
/** As many as two searches are charged for. */
const DOCUMENTS = Array.from({ length: 101 }, (_, index) => `Parcel ${index} can be returned.`);
const RANKING = {
  id: 'upstream-1',
  results: [
    { index: 1, relevance_score: 0.98 },
    { index: 0, relevance_score: 0.02 },
  ],
  meta: { billed_units: { search_units: 2 } },
};

interface DocumentedOperation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string }[];
  readonly responses: Readonly<Record<string, { readonly headers?: object }>>;
}

interface Answered {
  readonly id: string;
  readonly data: readonly unknown[];
  readonly results: readonly unknown[];
  readonly meta: object;
  readonly usage: { readonly cost: number; readonly search_units?: number; readonly total_tokens?: number };
}

describe('the cache of answers, of operations without a chat', () => {
  const gateway = sharedGateway({ variables: { RESPONSE_CACHE_CHARGE_PERCENT: '25' } });
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  beforeAll(async () => {
    const priced = {
      ranker: ['rerank', { prompt: '0', completion: '0', request: '0.002' }],
      speaker: ['speech', { prompt: '0', completion: '0', character: '0.0001' }],
      scribe: ['transcription', { prompt: '0', completion: '0', second: '0.0001' }],
    } as const;
    await importCatalog(gateway.app, {
      models: Object.entries(priced).map(([name, [output]]) => {
        const input = output === 'transcription' ? 'audio' : 'text';
        const architecture = {
          modality: `${input}->${output}`,
          input_modalities: [input],
          output_modalities: [output],
        };
        return modelEntry(`acme/${name}`, { architecture });
      }),
      endpoints: Object.entries(priced).map(([name, [, pricing]]) => ({
        id: `acme/${name}`,
        endpoints: [endpoint('alpha', { pricing })],
      })),
      image_models: [
        {
          id: 'acme/painter',
          name: 'Painter',
          description: 'It draws.',
          created: 1767312000,
          architecture: { input_modalities: ['text', 'image'], output_modalities: ['image'] },
          endpoints: [imageEndpoint('alpha', { input_references: { type: 'range', min: 0, max: 4 } }, true)],
        },
      ],
    });
  });

  beforeEach(async () => {
    const json = { is_response_cache_enabled: true };
    const path = `/workspaces/${organization.workspaceId}`;
    expect((await gateway.app.api.patch(path, { key: organization.managementKey, json })).status).toBe(200);
  });

  const post = (path: string, json: object, headers: object = USE): Promise<Answer<Answered>> =>
    gateway.app.api.post<Answered>(path, { key: key.plaintext, json, headers: { ...headers } });

  /** Two equal requests, of which the second is answered without a provider. */
  const askedTwice = async (path: string, json: object): Promise<readonly [Answer<Answered>, Answer<Answered>]> => {
    const before = gateway.alpha.received.length;
    const first = await post(path, json);
    const second = await post(path, json);
    const said = [first, second].map(({ status, headers }) => [status, headers.get('x-cache')]);
    expect([said, gateway.alpha.received.length - before]).toEqual([
      [
        [200, 'miss'],
        [200, 'hit'],
      ],
      1,
    ]);
    expect(second.headers.get('x-cache-source-id')).toBe(first.headers.get('x-generation-id'));
    return [first, second];
  };

  /** What is recorded of a hit, and what its part of the price is. */
  const expectRecorded = async (first: Answer<Answered>, second: Answer<Answered>, cost: number): Promise<void> => {
    expect(await gateway.record(first, key)).toMatchObject({ total_cost: cost, response_cache_source_id: null });
    expect(await gateway.record(second, key)).toMatchObject({
      total_cost: cost / 4,
      response_cache_source_id: first.headers.get('x-generation-id'),
      tokens_prompt: 0,
      num_media_completion: null,
      attempts: [],
    });
  };

  it.each([
    ['numbers', 'float', [0.5, -1]],
    ['text in base64', 'base64', 'AAAAPwAAgL8='],
  ])('gives vectors again (200), as %s', async (_, format, vector) => {
    gateway.alpha.answerJson(embeddings([vector]));
    const [first, second] = await askedTwice('/embeddings', {
      model: 'acme/embedder',
      input: ['What is new?'],
      encoding_format: format,
      provider: { order: ['alpha'] },
    });

    expect(second.body.data).toEqual([{ object: 'embedding', index: 0, embedding: vector }]);
    expect(second.body).toMatchObject({ usage: { prompt_tokens: 0, total_tokens: 0, cost: 0.0000025 } });
    expect(second.body.id).toBe(second.headers.get('x-generation-id'));
    await expectRecorded(first, second, 0.00001);
  });

  it('gives a ranking again (200) with the documents of the request and no searches, of each form alone', async () => {
    gateway.alpha.answerJson(RANKING);
    const json = { model: 'acme/ranker', query: 'How do I return a parcel?', documents: DOCUMENTS };
    const [first, second] = await askedTwice('/rerank', json);
    const [, cohere] = await askedTwice('/v2/rerank', json);

    expect(second.body.results).toEqual(first.body.results);
    expect(second.body.results).toHaveLength(2);
    expect([first.body.usage.search_units, second.body.usage.search_units]).toEqual([2, 0]);
    expect(second.body.usage).toMatchObject({ cost: 0.001, total_tokens: 0 });
    expect(cohere.body).toMatchObject({ results: RANKING.results, meta: { billed_units: { search_units: 0 } } });
    await expectRecorded(first, second, 0.004);
    expect((await post('/rerank', { ...json, top_n: 1 })).headers.get('x-cache')).toBe('miss');
  });

  it('hands none of its fields on to a provider, where a body asks for it (200)', async () => {
    const wish = { cache_enabled: true, cache_ttl_seconds: 60 };
    gateway.alpha.answerJson(embeddings([[0.5]]));
    const vectors = await post('/embeddings', { model: 'acme/embedder', input: 'Hello', ...wish }, {});
    gateway.alpha.answerJson(RANKING);
    const ranked = await post('/rerank', { model: 'acme/ranker', query: 'Hello', documents: DOCUMENTS, ...wish }, {});

    for (const { status, headers } of [vectors, ranked]) {
      expect([status, headers.get('x-cache'), headers.get('x-cache-ttl')]).toEqual([200, 'miss', '60']);
    }
    expect(JSON.stringify(gateway.alpha.received.slice(-2))).not.toContain('cache_');
  });

  it('keeps neither images nor audio nor texts of recordings, and says so with 200', async () => {
    const draws = { model: 'acme/painter', prompt: 'A red bicycle' };
    const recording = { data: wavFile(1).toString('base64'), format: 'wav' };
    const image = { data: [{ b64_json: PIXEL }], created: 1 };
    const event = { type: 'image_generation.completed', b64_json: PIXEL, created_at: 1 };
    const asJson = (answer: object) => () => gateway.alpha.answerJson(answer);
    const requests: readonly (readonly [path: string, json: object, play: () => void])[] = [
      ['/images', draws, asJson(image)],
      ['/images/generations', draws, asJson(image)],
      ['/images', { ...draws, stream: true }, () => gateway.alpha.answerStream(`data: ${JSON.stringify(event)}\n\n`)],
      [
        '/audio/speech',
        { model: 'acme/speaker', input: 'Good morning.', voice: 'alloy' },
        () =>
          gateway.alpha.answerWith((response) => {
            response.writeHead(200, { 'content-type': 'audio/mpeg' }).end('ID3 the audio of a text');
          }),
      ],
      ['/audio/transcriptions', { model: 'acme/scribe', input_audio: recording }, asJson({ text: 'A parcel.' })],
    ];
    for (const [path, json, play] of requests) {
      play();
      const before = gateway.alpha.received.length;
      const answers = [await post(path, json), await post(path, json)];
      expect([
        path,
        ...answers.map(({ status, headers }) => [status, headers.get('x-cache'), headers.get('x-cache-ttl')]),
      ]).toEqual([path, [200, 'bypass', null], [200, 'bypass', null]]);
      expect(gateway.alpha.received).toHaveLength(before + 2);
      expect((await post(path, json, {})).headers.get('x-cache')).toBeNull();
    }
    expect(
      await gateway.app.rows('SELECT FROM cached_responses WHERE organization_id = $1', [organization.organizationId]),
    ).toEqual([]);
  });

  it('has headers in the OpenAPI document at the operations whose answers it keeps, and at no others', async () => {
    const { paths } = await openApiDocument(gateway.app.application);
    const documented = Object.values(paths).flatMap((methods) =>
      (Object.values(methods) as DocumentedOperation[]).flatMap(({ operationId, parameters = [], responses }) => {
        const asked = parameters.map(({ name }) => name).filter((name) => name.startsWith('X-Cache'));
        const answered = Object.keys(responses['200']?.headers ?? {}).filter((name) => name.startsWith('X-Cache'));
        return asked.length + answered.length > 0 ? [[operationId, asked.sort(), answered.sort()]] : [];
      }),
    );

    expect(new Map(documented.map(([name, ...headers]) => [name, headers]))).toEqual(
      new Map(
        INFERENCE_OPERATION_IDS.filter((id) => INFERENCE_OPERATIONS[id]!.isCached).map((name) => [
          name,
          [
            ['X-Cache', 'X-Cache-Clear', 'X-Cache-TTL'],
            ['X-Cache', 'X-Cache-Age', 'X-Cache-Source-Id', 'X-Cache-TTL'],
          ],
        ]),
      ),
    );
  });
});
