import type { ErrorBody } from '../../../support/network/api-client.js';
import { QUESTION } from '../test-gateway.js';
import { respond } from '../responses/responses-answers.js';
import { responsesRequests } from '../responses/responses-requests.js';

/** One value more than all JSON in texts of a request may have. */
const TOO_MANY = `[${'1,'.repeat(50_000)}1]`;

const EMAIL = 'jane.doe@example.com';

describe('JSON in texts of a request', () => {
  const { gateway, organization, key } = responsesRequests();

  const called = (text: string): object[] => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: text } }],
    },
    { role: 'tool', tool_call_id: 'a', content: '' },
    ...QUESTION,
  ];

  const carried = (json: string): object[] => [
    { type: 'reasoning', encrypted_content: `reasoning-details.1.${Buffer.from(json).toString('base64url')}` },
    { role: 'assistant', content: 'Hello.' },
    { role: 'user', content: 'What is new?' },
  ];

  const argumentsSent = (): unknown => {
    const { messages } = gateway.alpha.received[0]!.body as { messages: { tool_calls: { function: object }[] }[] };
    return messages[0]!.tool_calls[0]!.function;
  };

  it('is a 400 in arguments of a call that hold more values than a body, and asks no provider', async () => {
    const answer = await gateway.ask<ErrorBody>(key, { messages: called(TOO_MANY) });

    expect(answer.status).toBe(400);
    expect(answer.body.error.metadata.issues).toEqual([
      {
        path: 'messages[0].tool_calls[0].function.arguments',
        message: 'must not hold more than 50000 values, together with the other JSON in texts of the request',
      },
    ]);
    expect(gateway.alpha.received).toEqual([]);
  });

  it('is handed on with a 200 as a text in an object where the arguments are no JSON, however many values they seem to have', async () => {
    const text = TOO_MANY.slice(0, -1);
    const guarded = await gateway.guardedKey(organization, {
      content_filter_builtins: [{ slug: 'email', action: 'redact' }],
    });
    const answer = await gateway.ask(guarded, { messages: called(text) });

    expect(answer.status).toBe(200);
    expect(argumentsSent()).toEqual({ name: 'f', arguments: JSON.stringify({ arguments: text }) });
  });

  it('is scanned as text, and handed on with a 200, where long arguments have words between their brackets', async () => {
    const guarded = await gateway.guardedKey(organization, {
      content_filter_builtins: [{ slug: 'email', action: 'redact' }],
    });
    const answer = await gateway.ask(guarded, { messages: called(`{ write to ${EMAIL} ${' '.repeat(131_072)}}`) });

    expect(answer.status).toBe(200);
    expect(argumentsSent()).toEqual({ name: 'f', arguments: `{ write to [EMAIL] ${' '.repeat(131_072)}}` });
  });

  it.each([
    ['holds more values than a body', `[{"a":${TOO_MANY}}]`, /^must not hold more than 50000 values/],
    ['nests deeper than a body', `[{"a":${'['.repeat(64)}${']'.repeat(64)}}]`, /^must not be nested deeper than 64/],
    ['has a NUL character', '[{"type":"reasoning.text","text":"\\u0000"}]', /^must not contain a NUL character$/],
  ])('is a 400 in the encrypted content of reasoning that %s', async (_, json, message) => {
    const answer = await respond<ErrorBody>(gateway, key, { input: carried(json) });

    expect(answer.status).toBe(400);
    const issues = [{ path: 'input[0].encrypted_content', message: expect.stringMatching(message) as string }];
    expect(answer.body.error.metadata.issues).toEqual(issues);
    expect(gateway.alpha.received).toEqual([]);
  });

  it('is read in the encrypted content of reasoning, with a 200, and left as it is where it is none', async () => {
    const details = [{ type: 'reasoning.summary', summary: 'Hm.' }];
    const answers = [
      await respond(gateway, key, { input: carried(JSON.stringify(details)) }),
      await respond(gateway, key, { input: carried('[{') }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const sent = gateway.alpha.received.map(
      ({ body }) => (body as { messages: { reasoning_details: unknown }[] }).messages[0]!.reasoning_details,
    );
    const foreign = (carried('[{')[0] as { encrypted_content: string }).encrypted_content;
    expect(sent).toEqual([details, [{ type: 'reasoning.encrypted', format: 'unknown', data: foreign }]]);
  });
});
