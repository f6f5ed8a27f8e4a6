import type { ServerResponse } from 'node:http';
import type { IssuedCredential } from '../../../../src/modules/keys/keys.service.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { type ModelAnswer, TOKENS } from '../../../support/network/model-answers.js';
import type { ReceivedRequest } from '../../../support/network/provider-server.js';
import type { TestGateway } from '../test-gateway.js';
import { CLIENT_FORMS, type ClientForm, type Question, readOf, streamedEvents } from './plain-clients.js';

type Fields = Readonly<Record<string, unknown>>;

/** What a request is about, and what the model answers. */
interface Exchange {
  readonly question: Question;
  readonly answer: ModelAnswer;
}

const CALL = { id: 'tooluse_1', name: 'weather', input: { city: 'Ulm' } };
const OTHER = { id: 'tooluse_2', name: 'weather', input: { city: 'Bonn' } };
const THOUGHT = { text: 'I look it up.', signature: 'c2lnbmF0dXJl' };
const SAID: ModelAnswer = { text: 'It is 7 °C 😀.', tokens: TOKENS };

/** The exchanges of the table, by their names. */
export const EXCHANGES = {
  text: { question: { text: 'Weather?', instructions: 'Be short.' }, answer: SAID },
  'a length that is reached': { question: { text: 'Weather?' }, answer: { ...SAID, end: 'length' } },
  'a tool': { question: { text: 'Weather?', tool: true }, answer: { calls: [CALL], tokens: TOKENS } },
  'parallel tools': {
    question: { text: 'Weather?', tool: true },
    answer: { text: 'I look.', calls: [CALL, OTHER], tokens: TOKENS },
  },
  thinking: {
    question: { text: 'Weather?', thinks: true, tool: true },
    answer: { thought: THOUGHT, calls: [CALL], tokens: TOKENS },
  },
  'an image': { question: { text: 'What is it?', image: true }, answer: SAID },
  'a PDF': { question: { text: 'What is it?', pdf: true }, answer: SAID },
  'structured output': {
    question: { text: 'Where?', schema: true },
    answer: { text: '{"city":"Ulm"}', tokens: TOKENS },
  },
  'a mark for the cache': { question: { text: 'Weather?', isCached: true }, answer: SAID },
  'a refusal': { question: { text: 'Weather?' }, answer: { text: 'I cannot.', end: 'refused', tokens: TOKENS } },
} as const satisfies Readonly<Record<string, Exchange>>;

export type ExchangeName = keyof typeof EXCHANGES;

/** What the entry of a model of the table says besides: that it reads images and files. */
export const SEEING = {
  architecture: {
    modality: 'text+image+file->text',
    input_modalities: ['text', 'image', 'file'],
    output_modalities: ['text'],
  },
};

const VALUE = 'jane.roe@example.com';

/** What a model says of a value: in its thoughts, its text and the arguments of its calls. @param value an address, or what stands in its place */
const saidOf = (value: string): ModelAnswer => ({
  thought: { text: `I write to ${value} now.`, signature: 'c2lnbmF0dXJl' },
  text: `I write to ${value}.`,
  calls: [{ ...CALL, input: { city: value } }],
  tokens: TOKENS,
});

/** Sends a document without its end. */
export function sendCut(response: ServerResponse, document: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document).slice(0, -20));
}

/** How a provider of a dialect is played. */
export interface PlayedDialect {
  /** The model of the catalog whose only endpoint is at the provider. */
  readonly model: string;
  /** Answers what a model says, whole or as a stream, and refuses what the provider refuses. */
  answer(answer: ModelAnswer, response: ServerResponse, request: ReceivedRequest): void;
  /** Refuses a request because the provider is asked too often. */
  refuse(response: ServerResponse): void;
  /** Begins a stream of an answer, and fails within it. */
  failWithin(answer: ModelAnswer, response: ServerResponse): void;
  /** Begins a stream of an answer, or the document, and ends the connection as if that were all. */
  cut(answer: ModelAnswer, response: ServerResponse, request: ReceivedRequest): void;
  /** What the provider has to get of each exchange, from clients of every form; a function for what depends on the form. */
  readonly received: Readonly<Partial<Record<ExchangeName, object | ((form: keyof typeof CLIENT_FORMS) => object)>>>;
  /** What it has to get of the next turn behind thoughts and calls, signatures included. */
  readonly next: Readonly<Partial<Record<ExchangeName, object>>>;
}

const FORMS = Object.keys(CLIENT_FORMS) as (keyof typeof CLIENT_FORMS)[];

const WAYS = [
  ['whole', false],
  ['streamed', true],
] as const;

/**
 * Tests that clients of every form get the same from a provider of a dialect, which gets the same of them.
 *
 * @param server that is played
 */
