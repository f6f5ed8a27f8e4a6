import type { Answer, ErrorBody } from '../../../support/network/api-client.js';
import { importCatalog, modelEntry } from '../../../support/resources/catalog-entries.js';
import { sharedGateway } from '../shared-gateway.js';
import { COST, limitedRequests } from '../spend/limited-requests.js';
import { endpoint } from '../test-gateway.js';

const FREE = { pricing: { prompt: '0', completion: '0' } };

const IMAGE = { type: 'image_url', image_url: { url: 'https://example.com/shop.png' } };

/** What OpenAI says of a text. */
const OF_OPENAI = {
  flagged: true,
  categories: { hate: false, violence: true, illicit: null },
  category_scores: { hate: 0.01, violence: 0.97, illicit: null },
  category_applied_input_types: { hate: ['text'], violence: ['text', 'image'] },
};

/** How it is answered: of what a model does not judge nothing is said. */
const ANSWERED = {
  ...OF_OPENAI,
  categories: { hate: false, violence: true },
  category_scores: { hate: 0.01, violence: 0.97 },
};

interface Moderated extends ErrorBody {
  readonly results: readonly { readonly flagged: boolean; readonly categories: Readonly<Record<string, boolean>> }[];
}

describe('createModerations', () => {
  const { gateway, organization, key, ask, setLimit } = limitedRequests(() => sharedGateway());

  beforeAll(async () => {
    const architecture = (...inputs: string[]): object => ({
      modality: `${inputs.join('+')}->moderation`,
      input_modalities: inputs,
      output_modalities: ['moderation'],
    });
    await importCatalog(gateway.app, {
      models: [
        modelEntry('acme/judge', { architecture: architecture('text', 'image'), ...FREE }),
        modelEntry('gatehouse/echo-moderation', { architecture: architecture('text'), ...FREE }),
      ],
      endpoints: [
        { id: 'acme/judge', endpoints: [endpoint('alpha', FREE), endpoint('beta', FREE)] },
        { id: 'gatehouse/echo-moderation', endpoints: [endpoint('gatehouse', FREE)] },
      ],
    });
  });

  const moderate = (input: unknown, model = 'acme/judge'): Promise<Answer<Moderated>> => {
    const json = { model, input, ...(model === 'acme/judge' && { provider: { order: ['alpha', 'beta'] } }) };
    return gateway.app.api.post<Moderated>('/moderations', { key: key.plaintext, json });
  };

  it('answers 200 with what the provider says of each text, which is recorded and costs nothing', async () => {
    gateway.alpha.answerJson({ id: 'modr-1', model: 'judge', results: [OF_OPENAI, OF_OPENAI] });
    const answer = await moderate(['A text', 'Another one']);
    expect([answer.status, answer.body]).toEqual([
      200,
      { id: answer.headers.get('x-generation-id'), model: 'acme/judge', results: [ANSWERED, ANSWERED] },
    ]);
    expect(gateway.alpha.received).toMatchObject([
      { path: '/v1/moderations', body: { model: 'judge', input: ['A text', 'Another one'] } },
    ]);
    expect(await gateway.record(answer, key)).toMatchObject({
      api_type: 'moderations',
      provider_name: 'Alpha Cloud',
      total_cost: 0,
    });
  });

  it('answers 200 with what Mistral says, which leaves it to others to flag', async () => {
    const categories = { pii: false, health: true };
    gateway.alpha.answerJson({ id: 'm', results: [{ categories, category_scores: { pii: 0.1, health: 0.9 } }] });
    expect((await moderate('A text')).body.results).toEqual([
      {
        flagged: true,
        categories,
        category_scores: { pii: 0.1, health: 0.9 },
        category_applied_input_types: { pii: ['text'], health: ['text'] },
      },
    ]);
  });

  it('answers 200 with one result for texts and images together', async () => {
    gateway.alpha.answerJson({ id: 'm', results: [OF_OPENAI] });
    const parts = [{ type: 'text', text: 'A text' }, IMAGE];
    const { status, body } = await moderate(parts);
    expect([status, body.results]).toEqual([200, [ANSWERED]]);
    expect(gateway.alpha.received).toMatchObject([{ body: { input: parts } }]);
  });

  it('answers 200 by the next provider when one says nothing of a text', async () => {
    gateway.alpha.answerJson({ id: 'm', results: [OF_OPENAI] });
    gateway.beta.answerJson({ id: 'm', results: [OF_OPENAI, OF_OPENAI] });
    expect((await moderate(['A text', 'Another one'])).status).toBe(200);
    expect(gateway.beta.received).toHaveLength(1);
  });

  it('answers 200 by the builtin provider, which flags what names a category', async () => {
    const { status, body } = await moderate(['Hello', 'About Violence'], 'gatehouse/echo-moderation');
    expect([status, body.results.map(({ flagged }) => flagged)]).toEqual([200, [false, true]]);
    expect(body.results[1]!.categories).toMatchObject({ hate: false, violence: true });
  });

  it('answers 200 where a limit is met, as it costs nothing', async () => {
    await setLimit(key, COST);
    expect((await ask(key)).status).toBe(200);
    expect((await ask(key)).status).toBe(403);
    gateway.alpha.answerJson({ id: 'm', results: [OF_OPENAI] });
    expect((await moderate('A text')).status).toBe(200);
  });

  it.each([
    ['a text', ['A text', 'A shop']],
    ['a part', [{ type: 'text', text: 'A shop' }, IMAGE]],
  ])('answers 403 when a content filter finds something in %s', async (_, input) => {
    const created = await gateway.app.api.post<{ data: { id: string } }>('/guardrails', {
      key: organization.managementKey,
      json: { name: 'No shops', content_filters: [{ pattern: 'shop', action: 'block' }] },
    });
    await gateway.assign(organization, key, created.body.data.id);
    const { status, body } = await moderate(input);
    expect([status, body]).toMatchObject([403, { error: { metadata: { reason: 'content_blocked' } } }]);
    expect(gateway.alpha.received).toEqual([]);
  });

  it.each([
    ['a chat model', { model: 'acme/writer', input: 'A text' }],
    ['no input', { model: 'acme/judge' }],
    ['no inputs', { model: 'acme/judge', input: [] }],
    ['texts beside parts', { model: 'acme/judge', input: ['A text', IMAGE] }],
    ['a part of another kind', { model: 'acme/judge', input: [{ type: 'input_audio' }] }],
    ['an image without an address', { model: 'acme/judge', input: [{ type: 'image_url', image_url: {} }] }],
  ])('answers 400 for %s', async (_, json) => {
    const { status } = await gateway.app.api.post('/moderations', { key: key.plaintext, json });
    expect(status).toBe(400);
    expect(gateway.alpha.received).toEqual([]);
  });
});
