import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import type { Answer, ErrorBody } from '../../../support/network/api-client.js';
import { imageGateway, PIXEL, pngOf } from './image-gateway.js';

interface Drawn extends ErrorBody {
  readonly created: number;
  readonly data: readonly { readonly b64_json: string; readonly media_type?: string }[];
  readonly usage: { readonly cost: number; readonly prompt_tokens: number; readonly completion_tokens: number };
}

const PROMPT = 'A red bicycle';
const IN_ORDER = { provider: { order: ['alpha', 'beta'] } };
const DRAWN = { created: 1, data: [{ b64_json: PIXEL }] };
const REFERENCE = { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } };

describe('createImages', () => {
  const { gateway, google } = imageGateway();
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  beforeEach(() => {
    for (const provider of [gateway.alpha, gateway.beta]) provider.answerJson(DRAWN);
  });

  const draw = (fields: object = {}, by = key): Promise<Answer<Drawn>> =>
    gateway.app.api.post<Drawn>('/images', {
      key: by.plaintext,
      json: { model: 'acme/painter', prompt: PROMPT, ...IN_ORDER, ...fields },
    });

  it('answers 200 with images in base64, what they cost, and a record of them', async () => {
    const answer = await draw({ resolution: '4K', user: 'user-1', session_id: 'session-1' });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        created: expect.any(Number) as number,
        data: [{ b64_json: PIXEL, media_type: 'image/png' }],
        usage: {
          prompt_tokens: 4,
          completion_tokens: 2_048,
          total_tokens: 2_052,
          completion_tokens_details: { image_tokens: 2_048 },
          cost: 0.08,
          is_byok: false,
          cost_details: {
            upstream_inference_cost: null,
            upstream_inference_prompt_cost: 0,
            upstream_inference_completions_cost: 0.08,
          },
        },
      },
    ]);
    expect(gateway.alpha.received).toMatchObject([
      { path: '/v1/images/generations', body: { model: 'painter', prompt: PROMPT, size: '4096x4096' } },
    ]);
    expect(await gateway.record(answer, key)).toMatchObject({
      api_type: 'image',
      total_cost: 0.08,
      num_media_completion: 1,
      external_user: 'user-1',
      session_id: 'session-1',
    });
  });

  it('answers 200 by a model that refuses response_format without it, and says so; another one gets it (200)', async () => {
    const drawn = (model: string): Promise<Answer<Drawn>> =>
      gateway.app.api.post<Drawn>('/images/generations', {
        key: key.plaintext,
        json: { model, prompt: PROMPT, response_format: 'b64_json' },
      });
    const refusing = await drawn('acme/gpt-image-1');
    expect(refusing.status).toBe(200);
    expect(gateway.alpha.received[0]!.body).not.toHaveProperty('response_format');
    expect(await gateway.record(refusing, key)).toMatchObject({
      adjustments: [{ path: 'response_format', action: 'left_out', reason: 'refused_by_model' }],
    });
    gateway.alpha.answerJson(DRAWN);
    gateway.beta.answerJson(DRAWN);
    expect((await drawn('acme/painter')).status).toBe(200);
    expect([...gateway.alpha.received, ...gateway.beta.received]).toMatchObject([
      { body: { response_format: 'b64_json' } },
    ]);
  });

  it('answers 200 and charges by the size of what was drawn where none was asked for', async () => {
    gateway.alpha.answerJson({ data: [pngOf(1_024, 1_024), pngOf(1_024, 1_024)].map((b64_json) => ({ b64_json })) });
    expect((await draw({ n: 2 })).body.usage.cost).toBe(0.04);
    gateway.alpha.answerJson({ data: [{ b64_json: pngOf(4_000, 4_000) }] });
    expect((await draw()).body.usage.cost).toBe(0.08);
    gateway.alpha.answerJson({ data: [{ b64_json: pngOf(2_048, 1_024) }] });
    expect((await draw({ model: 'acme/pixels', size: '2048x1024' })).body.usage.cost).toBe(0.04);
    // No more than was reserved, and no more images than were asked for.
    gateway.alpha.answerJson({ data: [pngOf(8_000, 8_000), PIXEL].map((b64_json) => ({ b64_json })) });
    const { data, usage } = (await draw({ model: 'acme/pixels', size: '1024x1024' })).body;
    expect([data.length, usage.cost]).toEqual([1, 0.03]);
  });

  it('answers 200 and charges tokens of texts, references and images by their prices', async () => {
    gateway.alpha.answerJson({
      ...DRAWN,
      usage: {
        input_tokens: 30,
        output_tokens: 1_000,
        total_tokens: 1_030,
        input_tokens_details: { text_tokens: 10, image_tokens: 20 },
      },
    });
    const answer = await draw({ model: 'acme/tokens' });
    expect(answer.body.usage).toMatchObject({ prompt_tokens: 30, completion_tokens: 1_000, cost: 0.04025 });
  });

  it('answers 200 by Gemini, with a request for each image and the references in front of the prompt', async () => {
    const part = { inlineData: { mimeType: 'image/png', data: PIXEL } };
    google().answerJson({
      candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 1_290, totalTokenCount: 1_295 },
    });
    const answer = await draw({
      model: 'acme/google',
      provider: {},
      n: 2,
      size: '1024x1024',
      seed: 3,
      input_references: [REFERENCE],
    });
    expect([answer.status, answer.body.data.length, answer.body.usage]).toMatchObject([
      200,
      2,
      { prompt_tokens: 10, completion_tokens: 2_580, cost: 0.045 },
    ]);
    expect(google().received.map(({ path, body }) => ({ path, body }))).toEqual(
      [3, 4].map((seed) => ({
        path: '/v1/models/google:generateContent',
        body: {
          contents: [{ role: 'user', parts: [part, { text: PROMPT }] }],
          generationConfig: {
            responseModalities: ['IMAGE'],
            seed,
            imageConfig: { aspectRatio: '1:1', imageSize: '1K' },
          },
        },
      })),
    );
  });

  it('answers 400 in the words of Gemini when it filters the image', async () => {
    google().answerJson({ candidates: [{ content: {}, finishReason: 'IMAGE_SAFETY' }], usageMetadata: {} });
    const refused = await draw({ model: 'acme/google', provider: {} });
    expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringContaining('IMAGE_SAFETY')]);
  });

  it('answers 200 with an image that the provider keeps at an address, and 503 where that has none', async () => {
    const url = `${google().baseUrl}/kept.png`;
    gateway.alpha.answerJson({ data: [{ url }] });
    google().answerWith((response) => void response.writeHead(200).end(Buffer.from(PIXEL, 'base64')));
    expect((await draw()).body.data[0]!.b64_json).toBe(PIXEL);
    google().answerWith((response) => void response.writeHead(200).end('<html>'));
    gateway.beta.answerJson({ data: [{ url }] });
    expect((await draw()).status).toBe(503);
  });

  it.each([302, 404, 503])(
    'answers 200 by the next provider when the address of an image answers %i with a body that is still coming',
    async (status) => {
      gateway.alpha.answerJson({ data: [{ url: `${google().baseUrl}/gone.png` }] });
      google().answerWith((response) => void response.writeHead(status, { location: '/' }).write('x'.repeat(100_000)));

      const answer = await draw();

      expect([answer.status, answer.body.data[0]!.b64_json]).toEqual([200, PIXEL]);
      expect(google().received).toHaveLength(1);
      expect(gateway.beta.received).toHaveLength(1);
    },
  );

  it('answers 200 by the next provider when one sends no image, and charges both', async () => {
    gateway.alpha.answerJson({ data: [{ b64_json: 'bm8gaW1hZ2U=' }] });
    const answer = await draw({ resolution: '1K' });
    expect([answer.status, gateway.beta.received.length, answer.body.usage.cost]).toEqual([200, 1, 0.04]);
  });

  it('answers 503 when every provider sends something else, and charges what may have been drawn', async () => {
    for (const provider of [gateway.alpha, gateway.beta]) provider.answerJson({ data: [] });
    const failed = await draw({ resolution: '1K' });
    expect(failed.status).toBe(503);
    expect(await gateway.record(failed, key)).toMatchObject({ status: 503, total_cost: 0.04 });
  });

  it('answers 402 before a provider is asked where the budget does not hold the worst case', async () => {
    const limited = await gateway.factory.key(organization, { limitUsd: 0.1 });
    expect((await draw({ n: 2 }, limited)).status).toBe(402);
    expect(gateway.alpha.received).toEqual([]);
    expect((await draw({ n: 2, resolution: '1K' }, limited)).status).toBe(200);
  });

  it('answers 200 to one and 402 to the other of two requests that the budget holds one of', async () => {
    const limited = await gateway.factory.key(organization, { limitUsd: 0.1 });
    const answers = await Promise.all([draw({ resolution: '4K' }, limited), draw({ resolution: '4K' }, limited)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 402]);
  });

  it('answers 403 when a content filter finds something in the prompt, or in a field for a provider', async () => {
    const guarded = await gateway.guardedKey(organization, {
      name: 'No cars',
      content_filters: [{ pattern: 'car', action: 'block' }],
    });
    expect((await draw({ prompt: 'A car' }, guarded)).status).toBe(403);
    const options = { alpha: { negative: 'a car' } };
    expect((await draw({ provider: { options } }, guarded)).status).toBe(403);
    expect(gateway.alpha.received).toEqual([]);
  });

  it('answers 200 to a prompt of which the provider gets what a filter has left', async () => {
    const guarded = await gateway.guardedKey(organization, {
      name: 'No names',
      content_filters: [{ pattern: 'Alice', action: 'redact', label: '[NAME]' }],
    });
    expect((await draw({ prompt: 'Alice on a bicycle' }, guarded)).status).toBe(200);
    expect(gateway.alpha.received).toMatchObject([{ body: { prompt: '[NAME] on a bicycle' } }]);
  });

  it('answers 404 where a guardrail permits none of the providers, or only those that retain nothing', async () => {
    const byProvider = await gateway.guardedKey(organization, { name: 'Other', allowed_providers: ['openai'] });
    const byRetention = await gateway.guardedKey(organization, { name: 'ZDR', enforce_zdr: true });
    expect([(await draw({}, byProvider)).status, (await draw({}, byRetention)).status]).toEqual([404, 404]);
  });

  it('answers 404 where no endpoint can do what is asked, and 404 for one without prices', async () => {
    const only = { provider: { only: ['alpha'] } };
    expect((await draw({ ...only, resolution: '2K' })).status).toBe(404);
    expect((await draw({ ...only, n: 5 })).status).toBe(404);
    expect((await draw({ model: 'acme/unpriced' })).status).toBe(404);
    expect((await draw({ resolution: '2K' })).status).toBe(200);
    expect(gateway.beta.received).toHaveLength(1);
  });

  it('answers 200 and hands fields on to one provider alone, but none that decide what is drawn', async () => {
    const options = { alpha: { style: 'vivid', n: 9, prompt: 'no' }, beta: { style: 'natural' } };
    const answer = await draw({ provider: { order: ['alpha'], options }, background: 'opaque' });
    expect(gateway.alpha.received.map(({ body }) => body)).toEqual([
      { model: 'painter', prompt: PROMPT, style: 'vivid' },
    ]);
    expect(await gateway.record(answer, key)).toMatchObject({ status: 200 });
  });

  it('answers 200 and hands fields of the request on before those for one provider alone', async () => {
    const options = { alpha: { style: 'vivid', moderation: 'low' } };
    expect((await draw({ provider: { order: ['alpha'], options }, style: 'natural' })).status).toBe(200);
    expect(gateway.alpha.received).toMatchObject([{ body: { style: 'natural', moderation: 'low' } }]);
  });

  it.each([
    ['no prompt', { prompt: undefined }, 'prompt'],
    ['an empty prompt', { prompt: '' }, 'prompt'],
    ['too many images', { n: 11 }, 'n'],
    ['no image', { n: 0 }, 'n'],
    ['a size that is none', { size: 'large' }, 'size'],
    ['a size of another tier', { size: '1024x1024', resolution: '4K' }, 'size'],
    ['a tier and another one', { size: '1K', resolution: '4K' }, 'size'],
    ['a size of another ratio', { size: '1024x1024', aspect_ratio: '16:9' }, 'size'],
    ['sides that are too long', { size: '99999x1' }, 'size'],
    ['a ratio that is none', { aspect_ratio: '7:5' }, 'aspect_ratio'],
    ['too many references', { input_references: Array.from({ length: 17 }, () => REFERENCE) }, 'input_references'],
    [
      'a reference without TLS',
      { input_references: [{ ...REFERENCE, image_url: { url: 'http://example.com/a.png' } }] },
      'input_references[0].image_url.url',
    ],
    ['a reference that is a text', { input_references: [{ type: 'text', text: 'a' }] }, 'input_references[0].type'],
    ['a compression above 100', { output_compression: 101 }, 'output_compression'],
    ['options that are no object', { provider: { options: { alpha: 1 } } }, 'provider.options.alpha'],
  ])('answers 400 to %s', async (_, fields, path) => {
    const refused = await draw(fields);
    expect(refused.status).toBe(400);
    expect(refused.body.error.metadata.issues!.map((issue) => issue.path)).toContain(path);
  });

  it('answers 400 to a chat model', async () => {
    expect((await draw({ model: 'acme/writer' })).status).toBe(400);
  });

  it('answers 200 by the builtin provider, with the same image for the same prompt', async () => {
    const echo = (fields: object = {}): Promise<Answer<Drawn>> =>
      draw({ model: 'gatehouse/echo-image', provider: {}, ...fields });
    const [one, same, other] = [await echo(), await echo(), await echo({ seed: 2 })].map(({ body }) => body.data[0]!);
    expect(one).toMatchObject({ media_type: 'image/png' });
    expect([same, other]).toEqual([one, expect.not.objectContaining(one!)]);
  });
});
