import type { Answer, ErrorBody } from '../../../support/network/api-client.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { importCatalog, modelEntry } from '../../../support/resources/catalog-entries.js';
import { sharedGateway } from '../shared-gateway.js';
import { endpoint } from '../test-gateway.js';

const DOCUMENTS = ['Our shop opens at nine.', { text: 'Parcels can be returned within 30 days.' }];
const RANKING = {
  id: 'upstream-1',
  results: [
    { index: 1, relevance_score: 0.98 },
    { index: 0, relevance_score: 0.02 },
  ],
  meta: { billed_units: { search_units: 1 } },
};

const IN_ORDER = { provider: { order: ['alpha', 'beta'] } };

interface Ranked extends ErrorBody {
  readonly id: string;
  readonly results: readonly { readonly index: number }[];
  readonly usage: { readonly cost: number; readonly search_units: number; readonly total_tokens: number };
}

describe('createRerank', () => {
  const gateway = sharedGateway();
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  beforeAll(async () => {
    const architecture = { modality: 'text->rerank', input_modalities: ['text'], output_modalities: ['rerank'] };
    const pricing = { prompt: '0', completion: '0', request: '0.002' };
    const perToken = { prompt: '0.00001', completion: '0' };
    await importCatalog(gateway.app, {
      models: ['acme/ranker', 'acme/token-ranker', 'gatehouse/echo-rerank'].map((id) =>
        modelEntry(id, { architecture }),
      ),
      endpoints: [
        { id: 'acme/ranker', endpoints: [endpoint('alpha', { pricing }), endpoint('beta', { pricing })] },
        { id: 'gatehouse/echo-rerank', endpoints: [endpoint('gatehouse')] },
        { id: 'acme/token-ranker', endpoints: [endpoint('alpha', { pricing: perToken })] },
      ],
    });
  });

  beforeEach(() => {
    for (const provider of [gateway.alpha, gateway.beta]) provider.answerJson(RANKING);
  });

  const rank = (fields: object = {}, path = '/rerank'): Promise<Answer<Ranked>> => {
    const json = {
      model: 'acme/ranker',
      query: 'How do I return a parcel?',
      documents: DOCUMENTS,
      ...IN_ORDER,
      ...fields,
    };
    return gateway.app.api.post<Ranked>(path, { key: key.plaintext, json });
  };

  it('answers 200 with the documents, the most relevant first, and what they cost', async () => {
    const answer = await rank();
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        id: answer.headers.get('x-generation-id'),
        model: 'acme/ranker',
        provider: expect.any(String) as string,
        results: [
          { index: 1, relevance_score: 0.98, document: DOCUMENTS[1] },
          { index: 0, relevance_score: 0.02, document: { text: DOCUMENTS[0] } },
        ],
        usage: {
          search_units: 1,
          total_tokens: expect.any(Number) as number,
          cost: 0.002,
          is_byok: false,
          cost_details: {
            upstream_inference_cost: null,
            upstream_inference_prompt_cost: 0.002,
            upstream_inference_completions_cost: 0,
          },
        },
      },
    ]);
    expect(gateway.alpha.received).toMatchObject([
      {
        path: '/v1/rerank',
        body: { model: 'ranker', query: 'How do I return a parcel?', documents: DOCUMENTS },
      },
    ]);
    expect(await gateway.record(answer, key)).toMatchObject({ api_type: 'rerank', total_cost: 0.002 });
  });

  it('answers 200 to clients of Cohere in their form', async () => {
    const answer = await rank({ top_n: 1 }, '/v2/rerank');
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        id: answer.headers.get('x-generation-id'),
        results: [{ index: 1, relevance_score: 0.98 }],
        meta: { api_version: { version: '2' }, billed_units: { search_units: 1 } },
      },
    ]);
  });

  it('answers 200 and charges a search for each hundred documents, but not more than there can be', async () => {
    const documents = Array.from({ length: 250 }, (_, index) => `document ${index}`);
    gateway.alpha.answerJson({ results: [{ index: 7, relevance_score: 1 }] });
    expect((await rank({ documents })).body.usage).toMatchObject({ search_units: 3, cost: 0.006 });
    gateway.alpha.answerJson({ ...RANKING, meta: { billed_units: { search_units: 1_000 } } });
    expect((await rank({ documents })).body.usage.cost).toBe(0.006);
  });

  it('answers 200 and charges tokens as the provider counts them, or else as the query is read with each document', async () => {
    gateway.alpha.answerJson({ ...RANKING, meta: undefined, usage: { total_tokens: 40 } });
    expect((await rank({ model: 'acme/token-ranker' })).body.usage).toMatchObject({ total_tokens: 40, cost: 0.0004 });
    gateway.alpha.answerJson(RANKING);
    const query = 'q'.repeat(40);
    const documents = ['d'.repeat(40), 'e'.repeat(40)];
    const { usage } = (await rank({ model: 'acme/token-ranker', query, documents })).body;
    expect(usage.total_tokens).toBe(40);
  });

  it('answers 402 before a provider is asked where the budget does not hold the worst case', async () => {
    const limited = await gateway.factory.key(organization, { limitUsd: 0.005 });
    const documents = Array.from({ length: 250 }, () => 'a document');
    const json = { model: 'acme/ranker', query: 'q', documents, ...IN_ORDER };
    const refused = await gateway.app.api.post<ErrorBody>('/rerank', { key: limited.plaintext, json });
    expect([refused.status, refused.body.error.message]).toEqual([
      402,
      'This request requires more credits: what is left of the limit does not pay for what it may cost.',
    ]);
    expect(gateway.alpha.received).toEqual([]);
  });

  it('answers 200 by the next provider when one ranks what it was not asked for', async () => {
    gateway.alpha.answerJson({ results: [{ index: 9, relevance_score: 1 }] });
    expect((await rank()).status).toBe(200);
    expect(gateway.beta.received).toHaveLength(1);
  });

  it('answers 403 when a content filter finds something in a document', async () => {
    await gateway.app.api.post('/guardrails', {
      key: organization.managementKey,
      json: { name: 'No shops', content_filters: [{ pattern: 'shop', action: 'block' }] },
    });
    const { body: created } = await gateway.app.api.get<{ data: { id: string }[] }>('/guardrails', {
      key: organization.managementKey,
    });
    await gateway.app.api.post(`/guardrails/${created.data[0]!.id}/assignments/keys`, {
      key: organization.managementKey,
      json: { key_hashes: [key.hash] },
    });
    const refused = await rank();
    expect(refused.status).toBe(403);
    expect(gateway.alpha.received).toEqual([]);
  });

  it.each([
    ['no document', { documents: [] }, 'documents'],
    ['no documents', { documents: undefined }, 'documents'],
    ['a document that is none', { documents: [7] }, 'documents[0]'],
    ['an empty document', { documents: [{}] }, 'documents[0]'],
    ['a text that is none', { documents: [{ text: 7 }] }, 'documents[0].text'],
    ['too many documents', { documents: Array.from({ length: 10_001 }, () => 'd') }, 'documents'],
    ['no query', { query: undefined }, 'query'],
    ['a number that is none', { top_n: 0 }, 'top_n'],
  ])('answers 400 to %s', async (_, fields, path) => {
    const refused = await rank(fields);
    expect(refused.status).toBe(400);
    expect(refused.body.error.metadata.issues!.map((issue) => issue.path)).toContain(path);
  });

  it.each([
    ['a chat model', 'acme/writer'],
    ['an embedding model', 'acme/embedder'],
  ])('answers 400 to %s', async (_, model) => {
    expect((await rank({ model })).status).toBe(400);
  });

  it('answers 200 by the builtin provider, which counts shared words', async () => {
    const { body } = await rank({ model: 'gatehouse/echo-rerank', query: 'Our Shop' });
    expect(body.results.map(({ index }) => index)).toEqual([0, 1]);
  });
});
