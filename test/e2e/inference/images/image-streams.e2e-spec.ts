import OpenAI from 'openai';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { until } from '../../../support/time/until.js';
import { imageGateway, PIXEL, pngOf } from './image-gateway.js';

const USAGE = {
  input_tokens: 10,
  output_tokens: 100,
  total_tokens: 110,
  input_tokens_details: { text_tokens: 10, image_tokens: 0 },
};
const PARTIAL = { type: 'image_generation.partial_image', partial_image_index: 0, b64_json: PIXEL };
const COMPLETED = { type: 'image_generation.completed', b64_json: pngOf(64, 64), usage: USAGE };

const ONLY = { only: ['alpha'] };

/** What the usage above costs by the prices of `acme/tokens`. */
const COST = 0.00405;

/** What an image of `acme/tokens` costs when the provider counts no tokens. */
const UNCOUNTED_COST = 0.081935;

function streamOf(...events: readonly object[]): string {
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
}

describe('createImages, as a stream', () => {
  const { gateway } = imageGateway();
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  const draw = async (fields: object = {}): Promise<{ events: Record<string, unknown>[]; text: string }> => {
    const json = { model: 'acme/tokens', prompt: 'A bicycle', stream: true, ...fields };
    const answer = await gateway.app.api.post<string>('/images', { key: key.plaintext, json });
    expect(answer.status).toBe(200);
    const events = answer.text
      .split('\n\n')
      .flatMap((event) => (event.startsWith('data: {') ? [JSON.parse(event.slice(6)) as Record<string, unknown>] : []));
    return { events, text: answer.text };
  };
  const client = (): OpenAI => new OpenAI({ apiKey: key.plaintext, baseURL: `${gateway.app.origin}/api/v1` });

  it('answers 200 with unfinished images, the finished one with its cost, and an end', async () => {
    gateway.alpha.answerStream(streamOf(PARTIAL, COMPLETED));
    const { events, text } = await draw({ partial_images: 1 });
    expect(events).toMatchObject([
      PARTIAL,
      {
        type: 'image_generation.completed',
        b64_json: COMPLETED.b64_json,
        media_type: 'image/png',
        usage: { cost: COST },
      },
    ]);
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(gateway.alpha.received).toMatchObject([{ body: { stream: true, partial_images: 1 } }]);
    expect(await gateway.onlyRecord(key)).toMatchObject({ streamed: true, total_cost: COST, api_type: 'image' });
  });

  it('answers 200 with an image of 32 MiB, and with an error in the place of a larger one', async () => {
    const head = Buffer.from(PIXEL, 'base64');
    const imageOf = (mebibytes: number): string =>
      Buffer.concat([head, Buffer.alloc(mebibytes * 2 ** 20 - head.length, 'x')]).toString('base64');
    const image = imageOf(32);
    gateway.alpha.answerStream(streamOf(PARTIAL, { ...COMPLETED, b64_json: image }));
    const { events } = await draw({ partial_images: 1 });
    expect(events.map(({ b64_json: data }) => (data as string).length)).toEqual([PIXEL.length, image.length]);
    gateway.alpha.answerStream(streamOf(PARTIAL, { ...COMPLETED, b64_json: imageOf(34) }));
    const { events: broken } = await draw({ partial_images: 1 });
    expect(broken).toMatchObject([PARTIAL, { type: 'error', error: { code: '502' } }]);
  });

  it('answers 200 with the finished images alone of an endpoint that cannot stream', async () => {
    gateway.alpha.answerJson({ data: [{ b64_json: PIXEL }, { b64_json: PIXEL }] });
    const { events } = await draw({ model: 'acme/painter', provider: ONLY, resolution: '1K', n: 2 });
    expect(events.map(({ type, usage }) => ({ type, usage }))).toMatchObject([
      { type: 'image_generation.completed' },
      { type: 'image_generation.completed', usage: { cost: 0.04 } },
    ]);
    expect(gateway.alpha.received[0]!.body).not.toHaveProperty('stream');
  });

  it('answers 200 with an error where the stream breaks off, and charges the image that was asked for', async () => {
    gateway.alpha.answerStream(streamOf(PARTIAL));
    const { events, text } = await draw();
    expect(events).toMatchObject([PARTIAL, { type: 'error', error: { code: '502' } }]);
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(await gateway.onlyRecord(key)).toMatchObject({ total_cost: UNCOUNTED_COST, is_usage_estimated: true });
  });

  it('answers 200 with the error of the provider, and charges no image', async () => {
    gateway.alpha.answerStream(streamOf(PARTIAL, { type: 'error', error: { message: 'No such luck.', code: 'x' } }));
    const { events } = await draw();
    expect(events).toMatchObject([PARTIAL, { type: 'error', error: {} }]);
    expect((await gateway.onlyRecord(key)).total_cost).toBeLessThan(0.001);
  });

  it('charges all images to a client that leaves a 200 before they are finished', async () => {
    gateway.alpha.answerWith((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(streamOf(PARTIAL));
    });
    const leaving = new AbortController();
    const response = await fetch(`${gateway.app.origin}/api/v1/images`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.plaintext}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'acme/tokens', prompt: 'A bicycle', stream: true }),
      signal: leaving.signal,
    });
    await response.body!.getReader().read();
    leaving.abort();
    expect(await gateway.onlyRecord(key)).toMatchObject({ cancelled: true, total_cost: UNCOUNTED_COST });
  });

  it('charges all images to a client that leaves before anything came, as a 499', async () => {
    gateway.alpha.answerWith(() => undefined);
    const leaving = new AbortController();
    const answer = fetch(`${gateway.app.origin}/api/v1/images`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.plaintext}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'acme/painter', prompt: 'A bicycle', resolution: '1K', n: 2, provider: ONLY }),
      signal: leaving.signal,
    });
    await until(() => Promise.resolve(gateway.alpha.received.length > 0));
    leaving.abort();
    await expect(answer).rejects.toThrow();
    expect(await gateway.onlyRecord(key)).toMatchObject({ status: 499, cancelled: true, total_cost: 0.04 });
  });

  it('is a 200 to the official client of OpenAI, whole and as its own events', async () => {
    gateway.alpha.answerJson({ created: 1, data: [{ b64_json: PIXEL }], usage: USAGE });
    const whole = await client().images.generate({ model: 'acme/tokens', prompt: 'A bicycle', style: 'vivid' });
    expect(whole).toMatchObject({
      data: [{ b64_json: PIXEL }],
      usage: { input_tokens: 10, output_tokens: 100, input_tokens_details: { text_tokens: 10, image_tokens: 0 } },
    });
    expect(gateway.alpha.received.map(({ body }) => body)).toEqual([
      { model: 'tokens', prompt: 'A bicycle', style: 'vivid' },
    ]);
    // The provider says more of the finished image, and less of the other one than the request.
    const said = { size: '1024x1024', quality: 'high', background: 'opaque', output_format: 'png' };
    gateway.alpha.answerStream(streamOf({ ...PARTIAL, background: 7 }, { ...COMPLETED, ...said }));
    const stream = await client().images.generate({
      model: 'acme/tokens',
      prompt: 'A bicycle',
      size: '1536x1024',
      output_format: 'webp',
      stream: true,
    });
    const events: unknown[] = [];
    for await (const event of stream) events.push(event);
    const created_at = expect.any(Number) as unknown;
    expect(events).toEqual([
      { ...PARTIAL, created_at, size: '1536x1024', output_format: 'webp' },
      { ...COMPLETED, ...said, created_at, usage: expect.objectContaining({ ...USAGE, cost: COST }) as unknown },
    ]);
  });

  it('is a 400 to the official client of OpenAI where an address is asked for', async () => {
    const refused = client().images.generate({ model: 'acme/tokens', prompt: 'A bicycle', response_format: 'url' });
    await expect(refused).rejects.toMatchObject({ status: 400 });
  });
});
