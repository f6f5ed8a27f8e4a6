import type { IssuedCredential } from '../../../../src/modules/keys/keys.service.js';
import type { Answer, ErrorBody } from '../../../support/network/api-client.js';
import { ANSWER, messagesRequests, WRITER } from '../messages/messages-requests.js';
import { embeddings } from '../provider-answers.js';

const TEXT = 'Patient jane@example.com, SSN 123-45-6789.';

/** The smallest image of its kind. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** The beginnings of a video, a document and a recording. */
const VIDEO = 'AAAAGGZ0eXBpc29tAAAAAA==';
const PDF = 'JVBERi0xLjQKJcOkAA==';
const RECORDING = 'UklGRgAAAABXQVZFZm10IA==';

/** What is no base64. */
const OUT_OF_FORM = [TEXT, `${PNG}#a@example.com`, `${PNG}?x`, `${PNG} ${TEXT}`];

const said = (part: object): object => ({ messages: [{ role: 'user', content: [part] }] });

const ofUrl = (type: string, url: string): object => said({ type, [type]: { url } });

const image = (url: string): object => ofUrl('image_url', url);

const shown = (data: string): object => ({
  type: 'image_url',
  image_url: { url: `data:image/png;base64,${data}` },
});

/** Requests of chats with data, by what has the data, and data of that kind. */
const CHATS = [
  ['the address of an image', (data: string) => image(`data:image/png;base64,${data}`), PNG],
  ['the address of a video', (data: string) => ofUrl('video_url', `data:video/mp4;base64,${data}`), VIDEO],
  ['a file', (data: string) => said({ type: 'file', file: { file_data: `data:application/pdf;base64,${data}` } }), PDF],
  ['a recording', (data: string) => said({ type: 'input_audio', input_audio: { data, format: 'wav' } }), RECORDING],
  ['a recording in a text', (data: string) => said({ type: 'text', text: '.', input_audio: { data } }), RECORDING],
  [
    'a recording beside a text',
    (data: string) => ({ messages: [{ role: 'user', content: '.', audio: { data } }] }),
    RECORDING,
  ],
  ['an image of an answer', (data: string) => ({ messages: [{ role: 'assistant', images: [shown(data)] }] }), PNG],
  ['a prediction', (data: string) => ({ prediction: { type: 'content', content: [shown(data)] } }), PNG],
] as const;

/** Contents of `/messages` with data. */
const BLOCKS = [
  ['an image', (data: string) => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }), PNG],
  [
    'a document',
    (data: string) => ({ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data } }),
    PDF,
  ],
] as const;

/** Parts of `/responses` with data. */
const PARTS = [
  ['an image', (data: string) => ({ type: 'input_image', image_url: `data:image/png;base64,${data}` }), PNG],
  ['a video', (data: string) => ({ type: 'input_video', video_url: `data:video/mp4;base64,${data}` }), VIDEO],
  ['a file', (data: string) => ({ type: 'input_file', file_data: `data:application/pdf;base64,${data}` }), PDF],
  ['a recording', (data: string) => ({ type: 'input_audio', input_audio: { data, format: 'wav' } }), RECORDING],
] as const;

/** Parts of inputs of embeddings with data. */
const INPUTS = [
  ['an image', (data: string) => shown(data)],
  ['a recording', (data: string) => ({ type: 'input_audio', input_audio: { data, format: 'mp3' } })],
  ['a video', (data: string) => ({ type: 'input_video', input_video: { data, format: 'mp4' } })],
  ['a file', (data: string) => ({ type: 'input_file', input_file: { data, format: 'pdf' } })],
] as const;

