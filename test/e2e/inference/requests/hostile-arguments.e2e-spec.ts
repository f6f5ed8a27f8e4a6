import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { QUESTION } from '../test-gateway.js';
import { chunk, completion, STREAM_END } from '../provider-answers.js';
import { respond, streamResponse } from '../responses/responses-answers.js';
import { sharedGateway } from '../shared-gateway.js';

const DEPTH = 100_000;

/** Arguments that are an object of JSON, whose first field is a text. */
const ARGUMENTS = {
  'nested 100,000 deep': `{"input":"a","more":${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}}`,
  'of a million values': `{"input":"a","more":[${'[],'.repeat(1_000_000)}0]}`,
} as const;

const KINDS = Object.keys(ARGUMENTS) as (keyof typeof ARGUMENTS)[];

const CALLED_TOOLS = { type: 'tool_calls', end: STREAM_END.replace('"stop"', '"tool_calls"') };

const TOOLS = [
  { type: 'custom', name: 'patch' },
  { type: 'tool_search', execution: 'client', parameters: { type: 'object' } },
];

describe('A provider that calls tools with arguments', () => {
  const gateway = sharedGateway();
  const key = keyPerTest(gateway, organizationPerTest(gateway));

  /** Lets Alpha call tools, one behind the other. */
  function answerWith(calls: readonly (readonly [name: string, text: string])[], isStreamed: boolean): void {
    const called = calls.map(([name, text], index) => ({
      index,
      id: `call_${index}`,
      type: 'function',
      function: { name, arguments: text },
    }));
    if (isStreamed) {
      gateway.alpha.answerStream(called.map((call) => chunk({ tool_calls: [call] })).join('') + CALLED_TOOLS.end);
      return;
    }
    const message = { role: 'assistant', content: null, tool_calls: called };
    gateway.alpha.answerJson(completion('', { choices: [{ index: 0, message, finish_reason: CALLED_TOOLS.type }] }));
  }

  /** Asks for a whole answer that makes calls, and then for a stream that does. */
  async function askBoth<Whole, Streamed>(
    calls: readonly (readonly [name: string, text: string])[],
    whole: () => Promise<Whole>,
    streamed: () => Promise<Streamed>,
  ): Promise<readonly [Whole, Streamed]> {
    answerWith(calls, false);
    const answer = await whole();
    answerWith(calls, true);
    return [answer, await streamed()];
  }

  function askMessages<Body>(fields: object) {
    const request = { model: 'acme/writer', messages: QUESTION, max_tokens: 100, provider: { order: ['alpha'] } };
    return gateway.app.api.post<Body>('/messages', { key: key.plaintext, json: { ...request, ...fields } });
  }

  it.each(KINDS)(
    '%s is answered with 200 and their texts in the form of responses, whole and as a stream',
    async (kind) => {
      const text = ARGUMENTS[kind];
      const [whole, streamed] = await askBoth(
        ['patch', 'tool_search'].map((name) => [name, text]),
        () => respond(gateway, key, { tools: TOOLS }),
        () => streamResponse(gateway, key, { tools: TOOLS }),
      );

      expect([whole.status, streamed.status]).toEqual([200, 200]);
      for (const { status, output } of [whole.body, streamed.events.at(-1)!.response!]) {
        expect(status).toBe('completed');
        expect(output.map(({ type }) => type)).toEqual(['custom_tool_call', 'tool_search_call']);
        // Not matched as a whole: the difference of such texts would be printed.
        expect([output[0]!['input'] === text, output[1]!['arguments'] === text]).toEqual([true, true]);
      }
    },
  );

  it.each(KINDS)(
    '%s is answered with 200 and their texts in the form of messages, whole and as a stream',
    async (kind) => {
      const text = ARGUMENTS[kind];
      const [whole, streamed] = await askBoth(
        [
          ['read', text],
          ['look', '{}'],
        ],
        () => askMessages<{ content: { name: string; input: { arguments?: string } }[] }>({}),
        () => askMessages<string>({ stream: true }),
      );

      expect([whole.status, streamed.status]).toEqual([200, 200]);
      expect(whole.body.content.map(({ name }) => name)).toEqual(['read', 'look']);
      expect(whole.body.content.map(({ input }) => input.arguments === text)).toEqual([true, false]);
      const events = streamed.text.split('\n\n').flatMap((event) => event.split('\ndata: ')[1] ?? []);
      const read = events.map((data) => JSON.parse(data) as Record<string, Record<string, unknown>>);
      const sent = read.flatMap(({ delta }) => delta?.['partial_json'] ?? []);
      expect(sent.map((json) => json === text)).toEqual([true, false]);
      expect(read.at(-1)).toMatchObject({ type: 'message_stop' });
    },
  );
});
