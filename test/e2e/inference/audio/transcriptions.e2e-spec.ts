import { readFile } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import OpenAI, { toFile } from 'openai';
import type { IssuedCredential } from '../../../../src/modules/keys/keys.service.js';
import { until } from '../../../support/time/until.js';
import type { Answer, ErrorBody } from '../../../support/network/api-client.js';
import type { ReceivedFile } from '../../../support/network/provider-server.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { importCatalog, modelEntry } from '../../../support/resources/catalog-entries.js';
import { mp3File, wavFile } from '../../../support/resources/recordings.js';
import { sharedGateway } from '../shared-gateway.js';
import { endpoint, PROVIDER_KEY } from '../test-gateway.js';

const PATH = '/audio/transcriptions';
const IN_ORDER = JSON.stringify({ order: ['alpha', 'beta'] });
const SAID = { text: 'Parcels can be returned within 30 days.', usage: { type: 'duration', seconds: 2 } };

interface Transcribed extends ErrorBody {
  readonly text: string;
  readonly usage: Readonly<Record<string, unknown>> & { readonly cost: number };
}

/** A part of a form: a text, or a file. */
type Part = readonly [name: string, value: string | Buffer, filename?: string];

describe('createAudioTranscriptions', () => {
  const gateway = sharedGateway();
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  beforeAll(async () => {
    const architecture = {
      modality: 'audio->transcription',
      input_modalities: ['audio'],
      output_modalities: ['transcription'],
    };
    const perSecond = { pricing: { prompt: '0', completion: '0', second: '0.0001' } };
    const perToken = { pricing: { prompt: '0.00001', completion: '0.00002', audio: '0.00003' } };
    await importCatalog(gateway.app, {
      models: ['acme/scribe', 'acme/token-scribe', 'acme/scribe-diarize', 'gatehouse/echo-transcription'].map((id) =>
        modelEntry(id, { architecture }),
      ),
      endpoints: [
        { id: 'acme/scribe', endpoints: [endpoint('alpha', perSecond), endpoint('beta', perSecond)] },
        { id: 'acme/token-scribe', endpoints: [endpoint('alpha', perToken)] },
        { id: 'acme/scribe-diarize', endpoints: [endpoint('alpha', perToken), endpoint('beta', perToken)] },
        { id: 'gatehouse/echo-transcription', endpoints: [endpoint('gatehouse', perSecond)] },
      ],
    });
  });

  beforeEach(() => {
    for (const provider of [gateway.alpha, gateway.beta]) provider.answerJson(SAID);
  });

  const send = (parts: readonly Part[], { plaintext } = key): Promise<Answer<Transcribed>> => {
    const boundary = 'form-boundary';
    const pieces = parts.flatMap(([name, value, filename]) => [
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"`),
      Buffer.from(filename === undefined ? '' : `; filename="${filename}"\r\nContent-Type: audio/wav`),
      Buffer.from('\r\n\r\n'),
      Buffer.from(value),
      Buffer.from('\r\n'),
    ]);
    return gateway.app.api.post<Transcribed>(PATH, {
      key: plaintext,
      raw: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    });
  };

  const transcribe = (fields: Readonly<Record<string, string>> = {}, file = wavFile(2)): Promise<Answer<Transcribed>> =>
    send([
      ['file', file, 'dictation of Jane.wav'],
      ...Object.entries({ model: 'acme/scribe', provider: IN_ORDER, ...fields }),
    ]);

  it('answers 200 with the text, also where the file comes before the fields, and hands on the file once', async () => {
    const file = wavFile(2);
    const prompt = 'Gatehouse; "quoted"\r\nnames';
    const answer = await transcribe({
      prompt,
      language: 'en',
      'timestamp_granularities[]': 'word',
      vad_filter: 'true',
    });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        text: SAID.text,
        usage: {
          type: 'duration',
          seconds: 2,
          cost: 0.0002,
          is_byok: false,
          cost_details: {
            upstream_inference_cost: null,
            upstream_inference_prompt_cost: 0.0002,
            upstream_inference_completions_cost: 0,
          },
        },
      },
    ]);
    const [received] = gateway.alpha.received;
    expect(received).toMatchObject({
      path: '/v1/audio/transcriptions',
      headers: { authorization: `Bearer ${PROVIDER_KEY}` },
      body: {
        model: ['scribe'],
        prompt: [prompt],
        language: ['en'],
        response_format: ['json'],
        'timestamp_granularities[]': ['word'],
        vad_filter: ['true'],
      },
    });
    const { file: files, ...others } = received!.body as { file: [ReceivedFile] };
    expect(Object.keys(others)).not.toContain('provider');
    // The name of the file is the client's own business.
    expect(files).toEqual([{ name: 'audio.wav', type: 'audio/wav', bytes: file }]);
    expect(await gateway.record(answer, key)).toMatchObject({
      api_type: 'stt',
      total_cost: 0.0002,
      num_input_audio_prompt: 1,
    });
  });

  it('answers 200 to the official client of OpenAI, with segments where it asks for them', async () => {
    const details = {
      task: 'transcribe',
      language: 'english',
      duration: '2.5',
      segments: [{ id: 0, text: 'Parcels' }],
    };
    for (const provider of [gateway.alpha, gateway.beta]) provider.answerJson({ ...details, text: SAID.text });
    const client = new OpenAI({ apiKey: key.plaintext, baseURL: `${gateway.app.origin}/api/v1` });
    const file = await toFile(mp3File(40_000), 'speech.mp3');
    const answer = await client.audio.transcriptions.create({
      file,
      model: 'acme/scribe',
      response_format: 'verbose_json',
      timestamp_granularities: ['segment'],
    });
    expect(answer).toMatchObject({
      ...details,
      duration: 2.5,
      text: SAID.text,
      usage: { seconds: 2.5, cost: 0.00025 },
    });
  });

  const segment = { type: 'transcript.text.segment', id: 'seg_1', start: 0, end: 1.5, text: 'Hello', speaker: 'Jane' };
  const spoken = { task: 'transcribe', duration: 2, text: 'Hello', segments: [segment] };

  it('says to the official client of OpenAI who speaks, and is a 402 where a budget does not hold the recordings of speakers too', async () => {
    gateway.alpha.answerJson({ ...spoken, usage: { type: 'tokens', input_tokens: 20, output_tokens: 10 } });
    const voice = `data:audio/wav;base64,${wavFile(3).toString('base64')}`;
    const transcription = async (apiKey: string): Promise<OpenAI.Audio.TranscriptionDiarized> => {
      const client = new OpenAI({ apiKey, baseURL: `${gateway.app.origin}/api/v1`, maxRetries: 0 });
      const request: OpenAI.Audio.TranscriptionCreateParamsNonStreaming = {
        file: await toFile(wavFile(2), 'speech.wav'),
        model: 'acme/scribe-diarize',
        response_format: 'diarized_json',
        chunking_strategy: 'auto',
        known_speaker_names: ['Jane'],
        known_speaker_references: [voice],
        ...{ provider: IN_ORDER },
      };
      // The library's own method names the type of the short form for it.
      return (await client.audio.transcriptions.create(request)) as unknown as OpenAI.Audio.TranscriptionDiarized;
    };
    expect(await transcription(key.plaintext)).toEqual({
      ...spoken,
      usage: expect.objectContaining({ type: 'tokens', input_tokens: 20, output_tokens: 10, total_tokens: 30 }),
    });
    expect(gateway.alpha.received[0]!.body).toMatchObject({
      response_format: ['diarized_json'],
      chunking_strategy: ['auto'],
      'known_speaker_names[]': ['Jane'],
      'known_speaker_references[]': [voice],
    });
    // Five seconds at 32 tokens of 0.00003, and at 8 of 0.00002 for two of them, with 256 besides.
    const needed = 5 * 32 * 0.00003 + (2 * 8 + 256) * 0.00002;
    const [short, enough] = [needed * 0.9, needed * 1.1].map((limitUsd) =>
      gateway.factory.key(organization, { limitUsd }),
    );
    await expect(transcription((await short!).plaintext)).rejects.toMatchObject({ status: 402 });
    expect((await transcription((await enough!).plaintext)).segments).toEqual([segment]);
  });

  it('answers 200 by the next provider where the first does not say who speaks, and 404 where no model of the request does', async () => {
    gateway.alpha.answerJson({ ...spoken, segments: [{ ...segment, speaker: undefined }] });
    gateway.beta.answerJson(spoken);
    const answer = await transcribe({ model: 'acme/scribe-diarize', response_format: 'diarized_json' });
    expect([answer.status, answer.body]).toMatchObject([200, { ...spoken, usage: { type: 'duration', seconds: 2 } }]);
    const refused = await transcribe({ response_format: 'diarized_json' });
    expect([refused.status, refused.body]).toMatchObject([
      404,
      { error: { availability: { code: 'constraint_filtered', excluded_by: ['require_parameters'] } } },
    ]);
    const { body } = await gateway.app.api.get<{
      data: { endpoints: { model_id: string; supports_diarization: boolean }[] };
    }>('/models/acme/scribe-diarize/endpoints', { key: key.plaintext });
    expect(body.data.endpoints.map((one) => one.supports_diarization)).toEqual([true, true]);
  });

  it('answers 400 to a speaker at an address, and 403 under a content filter where the recording of one is a text', async () => {
    const request = (voice: string, { plaintext } = key): Promise<Answer<Transcribed>> =>
      gateway.app.api.post<Transcribed>(PATH, {
        key: plaintext,
        json: {
          model: 'acme/scribe-diarize',
          input_audio: { data: wavFile(1).toString('base64'), format: 'wav' },
          response_format: 'diarized_json',
          known_speaker_names: ['Jane'],
          known_speaker_references: [voice],
        },
      });
    for (const provider of [gateway.alpha, gateway.beta]) provider.answerJson(spoken);
    const refused = await request('https://voices.example/jane.wav');
    expect([refused.status, refused.body.error.message]).toEqual([
      400,
      'Invalid request parameters: known_speaker_references[0] must be a data URL of a recording in base64',
    ]);
    const guarded = await gateway.guardedKey(organization, {
      content_filters: [{ pattern: 'secret', action: 'block' }],
    });
    const dataUrl = (bytes: Buffer): string => `data:audio/wav;base64,${bytes.toString('base64')}`;
    expect((await request(dataUrl(Buffer.from('this is a secret')), guarded)).status).toBe(403);
    expect((await request(dataUrl(wavFile(3)), guarded)).status).toBe(200);
  });

  it.each([
    ['the official client of the public interface does', 'word,segment'],
    ['people do', 'word, segment'],
  ])('answers 200 where all words of a list are in one part, as %s', async (_, words) => {
    expect((await transcribe({ 'timestamp_granularities[]': words })).status).toBe(200);
    expect(gateway.alpha.received[0]!.body).toMatchObject({ 'timestamp_granularities[]': ['word', 'segment'] });
    const refused = await transcribe({ 'timestamp_granularities[]': 'word,char' });
    expect([refused.status, refused.body.error.message]).toEqual([
      400,
      'Invalid request parameters: timestamp_granularities[1] must be one of word, segment',
    ]);
  });

  it('answers 200 to JSON, and charges tokens as the provider counts them', async () => {
    const usage = { input_tokens: 20, output_tokens: 10, total_tokens: 30, input_token_details: { audio_tokens: 20 } };
    gateway.alpha.answerJson({ text: 'Hello', usage });
    const json = {
      model: 'acme/token-scribe',
      input_audio: { data: wavFile(1).toString('base64'), format: 'wav' },
      provider: { options: { alpha: { chunking_strategy: 'auto', model: 'another' }, beta: { other: 1 } } },
    };
    const answer = await gateway.app.api.post<Transcribed>(PATH, { key: key.plaintext, json });
    expect(answer.status).toBe(200);
    expect(answer.body.usage).toMatchObject({
      type: 'tokens',
      input_tokens: 20,
      input_token_details: { audio_tokens: 20, text_tokens: 0 },
      output_tokens: 10,
      total_tokens: 30,
      cost: 0.0008,
    });
    expect(gateway.alpha.received[0]!.body).toMatchObject({ model: ['token-scribe'], chunking_strategy: ['auto'] });
    expect(gateway.alpha.received[0]!.body).not.toHaveProperty('other');
  });

  it('answers 200 by the next provider, which gets the same file, and charges no more seconds than there can be', async () => {
    gateway.alpha.answerJson({ error: { message: 'Busy' } }, 503);
    gateway.beta.answerJson({ text: 'Hello', usage: { seconds: 100_000 } });
    const answer = await transcribe();
    expect([answer.status, answer.body.usage.cost]).toEqual([200, 0.0002]);
    const sent = [gateway.alpha, gateway.beta].map(({ received }) => (received[0]!.body as { file: unknown }).file);
    expect(sent[1]).toEqual(sent[0]);
  });

  it('answers 402 before a provider is asked where the budget does not hold the longest recording of that size', async () => {
    const limited = await gateway.factory.key(organization, { limitUsd: 0.001 });
    const parts: Part[] = [
      ['model', 'acme/scribe'],
      ['file', mp3File(40_000), 'speech.mp3'],
    ];
    expect((await send(parts, limited)).status).toBe(402);
    // A WAV file says itself how long it is.
    expect((await send([parts[0]!, ['file', wavFile(3), 'speech.wav']], limited)).status).toBe(200);
    expect(gateway.alpha.received.length + gateway.beta.received.length).toBe(1);
  });

  it.each([
    [402, 0.014],
    [200, 0.02],
  ])(
    'answers %i for a recording that is charged by tokens, with a limit of %d: the most tokens are reserved',
    async (status, limitUsd) => {
      const limited = await gateway.factory.key(organization, { limitUsd });
      const parts: Part[] = [
        ['model', 'acme/token-scribe'],
        ['file', wavFile(10), 'speech.wav'],
      ];
      expect((await send(parts, limited)).status).toBe(status);
    },
  );

  it('answers one of many requests with 200 and all others with 402 where the budget holds one', async () => {
    const limited = await gateway.factory.key(organization, { limitUsd: 0.00035 });
    const parts: Part[] = [
      ['model', 'acme/scribe'],
      ['file', wavFile(2), 'speech.wav'],
    ];
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(parts, limited)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 402)]);
  });

  it('answers 504 where no provider has answered in time', async () => {
    for (const provider of [gateway.alpha, gateway.beta]) provider.answerJson({ error: { message: 'Late' } }, 504);
    const answer = await transcribe();
    expect([answer.status, answer.body.error.metadata.reason]).toEqual([504, 'provider_timed_out']);
    expect(await gateway.record(answer, key)).toMatchObject({ status: 504, total_cost: 0 });
  });

  it('answers 403 when a content filter finds something in the prompt, in the options, or a text in place of a recording', async () => {
    const guarded = await gateway.guardedKey(organization, {
      content_filters: [{ pattern: 'secret', action: 'block' }],
    });
    const options = JSON.stringify({ options: { alpha: { hotwords: 'a secret' } } });
    const file: Part = ['file', wavFile(1), 'speech.wav'];
    const model: Part = ['model', 'acme/scribe'];
    for (const parts of [
      [model, file, ['prompt', 'a secret']],
      [model, file, ['provider', options]],
      [model, ['file', Buffer.from('a secret'), 'speech.wav']],
    ] satisfies Part[][]) {
      expect((await send(parts, guarded)).status).toBe(403);
    }
    expect((await send([model, file], guarded)).status).toBe(200);
  });

  it('answers 200 and redacts the prompt for the provider, and in what is logged', async () => {
    await gateway.app.api.patch(`/workspaces/${organization.workspaceId}`, {
      key: organization.managementKey,
      json: { is_observability_io_logging_enabled: true },
    });
    const guarded = await gateway.guardedKey(organization, {
      content_filters: [{ pattern: 'Jane', action: 'redact', label: '[NAME]' }],
    });
    const answer = await send(
      [
        ['model', 'acme/scribe'],
        ['provider', IN_ORDER],
        ['prompt', 'Jane speaks'],
        ['file', wavFile(1), 'speech.wav'],
      ],
      guarded,
    );
    expect(answer.status).toBe(200);
    const sent = gateway.alpha.received[0]!.body as { prompt: [string] };
    expect(sent.prompt[0]).not.toContain('Jane');
    const id = answer.headers.get('x-generation-id')!;
    const { body } = await gateway.app.api.get(`/generation/content?id=${id}`, { key: organization.managementKey });
    expect(body).toMatchObject({ data: { input: { prompt: sent.prompt[0] }, output: { completion: SAID.text } } });
  });

  const SPELLED = {
    text: 'Write to jane.roe@example.com.',
    language: 'en',
    words: [{ word: 'jane.roe@example.com', start: 0, end: 1 }],
    segments: [{ id: 0, start: 0, end: 2, text: 'Write to jane.roe@example.com.' }],
    usage: { type: 'duration', seconds: 2 },
  };

  const filtering = (action: string): Promise<IssuedCredential> =>
    gateway.guardedKey(organization, {
      content_filter_builtins: [{ slug: 'email', action, applies_to: ['response'] }],
    });

  const spell = async (guarded: IssuedCredential): Promise<Answer<Transcribed>> => {
    gateway.alpha.answerJson(SPELLED);
    return send(
      [
        ['model', 'acme/scribe'],
        ['provider', IN_ORDER],
        ['response_format', 'verbose_json'],
        ['file', wavFile(2), 'speech.wav'],
      ],
      guarded,
    );
  };

  it('answers 200 without what a filter of answers takes out, and leaves out when it was said', async () => {
    const guarded = await filtering('redact');
    const answer = await spell(guarded);

    expect([answer.status, answer.body]).toMatchObject([200, { text: 'Write to [EMAIL].', language: 'en' }]);
    expect(JSON.stringify(answer.body)).not.toMatch(/jane|words|segments/);
    expect(await gateway.record(answer, guarded)).toMatchObject({
      status: 200,
      guardrail_actions: [{ filter: 'email', action: 'redact', place: 'response' }],
    });
  });

  it('answers 403 where a filter of answers blocks what was said, charges it, and asks no other provider', async () => {
    const guarded = await filtering('block');
    const answer = await spell(guarded);

    expect([answer.status, answer.body.error.metadata.reason]).toEqual([403, 'content_blocked']);
    expect(JSON.stringify(answer.body)).not.toContain('jane');
    expect(gateway.beta.received).toEqual([]);
    expect(await gateway.record(answer, guarded)).toMatchObject({
      status: 403,
      refusal: 'content_blocked',
      total_cost: 0.0002,
      guardrail_actions: [{ filter: 'email', action: 'block', place: 'response' }],
    });
  });

  it('answers 200 with all that was said where a filter of answers only reports it', async () => {
    const guarded = await filtering('flag');
    const answer = await spell(guarded);

    expect([answer.status, answer.body]).toMatchObject([200, { text: SPELLED.text, words: SPELLED.words }]);
    expect(await gateway.record(answer, guarded)).toMatchObject({
      guardrail_actions: [{ filter: 'email', action: 'flag', place: 'response' }],
    });
  });

  it.each<[string, readonly Part[], string]>([
    ['no file', [['model', 'acme/scribe']], 'file'],
    [
      'a text in place of a file',
      [
        ['model', 'acme/scribe'],
        ['file', 'abc'],
      ],
      'file',
    ],
    [
      'an empty file',
      [
        ['model', 'acme/scribe'],
        ['file', '', 'a.wav'],
      ],
      'file',
    ],
    [
      'two files',
      [
        ['file', 'abc', 'a.wav'],
        ['file', 'abc', 'b.wav'],
        ['model', 'm'],
      ],
      'file',
    ],
    [
      'a file that is none of the form',
      [
        ['file', 'abc', 'a.wav'],
        ['other', 'abc', 'b.wav'],
        ['model', 'm'],
      ],
      'other',
    ],
    [
      'a file without a name',
      [
        ['', 'abc', 'a.wav'],
        ['model', 'm'],
      ],
      '',
    ],
    [
      'a field twice',
      [
        ['file', 'abc', 'a.wav'],
        ['model', 'm'],
        ['model', 'n'],
      ],
      'model',
    ],
    [
      'a huge field',
      [
        ['file', 'abc', 'a.wav'],
        ['model', 'm'],
        ['prompt', 'p'.repeat(300_000)],
      ],
      'prompt',
    ],
    [
      'a NUL',
      [
        ['file', 'abc', 'a.wav'],
        ['model', 'm'],
        ['prompt', 'p\0'],
      ],
      'prompt',
    ],
    [
      'subtitles',
      [
        ['file', 'abc', 'a.wav'],
        ['model', 'm'],
        ['response_format', 'srt'],
      ],
      'response_format',
    ],
    [
      'a stream',
      [
        ['file', 'abc', 'a.wav'],
        ['model', 'm'],
        ['stream', 'true'],
      ],
      'stream',
    ],
    [
      'no number',
      [
        ['file', 'abc', 'a.wav'],
        ['model', 'm'],
        ['temperature', 'hot'],
      ],
      'temperature',
    ],
    [
      'no JSON',
      [
        ['file', 'abc', 'a.wav'],
        ['model', 'm'],
        ['trace', '{'],
      ],
      'trace',
    ],
    [
      'options of no object',
      [
        ['file', 'a', 'a.wav'],
        ['model', 'm'],
        ['provider', '{"options":{"a":1}}'],
      ],
      'provider.options.a',
    ],
    ['too many fields', Array.from({ length: 70 }, (_, index) => [`f${index}`, 'x'] as const), ''],
  ])('answers 400 to %s', async (_, parts, place) => {
    const refused = await send(parts);
    expect(refused.status).toBe(400);
    expect(refused.body.error.metadata.issues!.map((issue) => issue.path)).toContain(place);
    expect(gateway.alpha.received).toEqual([]);
  });

  it.each([
    ['without a boundary', 'multipart/form-data', 'abc', 'malformed_body'],
    [
      'with a head that is none',
      'multipart/form-data; boundary=b',
      '--b\r\nnot a head\r\n\r\nabc\r\n--b--',
      'malformed_body',
    ],
    [
      'that breaks off in a file',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\nabc',
      'malformed_body',
    ],
    [
      'without an end',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="model"\r\n\r\nabc\r\n',
      'malformed_body',
    ],
    ['of another type', 'application/x-www-form-urlencoded', 'model=m', 'unsupported_content_type'],
    [
      'of 1,000,000 parts without a name',
      'multipart/form-data; boundary=b',
      `${'--b\r\nA: b\r\n\r\nc\r\n'.repeat(1_000_000)}--b--`,
      'invalid_parameters',
    ],
  ])('answers 400 to a form %s', async (_, type, raw, reason) => {
    const refused = await gateway.app.api.post<ErrorBody>(PATH, {
      key: key.plaintext,
      raw,
      headers: { 'content-type': type },
    });
    expect([refused.status, refused.body.error.metadata.reason]).toEqual([400, reason]);
  });

  it.each([
    ['a data URL', { data: 'data:audio/wav;base64,UklGRg==', format: 'wav' }, 'input_audio.data'],
    ['nothing', { data: '==', format: 'wav' }, 'input_audio.data'],
    ['a format that is none', { data: 'UklGRg==', format: '../wav' }, 'input_audio.format'],
    ['no format', { data: 'UklGRg==' }, 'input_audio.format'],
    ['no recording', undefined, 'input_audio'],
  ])('answers 400 to JSON with %s', async (_, audio, place) => {
    const json = { model: 'acme/scribe', input_audio: audio };
    const refused = await gateway.app.api.post<ErrorBody>(PATH, { key: key.plaintext, json });
    expect(refused.status).toBe(400);
    expect(refused.body.error.metadata.issues!.map((issue) => issue.path)).toContain(place);
  });

  it('answers 413 to a file of more than 25 MiB, and 200 to one of as much', async () => {
    const model = 'gatehouse/echo-transcription';
    const refused = await transcribe({ model }, mp3File(25 * 1024 ** 2 + 1));
    expect([refused.status, refused.body.error.metadata]).toMatchObject([413, { limit_bytes: 25 * 1024 ** 2 }]);
    expect((await transcribe({ model, provider: '{}' }, mp3File(25 * 1024 ** 2))).status).toBe(200);
  });

  it('frees the memory of forms whose clients leave within the file, and answers 200 to the next one', async () => {
    // Of incomplete bodies an organization may have 32 MiB.
    for (let index = 0; index < 2; index += 1) {
      const request = http.request(`${gateway.app.origin}/api/v1${PATH}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key.plaintext}`,
          'content-type': 'multipart/form-data; boundary=b',
          'content-length': 24 * 1024 ** 2,
        },
      });
      request.on('error', () => undefined);
      request.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\n');
      await new Promise((resolve) => request.write(Buffer.alloc(18 * 1024 ** 2), resolve));
      request.destroy();
    }
    await until(async () => (await transcribe()).status === 200);
    expect(gateway.alpha.received).toHaveLength(1);
  });

  it('answers 400 to a chat model', async () => {
    expect((await transcribe({ model: 'acme/writer' })).status).toBe(400);
  });

  it('answers 200 at a cost that can be calculated again from the record', async () => {
    gateway.alpha.answerJson({ ...SAID, usage: { seconds: 1.2345 } });
    expect((await transcribe()).status).toBe(200);
    const text = await readFile(path.join(process.cwd(), 'catalog/recompute.sql'), 'utf8');
    expect(await gateway.app.rows(text)).toEqual([]);
  });

  it('answers 200 by the builtin provider, which says how long a recording is', async () => {
    const { status, body } = await transcribe({ model: 'gatehouse/echo-transcription', provider: '{}' });
    expect([status, body.text]).toEqual([200, 'A recording of 32044 bytes, about 2 seconds long.']);
  });
});