export function describeTable(gateway: TestGateway, provider: 'alpha' | 'beta', dialect: PlayedDialect): void {
  const organization = organizationPerTest(gateway);
  const key: IssuedCredential = keyPerTest(gateway, organization);

  const ask = async (
    form: ClientForm,
    request: Fields,
    isStreamed: boolean,
    { plaintext } = key,
  ): Promise<{ readonly status: number; readonly answer: Fields; readonly text: string }> => {
    const json = { model: dialect.model, ...request, stream: isStreamed };
    const { status, body, text } = await gateway.app.api.post<Fields>(form.path, { key: plaintext, json });
    return { status, answer: isStreamed && status === 200 ? form.assembled(streamedEvents(text)) : body, text };
  };

  const askFiltered = async (form: ClientForm, isStreamed: boolean, action: string): ReturnType<typeof ask> => {
    const filter = { slug: 'email', action, applies_to: ['response', 'tool_call'] };
    const guarded = await gateway.guardedKey(organization, { content_filter_builtins: [filter] });
    gateway[provider].answerWith((response, request) => dialect.answer(saidOf(VALUE), response, request));
    return ask(form, form.asking(EXCHANGES.thinking.question), isStreamed, guarded);
  };

  describe.each(FORMS)('asked by a client of %s', (name) => {
    const form = CLIENT_FORMS[name];

    describe.each(WAYS)('for an answer that comes %s', (_, isStreamed) => {
      it.each(Object.keys(EXCHANGES) as ExchangeName[])('answers 200 to %s', async (exchange) => {
        const { question, answer }: Exchange = EXCHANGES[exchange];
        gateway[provider].answerWith((response, request) => dialect.answer(answer, response, request));
        const { status, answer: given } = await ask(form, form.asking(question), isStreamed);

        expect({ status, given: status === 200 ? form.read(given) : given }).toEqual({
          status: 200,
          given: readOf(answer),
        });
        const expected = dialect.received[exchange];
        if (expected === undefined) return;
        const { body } = gateway[provider].received[0]!;
        expect(body).toMatchObject(
          typeof expected === 'function' ? (expected as (of: string) => object)(name) : expected,
        );
      });

      it.each(Object.keys(dialect.next) as ExchangeName[])(
        'answers 200 to the next turn behind %s',
        async (exchange) => {
          const { question, answer }: Exchange = EXCHANGES[exchange];
          gateway[provider].answerWith((response, request) => dialect.answer(answer, response, request));
          const asked = form.asking(question);
          const first = await ask(form, asked, isStreamed);
          gateway[provider].answerWith((response, request) => dialect.answer(SAID, response, request));
          const results = (answer.calls ?? []).map((_call, at) => `${at + 7} °C`);
          const { status, answer: given } = await ask(form, form.continuing(asked, first.answer, results), isStreamed);

          expect({ status, given: status === 200 ? form.read(given) : given }).toEqual({
            status: 200,
            given: readOf(SAID),
          });
          expect(gateway[provider].received[0]!.body).toMatchObject(dialect.next[exchange]!);
        },
      );

      it('answers 200 without what filters of answers take out, and without the signature of a thought that has changed', async () => {
        const { status, answer: given, text } = await askFiltered(form, isStreamed, 'redact');

        const { thought, ...said } = readOf(saidOf('[EMAIL]'));
        expect({ status, given: form.read(given) }).toMatchObject({ status: 200, given: said });
        expect([thought, '']).toContain(form.read(given).thought);
        // Gemini's signature is one of a call, which is refused without it.
        expect(text).not.toMatch(/jane|example\.com|"signature":"[^"]*c2lnbmF0dXJl/);
      });

      it('answers 403 where filters of answers block what it says first', async () => {
        const { status, text } = await askFiltered(form, isStreamed, 'block');

        expect(status).toBe(403);
        expect(text).not.toMatch(/jane|example\.com|c2lnbmF0dXJl/);
      });

      it('answers 429 where the provider is asked too often', async () => {
        gateway[provider].answerWith((response) => dialect.refuse(response));
        const { status } = await ask(form, form.asking({ text: 'Weather?' }), isStreamed);

        expect(status).toBe(429);
      });
    });

    it('answers 503 to an answer that is cut', async () => {
      gateway[provider].answerWith((response, request) => dialect.cut(SAID, response, request));
      const { status } = await ask(form, form.asking({ text: 'Weather?' }), false);

      expect(status).toBe(503);
    });

    it.each(['failWithin', 'cut'] as const)('shows 200 and then a failure for a stream with %s', async (way) => {
      gateway[provider].answerWith((response, request) => dialect[way](SAID, response, request));
      const { status, answer } = await ask(form, form.asking({ text: 'Weather?' }), true);

      expect(status).toBe(200);
      expect(form.read(answer).end).toBe('failed');
    });
  });
}
