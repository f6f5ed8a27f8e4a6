import OpenAI, { toFile } from 'openai';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import type { Answer, ErrorBody } from '../../../support/network/api-client.js';
import type { ReceivedFile } from '../../../support/network/provider-server.js';
import { FetchedImages } from '../../../../src/modules/providers/upstream/fetched-images.js';
import { imageGateway, PIXEL, pngOf } from './image-gateway.js';

const PROMPT = 'Paint it red';
const BYTES = Buffer.from(PIXEL, 'base64');
const OTHER_BYTES = Buffer.from(pngOf(64, 64), 'base64');
const ADDRESS = `data:image/png;base64,${PIXEL}`;
const COMPLETED = {
  type: 'image_edit.completed',
  b64_json: PIXEL,
  usage: {
    input_tokens: 30,
    output_tokens: 100,
    total_tokens: 130,
    input_tokens_details: { text_tokens: 10, image_tokens: 20 },
  },
};

type ReceivedForm = Readonly<Record<string, readonly (string | ReceivedFile)[]>>;

interface Edited extends ErrorBody {
  readonly data: readonly { readonly b64_json: string }[];
  readonly usage: { readonly cost: number };
}

describe('createImageEdits', () => {
  const { gateway, google } = imageGateway();
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  beforeEach(() => {
    for (const provider of [gateway.alpha, gateway.beta]) {
      provider.answerJson({ created: 1, data: [{ b64_json: PIXEL }] });
    }
  });

  const edit = (fields: object = {}, by = key): Promise<Answer<Edited>> =>
    gateway.app.api.post<Edited>('/images/edits', {
      key: by.plaintext,
      json: {
        model: 'acme/painter',
        prompt: PROMPT,
        images: [{ image_url: ADDRESS }],
        provider: { order: ['alpha', 'beta'] },
        ...fields,
      },
    });
  const send = async (form: FormData): Promise<{ status: number; body: Edited }> => {
    const response = await fetch(`${gateway.app.origin}/api/v1/images/edits`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.plaintext}` },
      body: form,
    });
    return { status: response.status, body: (await response.json()) as Edited };
  };
  const formOf = (image: Blob): FormData => {
    const form = new FormData();
    // The file stands before the fields, as some clients send it.
    form.append('image', image, 'bicycle.png');
    form.append('model', 'acme/painter');
    form.append('prompt', PROMPT);
    return form;
  };
  const sentTo = ({ received }: typeof gateway.alpha): ReceivedForm => received[0]!.body as ReceivedForm;
  const client = (): OpenAI => new OpenAI({ apiKey: key.plaintext, baseURL: `${gateway.app.origin}/api/v1` });

  it('is a 200 to the official client of OpenAI: files and mask reach the provider as they are, and are charged', async () => {
    const edited = await client().images.edit({
      model: 'acme/pixels',
      prompt: PROMPT,
      image: [await toFile(BYTES, 'a.png'), await toFile(OTHER_BYTES, 'b.png')],
      mask: await toFile(BYTES, 'mask.png'),
      n: 2,
      size: '1024x1024',
    });
    expect(edited.data).toMatchObject([{ b64_json: PIXEL }]);
    expect(gateway.alpha.received.map(({ path }) => path)).toEqual(['/v1/images/edits']);
    expect(sentTo(gateway.alpha)).toEqual({
      model: ['pixels'],
      prompt: [PROMPT],
      n: ['2'],
      size: ['1024x1024'],
      'image[]': [
        { name: 'image-1.png', type: 'image/png', bytes: BYTES },
        { name: 'image-2.png', type: 'image/png', bytes: OTHER_BYTES },
      ],
      mask: [{ name: 'mask.png', type: 'image/png', bytes: BYTES }],
    });
    expect(await gateway.onlyRecord(key)).toMatchObject({ api_type: 'image', status: 200, total_cost: 0.03 });
  });

  it('is a 200 to the official client of OpenAI as a stream, with the events of edits', async () => {
    gateway.alpha.answerStream(`data: ${JSON.stringify(COMPLETED)}\n\n`);
    const image = await toFile(BYTES, 'a.png');
    const stream = await client().images.edit({ model: 'acme/tokens', prompt: PROMPT, image, stream: true });
    const events: unknown[] = [];
    for await (const event of stream) events.push(event);
    expect(events).toMatchObject([{ type: 'image_edit.completed', b64_json: PIXEL }]);
    expect(sentTo(gateway.alpha)).toMatchObject({ stream: ['true'], image: [{ bytes: BYTES }] });
  });

  it('answers 200 within JSON, and by the next provider with the same images when one fails', async () => {
    gateway.alpha.answerWith((response) => void response.writeHead(500).end('{}'));
    const answer = await edit({ mask: { image_url: ADDRESS } });
    expect(answer.status).toBe(200);
    for (const provider of [gateway.alpha, gateway.beta]) {
      expect(sentTo(provider)).toMatchObject({ image: [{ bytes: BYTES }], mask: [{ bytes: BYTES }] });
    }
  });

  it('answers 200 by the next provider with the images at an address that were fetched for the one before', async () => {
    const fetched = jest.spyOn(gateway.app.application.get(FetchedImages), 'at').mockResolvedValue(PIXEL);
    gateway.alpha.answerWith((response) => void response.writeHead(500).end('{}'));
    const image_url = 'https://example.com/bicycle.png';
    const answer = await edit({ images: [{ image_url }], mask: { image_url } });
    const addresses = fetched.mock.calls.map(([url]) => url);
    fetched.mockRestore();

    expect([answer.status, addresses]).toEqual([200, [image_url]]);
    for (const provider of [gateway.alpha, gateway.beta]) {
      expect(sentTo(provider)).toMatchObject({ image: [{ bytes: BYTES }], mask: [{ bytes: BYTES }] });
    }
  });

  it('answers 200 by Gemini, with the images in front of the prompt', async () => {
    const part = { inlineData: { mimeType: 'image/png', data: PIXEL } };
    google().answerJson({
      candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 1_290, totalTokenCount: 1_295 },
    });
    expect((await edit({ model: 'acme/google', provider: {} })).status).toBe(200);
    expect(google().received).toMatchObject([{ body: { contents: [{ parts: [part, { text: PROMPT }] }] } }]);
  });

  it('answers 400 to an address that cannot be fetched, without asking a provider', async () => {
    const refused = await edit({ images: [{ image_url: 'https://127.0.0.1:9/a.png' }] });
    expect([refused.status, refused.body.error.message]).toEqual([
      400,
      expect.stringContaining('The address of an image cannot be reached'),
    ]);
    expect([...gateway.alpha.received, ...gateway.beta.received]).toEqual([]);
  });

  it('answers 400 to a file that is no image, to none, and to JSON without images or with an address of another kind', async () => {
    const issuesOf = ({ body }: { readonly body: Edited }): unknown[] =>
      body.error.metadata.issues!.map(({ path }) => path);
    const other = await send(formOf(new Blob(['<html>'])));
    expect([other.status, issuesOf(other)]).toEqual([400, ['image[0]']]);
    const none = await send(formOf(new Blob([])));
    expect([none.status, issuesOf(none)]).toEqual([400, ['image']]);
    const empty = await edit({ images: [] });
    expect([empty.status, issuesOf(empty)]).toEqual([400, ['images']]);
    const plain = await edit({ images: [{ image_url: 'http://example.com/a.png' }] });
    expect([plain.status, issuesOf(plain)]).toEqual([400, ['images[0].image_url']]);
    expect(gateway.alpha.received).toEqual([]);
  });

  it('answers 403 when a content filter finds something in the prompt of a form', async () => {
    const guarded = await gateway.guardedKey(organization, {
      name: 'No cars',
      content_filters: [{ pattern: 'red', action: 'block' }],
    });
    expect((await edit({}, guarded)).status).toBe(403);
    expect(gateway.alpha.received).toEqual([]);
  });
});