describe('the content filters of media', () => {
  const { gateway, organization, key, ask } = messagesRequests();

  const guarded = (action: string): Promise<IssuedCredential> =>
    gateway.guardedKey(organization, { content_filter_builtins: [{ slug: 'email', action }] });

  const guardedBy = (action: string): Promise<IssuedCredential> =>
    gateway.guardedKey(organization, { content_filters: [{ pattern: 'PROJECT-[0-9]{4}', action }] });

  /** Expects that data which are no base64 get nowhere. @param send sends a request with these data */
  const expectUnread = async (send: (data: string) => Promise<Answer<ErrorBody>>): Promise<void> => {
    for (const data of OUT_OF_FORM) {
      const { status, body } = await send(data);
      expect([data, status, body.error.metadata]).toMatchObject([data, 403, { reason: 'input_not_scannable' }]);
    }
    expect([...gateway.alpha.received, ...gateway.beta.received]).toEqual([]);
  };

  const respond = (by: { plaintext: string }, part: object) =>
    gateway.app.api.post<ErrorBody>('/responses', {
      key: by.plaintext,
      json: { model: WRITER, provider: { order: ['alpha'] }, input: [{ role: 'user', content: [part] }] },
    });

  const embedded = (part: object): object => ({ input: [{ content: [part] }] });

  it.each(CHATS)('answer 403 for what is no base64 in %s of a chat', async (_, fieldsOf) => {
    const by = await guarded('redact');
    await expectUnread((data) => gateway.ask(by, fieldsOf(data)));
  });

  it.each(BLOCKS)('answer 403 for what is no base64 in %s of a message', async (_, blockOf) => {
    const by = await guarded('block');
    await expectUnread((data) => ask({ messages: [{ role: 'user', content: [blockOf(data)] }] }, {}, by));
  });

  it.each(PARTS)('answer 403 for what is no base64 in %s of a response', async (_, partOf) => {
    const by = await guarded('flag');
    await expectUnread((data) => respond(by, partOf(data)));
  });

  it.each(INPUTS)('answer 403 for what is no base64 in %s of embeddings', async (_, partOf) => {
    const by = await guarded('block');
    await expectUnread((data) => gateway.embed(by, embedded(partOf(data))));
  });

  it('answer 200 for media in base64, which are sent as they are', async () => {
    const by = await guarded('block');
    const message = { role: 'assistant', content: '.', images: [shown(PNG)] };
    const messages = [{ ...message, audio: { id: 'a', data: RECORDING } }];
    const answer = await gateway.ask(by, { messages });
    const [asked] = gateway.alpha.received;
    gateway.alpha.answerJson(embeddings([[1]]));
    const embedding = await gateway.embed(by, embedded(shown(PNG)));

    expect([answer.status, embedding.status]).toEqual([200, 200]);
    // A provider knows what it has said by its id.
    expect(asked!.body).toMatchObject({ messages: [{ ...message, audio: { id: 'a' } }] });
    expect(gateway.alpha.received[0]!.body).toMatchObject(embedded(shown(PNG)));
  });

  it('let media in base64 pass in every form: 404, because the model reads none', async () => {
    const by = await guarded('block');
    const answers = [
      ...(await Promise.all(CHATS.slice(0, 4).map(([, fieldsOf, data]) => gateway.ask<ErrorBody>(by, fieldsOf(data))))),
      ...(await Promise.all(PARTS.map(([, partOf, data]) => respond(by, partOf(data))))),
      await ask<ErrorBody>(
        { messages: [{ role: 'user', content: BLOCKS.map(([, blockOf, data]) => blockOf(data)) }] },
        {},
        by,
      ),
    ];

    expect(new Set(answers.map(({ status, body }) => `${status} ${body.error.metadata.reason}`))).toEqual(
      new Set(['404 no_endpoints']),
    );
  });

  it.each([
    ['application/vnd.ms-excel', 'people.csv'],
    ['application/pdf', 'a.pdf'],
    ['image/plain', 'a.png'],
  ])(
    'answer 403 for what is blocked in a text in base64 as %s, and else hand the file on: 404, because the model reads none',
    async (type, filename) => {
      const file = (text: string): object => ({
        type: 'file',
        file: { filename, file_data: `data:${type};base64,${btoa(text)}` },
      });
      const answer = await gateway.ask(await guarded('redact'), said(file('name;jane@example.com')));

      // Whatever a model makes of it: it reads no files, so only the filter tells.
      expect([answer.status, answer.body]).toMatchObject([404, { error: { metadata: { reason: 'no_endpoints' } } }]);
      const blocked = await gateway.ask<ErrorBody>(await guarded('block'), said(file('name;jane@example.com')));
      expect([blocked.status, blocked.body.error.metadata]).toMatchObject([403, { reason: 'content_blocked' }]);
    },
  );

  it('answer 403 for what a name in front of a text makes of it, and 200 without it', async () => {
    const secrets = (action: string) =>
      gateway.guardedKey(organization, { content_filter_builtins: [{ slug: 'secrets', action }] });
    const messages = [{ role: 'user', name: 'password', content: 'Tr0ub4dor&3xyz' }];
    const blocked = await gateway.ask<ErrorBody>(await secrets('block'), { messages });
    expect([blocked.status, blocked.body.error.metadata]).toMatchObject([403, { reason: 'content_blocked' }]);

    expect((await gateway.ask(await secrets('redact'), { messages })).status).toBe(200);
    expect(gateway.alpha.received[0]!.body).toMatchObject({
      messages: [{ role: 'user', content: 'password: [SECRET]' }],
    });
  });

  it('answer 200 for anything where no filter applies', async () => {
    const answer = await gateway.ask(key, { messages: [{ role: 'user', content: '.', audio: { data: TEXT } }] });
    expect(answer.status).toBe(200);
    expect(gateway.alpha.received[0]!.body).toMatchObject({ messages: [{ audio: { data: TEXT } }] });
  });

  it.each([
    ['the type of an image', image(`data:image/PROJECT-1234;base64,${PNG}`)],
    ['the format of a recording', said({ type: 'input_audio', input_audio: { data: 'AAAA', format: 'PROJECT-1234' } })],
    ['the form of reasoning', { messages: [{ role: 'assistant', reasoning_details: [{ format: 'PROJECT-1234' }] }] }],
  ])('answer 403 for what is blocked in %s', async (_, fields) => {
    const { status, body } = await gateway.ask<ErrorBody>(await guardedBy('block'), fields);

    expect([status, body.error.metadata]).toMatchObject([403, { reason: 'content_blocked' }]);
    expect(gateway.alpha.received).toEqual([]);
  });

  it('answer 403 for what is blocked in the names of betas, and 200 without those that are redacted', async () => {
    gateway.beta.answerJson(ANSWER);
    const headers = { 'anthropic-beta': 'a-1,PROJECT-1234, b-2' };
    const provider = { only: ['beta'] };
    const blocked = await ask<ErrorBody>({ provider }, headers, await guardedBy('block'));
    expect([blocked.status, blocked.body.error.metadata]).toMatchObject([403, { reason: 'content_blocked' }]);
    expect(gateway.beta.received).toEqual([]);

    const by = await guardedBy('redact');
    expect((await ask({ provider }, headers, by)).status).toBe(200);
    expect((await ask({ provider }, { 'anthropic-beta': 'PROJECT-1234' }, by)).status).toBe(200);
    expect(gateway.beta.received.map((received) => received.headers['anthropic-beta'])).toEqual([
      'a-1, b-2',
      undefined,
    ]);
  });
});
