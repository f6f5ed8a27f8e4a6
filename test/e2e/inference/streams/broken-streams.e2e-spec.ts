import Anthropic from '@anthropic-ai/sdk';
import { once } from 'node:events';
import net from 'node:net';
import OpenAI from 'openai';
import { LateGenerations } from '../../../../src/modules/generations/late-generations.js';
import { filledBefore } from '../../../support/application/filled-before.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import type { ProviderAnswer } from '../../../support/network/provider-server.js';
import { until } from '../../../support/time/until.js';
import { chunk, STREAM, STREAM_HEAD } from '../provider-answers.js';
import { sharedGateway } from '../shared-gateway.js';
import { QUESTION } from '../test-gateway.js';
import { Http2Proxy } from './http2-proxy.js';

/** No connection ends by itself while a test reads. */
const WAITS = { end: 2 ** 31 - 1, close: 10_000 };

const BEGUN = chunk({ role: 'assistant', content: 'Half an ans' });

const begun = (then: ProviderAnswer): ProviderAnswer => {
  return (response, request) => {
    response.writeHead(200, STREAM_HEAD).write(BEGUN, () => void then(response, request));
  };
};

/** How streams break off, and the code of their error. */
const BREAKS: [what: string, answer: ProviderAnswer, code: number][] = [
  ['a stream of its provider that ends early', begun((response) => void response.end()), 502],
  ['a connection that is cut', begun((response) => void response.destroy()), 502],
  ['an error within a stream', begun((response) => void response.end('data: {"error":{"message":"Oops"}}\n\n')), 502],
  [
    'an error about the request',
    begun((response) => void response.end('data: {"error":{"message":"No.","code":400}}\n\n')),
    400,
  ],
  ['a provider that goes silent', begun(() => undefined), 502],
  ['a provider that gives up', begun((response) => void response.end(`${chunk({}, 'error')}data: [DONE]\n\n`)), 502],
];

const ASKED = { model: 'acme/writer', provider: { only: ['alpha'] }, stream: true };

const FORMS = [
  ['/chat/completions', { ...ASKED, messages: QUESTION }],
  ['/completions', { ...ASKED, prompt: 'What is new?' }],
  ['/messages', { ...ASKED, messages: QUESTION, max_tokens: 100 }],
  ['/responses', { ...ASKED, input: 'What is new?' }],
] as const;

