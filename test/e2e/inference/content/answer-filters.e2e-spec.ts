import { setTimeout as pause } from 'node:timers/promises';
import type { IssuedCredential } from '../../../../src/modules/keys/keys.service.js';
import { chunk, STREAM_HEAD } from '../provider-answers.js';
import { CLIENT_FORMS, streamedEvents } from '../providers/plain-clients.js';
import { filteredTexts } from './filtered-texts.js';

type Fields = Readonly<Record<string, unknown>>;

const CARD = '4111 1111 1111 1111';

const ADDRESS = 'jane.roe@example.com';

const PLACES = ['response', 'tool_call'];

/** Longer than what is held for the filters. */
const PROSE = 'And a few more words of prose. '.repeat(40);

const TEXT = `Pay ${ADDRESS} with ${CARD}. ${PROSE}`;

const REDACTED = `Pay [EMAIL] with [CREDIT_CARD]. ${PROSE}`;

const ARGUMENTS = '{"to": "jane.roe\\u0040example.com", "card": 4111111111111111, "note": "for PROJECT-1234"}';

const REDACTED_ARGUMENTS = { to: '[EMAIL]', card: '[CREDIT_CARD]', note: 'for PROJECT-1234' };

/** The answer of a model, as the deltas of a stream. */
interface Said {
  readonly deltas: readonly Fields[];
  readonly end?: string;
}

function pieces(text: string, size: number): string[] {
  return text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
}

const calling = (index: number, id: string, name: string): Fields => ({
  tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }],
});
const argued = (index: number, text: string): Fields => ({ tool_calls: [{ index, function: { arguments: text } }] });

describe('the content filters of answers', () => {
  const { gateway, guarded } = filteredTexts();

  const filters = (action: string, applies_to: readonly string[] = PLACES): object => ({
    content_filter_builtins: ['email', 'credit-card'].map((slug) => ({ slug, action, applies_to })),
  });

  /** Has the provider say something, in chunks of which each is a write of its own. */
  function say({ deltas, end = 'stop' }: Said): void {
    gateway.alpha.answerWith(async (response, { body }) => {
      if ((body as Fields)['stream'] !== true) throw new Error('a stream was expected');
      response.writeHead(200, STREAM_HEAD);
      for (const delta of deltas) response.write(chunk(delta));
      await pause(0);
      response.write(chunk({}, end));
      response.end(
        'data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":5,"total_tokens":12}}\n\ndata: [DONE]\n\n',
      );
    });
  }

  /** Has the provider say something in one piece. */
  function answer(message: Fields, end = 'stop'): void {
    gateway.alpha.answerWith((response) => {
      const choice = { index: 0, message: { role: 'assistant', ...message }, finish_reason: end };
      const usage = { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ id: 'x', object: 'chat.completion', choices: [choice], usage }));
    });
  }

  async function ask(key: IssuedCredential, name: keyof typeof CLIENT_FORMS, isStreamed: boolean, fields: object = {}) {
    const form = CLIENT_FORMS[name];
    const json = {
      ...form.asking({ text: 'Go.', tool: true }),
      model: 'acme/writer',
      provider: { only: ['alpha'] },
      stream: isStreamed,
      ...fields,
    };
    const response = await gateway.app.api.post<Fields>(form.path, { key: key.plaintext, json });
    const isRead = response.status === 200;
    const whole = isStreamed && isRead ? form.assembled(streamedEvents(response.text)) : response.body;
    return { ...response, read: isRead ? form.read(whole) : undefined };
  }

  describe.each(Object.keys(CLIENT_FORMS) as (keyof typeof CLIENT_FORMS)[])('in the form of %s', (form) => {
    it.each([1, 5, 10_000])('answer 200 with a stream without what is redacted, in pieces of %i', async (size) => {
      say({ deltas: pieces(TEXT, size).map((content) => ({ content })) });
      const { status, text, read } = await ask(await guarded(filters('redact')), form, true);

      expect([status, read]).toMatchObject([200, { text: REDACTED, end: 'stop' }]);
      expect(text).not.toMatch(/4111|jane/);
    });

    it('answer 200 with what is left of a whole answer', async () => {
      answer({ content: TEXT });
      const { status, read } = await ask(await guarded(filters('redact')), form, false);

      expect([status, read]).toMatchObject([200, { text: REDACTED, end: 'stop' }]);
    });

    it('answer 200 with the thoughts and the arguments of calls without what is redacted', async () => {
      const said = [
        ...pieces(`I pay ${ADDRESS}.`, 3).map((reasoning) => ({ reasoning })),
        ...pieces(`I will pay ${ADDRESS}.`, 4).map((content) => ({ content })),
        calling(0, 'call_1', 'weather'),
        ...pieces(ARGUMENTS, 2).map((text) => argued(0, text)),
      ];
      say({ deltas: said, end: 'tool_calls' });
      const { status, text, read } = await ask(await guarded(filters('redact')), form, true);

      expect([status, read]).toMatchObject([
        200,
        {
          text: 'I will pay [EMAIL].',
          thought: 'I pay [EMAIL].',
          end: 'calls',
          calls: [{ name: 'weather', input: REDACTED_ARGUMENTS }],
        },
      ]);
      expect(text).not.toMatch(/4111|jane/);
    });

    it('answer 200 with the arguments of calls whose pieces come in turn', async () => {
      const both = pieces(ARGUMENTS, 7).flatMap((text) => [argued(0, text), argued(1, text)]);
      say({
        deltas: [calling(0, 'call_1', 'weather'), calling(1, 'call_2', 'weather'), ...both],
        end: 'tool_calls',
      });
      const { status, text, read } = await ask(await guarded(filters('redact')), form, true);

      expect(status).toBe(200);
      expect(read!.calls.map(({ input }) => input)).toEqual([REDACTED_ARGUMENTS, REDACTED_ARGUMENTS]);
      expect(text).not.toMatch(/4111|jane/);
    });

    it('answer 200 and end a stream in which something is blocked, and send nothing of it', async () => {
      say({ deltas: pieces(`${PROSE}${TEXT}`, 5).map((content) => ({ content })) });
      const key = await guarded(filters('block'));
      const answered = await ask(key, form, true);

      expect([answered.status, answered.read!.end]).toEqual([200, 'refused']);
      expect(PROSE.startsWith(answered.read!.text)).toBe(true);
      expect(answered.text).not.toMatch(/4111|jane/);
      expect(await gateway.record(answered, key)).toMatchObject({
        status: 200,
        finish_reason: 'content_filter',
        guardrail_actions: [{ filter: 'email', action: 'block', count: 1, place: 'response' }],
      });
    });

    it.each([true, false])(
      'answer 403 where the first words are blocked (stream: %s), and charge what came',
      async (isStreamed) => {
        if (isStreamed) say({ deltas: pieces(TEXT, 5).map((content) => ({ content })) });
        else answer({ content: TEXT });
        const key = await guarded(filters('block'));
        const answered = await ask(key, form, isStreamed);

        expect(answered.status).toBe(403);
        expect(answered.text).not.toMatch(/4111|jane/);
        const record = await gateway.record(answered, key);
        expect(record).toMatchObject({ status: 403, refusal: 'content_blocked', finish_reason: 'content_filter' });
        expect(record.tokens_completion).toBeGreaterThan(0);
        expect(gateway.beta.received).toEqual([]);
      },
    );
  });
});
