import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import OpenAI from 'openai';
import type { Answer, ErrorBody } from '../../../support/network/api-client.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { importCatalog, modelEntry } from '../../../support/resources/catalog-entries.js';
import { until } from '../../../support/time/until.js';
import { sharedGateway } from '../shared-gateway.js';
import { endpoint } from '../test-gateway.js';

const PATH = '/audio/speech';
const INPUT = 'Good morning, 日本.';
const AUDIO = Buffer.from('ID3 the audio of a text');

describe('createAudioSpeech', () => {
  const gateway = sharedGateway();
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  beforeAll(async () => {
    const architecture = { modality: 'text->speech', input_modalities: ['text'], output_modalities: ['speech'] };
    const perCharacter = { pricing: { prompt: '0', completion: '0', character: '0.0001' } };
    const perToken = { pricing: { prompt: '0.00001', completion: '0.001' } };
    await importCatalog(gateway.app, {
      models: ['acme/speaker', 'acme/token-speaker', 'gatehouse/echo-speech'].map((id) =>
        modelEntry(id, { architecture }),
      ),
      endpoints: [
        { id: 'acme/speaker', endpoints: [endpoint('alpha', perCharacter), endpoint('beta', perCharacter)] },
        { id: 'acme/token-speaker', endpoints: [endpoint('alpha', perToken)] },
        { id: 'gatehouse/echo-speech', endpoints: [endpoint('gatehouse', perCharacter)] },
      ],
    });
  });

  beforeEach(() => {
    for (const provider of [gateway.alpha, gateway.beta]) {
      provider.answerWith((response) => void response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(AUDIO));
    }
  });

  const bodyWith = (fields: object): object => ({
    model: 'acme/speaker',
    input: INPUT,
    voice: 'alloy',
    provider: { order: ['alpha', 'beta'] },
    ...fields,
  });

  const speak = (fields: object = {}, { plaintext } = key): Promise<Answer<ErrorBody>> =>
    gateway.app.api.post<ErrorBody>(PATH, { key: plaintext, json: bodyWith(fields) });

  const open = (fields: object = {}, signal?: AbortSignal): Promise<Response> =>
    fetch(`${gateway.app.origin}/api/v1${PATH}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.plaintext}`, 'content-type': 'application/json' },
      body: JSON.stringify(bodyWith(fields)),
      ...(signal && { signal }),
    });

  const records = async (): Promise<readonly Readonly<Record<string, unknown>>[]> => {
    const rows = await gateway.app.rows<{ id: string }>('SELECT id FROM generations WHERE key_id = $1', [key.id]);
    return Promise.all(
      rows.map(async ({ id }) => {
        const { body } = await gateway.app.api.get<{ data: Record<string, unknown> }>(`/generation?id=${id}`, {
          key: key.plaintext,
        });
        return body.data;
      }),
    );
  };

  it('answers 200 with the bytes and the type of the provider, and charges each character', async () => {
    const answer = await open({
      instructions: 'Slowly.',
      provider: { order: ['alpha'], options: { alpha: { x: 1 } } },
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'audio/mpeg']);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(AUDIO);
    expect(gateway.alpha.received).toMatchObject([{ path: '/v1/audio/speech' }]);
    expect(gateway.alpha.received[0]!.body).toEqual({
      model: 'speaker',
      input: INPUT,
      voice: 'alloy',
      instructions: 'Slowly.',
      response_format: 'mp3',
      x: 1,
    });
    expect(await gateway.record(answer, key)).toMatchObject({ api_type: 'tts', status: 200, total_cost: 0.0017 });
  });

  it('answers 200 to the official client of OpenAI', async () => {
    const client = new OpenAI({ apiKey: key.plaintext, baseURL: `${gateway.app.origin}/api/v1` });
    const answer = await client.audio.speech.create({
      model: 'acme/speaker',
      voice: 'alloy',
      input: INPUT,
      response_format: 'mp3',
    });
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(AUDIO);
    const made = { model: 'acme/speaker', voice: { id: 'voice_1234' }, input: INPUT } as const;
    expect(Buffer.from(await (await client.audio.speech.create(made)).arrayBuffer())).toEqual(AUDIO);
    const received = [gateway.alpha, gateway.beta].flatMap((provider) => provider.received.map(({ body }) => body));
    expect(received).toContainEqual(expect.objectContaining({ voice: { id: 'voice_1234' } }));
  });

  it('is a 200 whose bytes come as the provider sends them', async () => {
    let finish: () => void = () => undefined;
    gateway.alpha.answerWith((response) => {
      response.writeHead(200, { 'content-type': 'audio/pcm' }).write('first');
      finish = () => void response.end('last');
    });
    const answer = await open();
    const reader = answer.body!.getReader();
    expect(Buffer.from((await reader.read()).value).toString()).toBe('first');
    finish();
    expect(Buffer.from((await reader.read()).value).toString()).toBe('last');
    expect((await reader.read()).done).toBe(true);
  });

  it('answers 200 by the next provider where one refuses, sends JSON, or nothing', async () => {
    for (const [status, type, body] of [
      [503, 'application/json', '{}'],
      [200, 'application/json', '{"error":{"message":"Busy","code":429}}'],
      [200, 'audio/mpeg', ''],
    ] as const) {
      gateway.alpha.answerWith((response) => void response.writeHead(status, { 'content-type': type }).end(body));
      expect((await speak()).text).toBe(AUDIO.toString());
    }
    expect(gateway.beta.received).toHaveLength(3);
  });

  it('answers in JSON with the 400 of a provider before the first byte', async () => {
    gateway.alpha.answerJson({ error: { message: 'There is no such voice' } }, 400);
    const refused = await speak();
    expect([refused.status, refused.body.error.message]).toEqual([400, 'There is no such voice']);
  });

  it('is a 200 that is cut where the provider breaks off, and says so in its record, at the price of the text', async () => {
    gateway.alpha.answerWith((response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' }).write('begun', () => response.destroy());
    });
    const answer = await open();
    expect(answer.status).toBe(200);
    await expect(answer.arrayBuffer()).rejects.toThrow();
    expect(await gateway.record(answer, key)).toMatchObject({ finish_reason: 'error', total_cost: 0.0017 });
  });

  it('ends the request to the provider when the client of a 200 leaves, and charges the text', async () => {
    let closed: Promise<unknown> | undefined;
    gateway.alpha.answerWith((response) => {
      closed = once(response, 'close');
      response.writeHead(200, { 'content-type': 'audio/mpeg' }).write('begun');
    });
    const client = new AbortController();
    const answer = await open({}, client.signal);
    expect(answer.status).toBe(200);
    client.abort();
    await closed;
    await until(async () => (await records()).length === 1);
    expect(await records()).toMatchObject([{ cancelled: true, total_cost: 0.0017 }]);
  });

  it('answers 402 before a provider is asked, to all but one of many at once where the budget holds one', async () => {
    const limited = await gateway.factory.key(organization, { limitUsd: 0.002 });
    const answers = await Promise.all(Array.from({ length: 6 }, () => speak({}, limited)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 402, 402, 402, 402, 402]);
    expect(gateway.alpha.received).toHaveLength(1);
  });

  it('answers 200 and charges tokens by the audio that has come, at a cost that can be calculated again', async () => {
    gateway.alpha.answerWith((response) => {
      response.writeHead(200, { 'content-type': 'audio/pcm' }).end(Buffer.alloc(24_000));
    });
    const answer = await open({ model: 'acme/token-speaker', input: 'abcdefgh', response_format: 'pcm' });
    await answer.arrayBuffer();
    expect(await gateway.record(answer, key)).toMatchObject({
      tokens_prompt: 2,
      tokens_completion: 10,
      total_cost: 0.01002,
    });
    const text = await readFile(path.join(process.cwd(), 'catalog/recompute.sql'), 'utf8');
    expect(await gateway.app.rows(text)).toEqual([]);
  });

  it('answers 403 when a content filter finds something, or a reference may be a text, and 200 with a redacted text', async () => {
    const blocking = await gateway.guardedKey(organization, {
      content_filters: [{ pattern: 'secret', action: 'block' }],
    });
    const data = Buffer.from('a secret text').toString('base64');
    for (const fields of [
      { input: 'a secret' },
      { instructions: 'a secret' },
      { voice: 'secret' },
      { voice: { id: 'secret' } },
      { voice: { id: 'alloy', secret: 1 } },
      { provider: { options: { alpha: { style: 'secret' } } } },
      { input_references: [{ type: 'input_audio', input_audio: { data, format: 'wav' } }] },
    ]) {
      expect((await speak(fields, blocking)).status).toBe(403);
    }
    expect(gateway.alpha.received).toEqual([]);
    const redacting = await gateway.guardedKey(organization, {
      content_filters: [{ pattern: 'morning', action: 'redact', label: '[TIME]' }],
    });
    expect((await speak({}, redacting)).status).toBe(200);
    expect((gateway.alpha.received[0]!.body as { input: string }).input).not.toContain('morning');
  });

  it.each([
    ['no text', { input: '' }, 'input'],
    ['a format that is none', { response_format: 'ogg' }, 'response_format'],
    ['a voice without a name', { voice: {} }, 'voice.id'],
    ['a voice of a number', { voice: 1 }, 'voice'],
    ['events', { stream_format: 'sse' }, 'stream_format'],
    ['a speed beyond all', { speed: 9 }, 'speed'],
    ['references without a recording', { input_references: [{ type: 'text', text: 'a' }] }, 'input_references'],
    ['a reference of nothing', { input_references: [{ type: 'input_audio' }] }, 'input_references[0].input_audio'],
    ['options of no object', { provider: { options: { alpha: 1 } } }, 'provider.options.alpha'],
  ])('answers 400 to %s', async (_, fields, place) => {
    const refused = await speak(fields);
    expect(refused.status).toBe(400);
    expect(refused.body.error.metadata.issues!.map((issue) => issue.path)).toContain(place);
    expect(gateway.alpha.received).toEqual([]);
  });

  it('answers 400 to a chat model', async () => {
    expect((await speak({ model: 'acme/writer' })).status).toBe(400);
  });

  it('asks for mp3 where no format is named (200), and in the public dialect for pcm (200)', async () => {
    gateway.alpha.answerWith((response) => void response.writeHead(200).end(AUDIO));
    const answer = await open({});
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'audio/mpeg']);
    expect(gateway.alpha.received).toMatchObject([{ body: { response_format: 'mp3' } }]);

    const replica = await gateway.replica({ API_DIALECT: 'public' });
    gateway.alpha.received.length = 0;
    const json = { model: 'acme/speaker', input: INPUT, voice: 'alloy', provider: { only: ['alpha'] } };
    expect((await replica.api.post('/audio/speech', { key: key.plaintext, json })).status).toBe(200);
    expect(gateway.alpha.received).toMatchObject([{ body: { response_format: 'pcm' } }]);
    await replica.stop();
  });

  describe('where no format is named and the provider does not speak mp3', () => {
    const lone = { provider: { only: ['alpha'] } };
    const refuse = (message: string): void =>
      gateway.alpha.answerWith((response, { body }) => {
        const isNamed = (body as { response_format?: string }).response_format !== undefined;
        if (!isNamed) return void response.writeHead(200, { 'content-type': 'audio/pcm' }).end(Buffer.alloc(24_000));
        response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message } }));
      });
    const asked = (): unknown[] =>
      gateway.alpha.received.map(({ body }) => (body as { response_format?: string }).response_format);

    it('answers 200 with what it speaks, and charges that alone', async () => {
      refuse("Unsupported value: 'response_format' does not support 'mp3' with this model.");
      const answer = await open({ ...lone, model: 'acme/token-speaker', input: 'abcdefgh', response_format: null });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'audio/pcm']);
      await answer.arrayBuffer();
      expect(asked()).toEqual(['mp3', undefined]);
      expect(await gateway.record(answer, key)).toMatchObject({
        total_cost: 0.01002,
        attempts: [expect.objectContaining({ status: 400 }), expect.objectContaining({ status: 200 })],
      });
    });

    it('answers 400 to a format that was named, and to a refusal of something else, without a second request', async () => {
      refuse('mp3 is not a supported output format.');
      expect((await speak({ ...lone, response_format: 'mp3' })).status).toBe(400);
      expect(asked()).toEqual(['mp3']);
      refuse('There is no such voice.');
      expect((await speak(lone)).status).toBe(400);
      expect(asked()).toEqual(['mp3']);
    });

    it('answers with 400 where it refuses to speak without a format as well', async () => {
      gateway.alpha.answerJson({ error: { message: 'response_format is required and must be pcm' } }, 400);
      expect((await speak(lone)).status).toBe(400);
      expect(asked()).toEqual(['mp3', undefined]);
    });
  });

  it('answers 200 by the builtin provider with a tone, pcm where no format is named, and 400 where it is to speak mp3', async () => {
    const echo = { model: 'gatehouse/echo-speech', provider: {}, input: 'four' };
    const wav = await open({ ...echo, response_format: 'wav' });
    const bytes = Buffer.from(await wav.arrayBuffer());
    expect([wav.headers.get('content-type'), bytes.length, bytes.toString('latin1', 0, 4)]).toEqual([
      'audio/wav',
      44 + 4 * 2_400,
      'RIFF',
    ]);
    const pcm = await open(echo);
    expect([pcm.status, pcm.headers.get('content-type')]).toEqual([200, 'audio/pcm;rate=24000;channels=1']);
    expect((await pcm.arrayBuffer()).byteLength).toBe(4 * 2_400);
    expect((await speak({ ...echo, response_format: 'mp3' })).status).toBe(400);
  });
});