describe('A stream (200) that breaks off', () => {
  const gateway = sharedGateway({ brokenAnswers: WAITS });
  const key = keyPerTest(gateway, organizationPerTest(gateway));
  const proxy = filledBefore(beforeAll, () => Http2Proxy.before(gateway.app.origin));

  beforeAll(() => gateway.limitAlpha({ gap: 300 }));

  afterAll(() => proxy.stop());

  /** Asks over a connection of its own, and ends that when the data of the last event have come. @returns all that was received */
  async function exchanged(path: string, fields: object): Promise<string> {
    const { hostname, port } = new URL(gateway.app.origin);
    const socket = net.connect(Number(port), hostname).setEncoding('utf8');
    const body = JSON.stringify(fields);
    socket.write(
      `POST /api/v1${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key.plaintext}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    let received = '';
    socket.on('data', (piece: string) => {
      received += piece;
      if (/"error":\{.*\n\n\r\n$/.test(received)) socket.end();
    });
    await once(socket, 'close');
    // A reset would be an error.
    expect(socket.errored).toBeNull();
    return received;
  }

  const lastEventOf = (received: string): Record<string, unknown> => {
    const [, data = ''] = [...received.matchAll(/^data: (.*)$/gm)].at(-1)!;
    return JSON.parse(data) as Record<string, unknown>;
  };

  describe.each(FORMS)('at %s', (path, fields) => {
    it.each(BREAKS)(
      'with %s has its error first, no last chunk and no reset, and is recorded as failed',
      async (_, answer, code) => {
        gateway.alpha.answerWith(answer);
        const received = await exchanged(path, fields);
        const last = lastEventOf(received);

        expect(received).toMatch(/^HTTP\/1\.1 200 [^]*Half an ans/);
        expect(received.endsWith('\n\n\r\n')).toBe(true);
        expect(received).not.toContain('[DONE]');
        expect(Object.keys(last)[0]).toBe('error');
        if (path.endsWith('completions')) expect(last).toMatchObject({ error: { code } });
        expect(await gateway.onlyRecord(key)).toMatchObject({ status: 200, finish_reason: 'error', cancelled: false });
      },
    );

    it('because the database is away at its end says 502, and is recorded as failed, and charged, when it is back', async () => {
      gateway.alpha.answerWith(async (response) => {
        await gateway.app.refuseWrites();
        response.writeHead(200, STREAM_HEAD).end(STREAM);
      });
      try {
        const received = await exchanged(path, fields);

        expect(received).toContain('All ');
        expect(received.endsWith('\n\n\r\n')).toBe(true);
        expect(Object.keys(lastEventOf(received))[0]).toBe('error');
        if (path.endsWith('completions')) expect(lastEventOf(received)).toMatchObject({ error: { code: 502 } });
      } finally {
        await gateway.app.takeWrites();
      }
      await gateway.app.application.get(LateGenerations).store();
      expect(await gateway.onlyRecord(key)).toMatchObject({
        status: 200,
        finish_reason: 'error',
        cancelled: false,
        total_cost: 0.00002,
      });
    });
  });

  describe.each(['HTTP/1.1', 'HTTP/2'])('over %s', (version) => {
    const through = (): { origin: string; fetch?: typeof fetch } => (version === 'HTTP/2' ? proxy : gateway.app);
    const openai = (): OpenAI => {
      const { origin, fetch } = through();
      return new OpenAI({ apiKey: key.plaintext, baseURL: `${origin}/api/v1`, maxRetries: 0, ...(fetch && { fetch }) });
    };
    const anthropic = (): Anthropic => {
      const { origin, fetch } = through();
      const options = { baseURL: `${origin}/api`, maxRetries: 0, ...(fetch && { fetch }) };
      return new Anthropic({ authToken: key.plaintext, apiKey: null, ...options });
    };

    /** The official clients, each with what it reads. */
    const READERS: [
      what: string,
      read: () => Promise<AsyncIterable<unknown>>,
      error: () => new (...of: never[]) => Error,
    ][] = [
      ['openai for chats', () => openai().chat.completions.create(FORMS[0][1] as never), () => OpenAI.APIError],
      ['openai for completions', () => openai().completions.create(FORMS[1][1] as never), () => OpenAI.APIError],
      ['@anthropic-ai/sdk', () => anthropic().messages.create(FORMS[2][1] as never), () => Anthropic.APIError],
      ['openai for responses', () => openai().responses.create(FORMS[3][1] as never), () => OpenAI.APIError],
    ] as never;

    it.each(READERS)('is an error to %s, also where its reader pauses', async (_, read, error) => {
      gateway.alpha.answerWith(BREAKS[0]![1]);
      const events: unknown[] = [];
      const reading = async (): Promise<void> => {
        for await (const event of await read()) {
          events.push(event);
          // All has been sent before it reads on.
          if (events.length === 1) await gateway.onlyRecord(key);
        }
      };
      const thrown = await reading().then(
        () => undefined,
        (reason: unknown) => reason,
      );

      expect(events.length).toBeGreaterThan(0);
      expect(thrown).toBeInstanceOf(error());
      expect((thrown as Error).message).toContain('Provider returned error');
    });
  });

  it('is an error to the helpers of the official clients', async () => {
    gateway.alpha.answerWith(BREAKS[0]![1]);
    const { origin } = gateway.app;
    const openai = new OpenAI({ apiKey: key.plaintext, baseURL: `${origin}/api/v1`, maxRetries: 0 });
    const anthropic = new Anthropic({
      authToken: key.plaintext,
      apiKey: null,
      baseURL: `${origin}/api`,
      maxRetries: 0,
    });
    const failures = await Promise.allSettled([
      openai.chat.completions.stream(FORMS[0][1] as never).finalMessage(),
      anthropic.messages.stream(FORMS[2][1] as never).finalMessage(),
      openai.responses.stream(FORMS[3][1] as never).finalResponse(),
    ]);

    expect(
      failures.map((failure) => (failure.status === 'rejected' ? String(failure.reason) : failure.status)),
    ).toEqual(Array.from({ length: 3 }, () => expect.stringContaining('Provider returned error') as string));
    await until(
      async () => (await gateway.app.rows('SELECT 1 FROM generations WHERE key_id = $1', [key.id])).length === 3,
    );
  });
});
