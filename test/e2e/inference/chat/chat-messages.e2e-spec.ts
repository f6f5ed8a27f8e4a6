import { chunk, STREAM_HEAD } from '../provider-answers.js';
import { QUESTION } from '../test-gateway.js';
import { limitedRequests } from '../spend/limited-requests.js';

interface Refusal {
  readonly error: { readonly message: string; readonly metadata: { readonly issues: readonly { path: string }[] } };
}

const CALL = { id: 'call_1', type: 'function', function: { name: 'look_up', arguments: '{}' } };

describe('sendChatCompletionRequest', () => {
  const { gateway, organization, key, ask, setLimit } = limitedRequests();

  it.each([
    ['calls of a user that are none', { tool_calls: [null] }, 'messages[0].tool_calls[0]'],
    ['details of reasoning that are none', { reasoning_details: [null] }, 'messages[0].reasoning_details[0]'],
    ['a call with a long id', { tool_calls: [{ ...CALL, id: 'a'.repeat(513) }] }, 'messages[0].tool_calls[0].id'],
    ['a role of the earlier form', { role: 'function', name: 'look_up' }, 'messages[0].role'],
  ])('answers 400 for %s, and asks no provider', async (_, fields, path) => {
    const answer = await gateway.ask<Refusal>(key, { messages: [{ ...QUESTION[0], ...fields }], stream: true });

    expect([answer.status, answer.body.error.metadata.issues.map((issue) => issue.path)]).toEqual([400, [path]]);
    expect(gateway.alpha.received).toEqual([]);
  });

  it.each([
    ['a custom tool', { tools: [{ type: 'custom', custom: { name: 'x' } }] }, 'tools[0].type'],
    ['a tool that the gateway would have to run', { tools: [{ type: 'openrouter:web_search' }] }, 'tools[0].type'],
    ['functions of the earlier form', { functions: [{ name: 'look_up' }] }, 'functions'],
    ['a number of answers that is a text', { n: '100' }, 'n'],
    ['a number of answers by another name', { num_return_sequences: '100' }, 'num_return_sequences'],
  ])('answers 400 for %s, and asks no provider', async (_, fields, path) => {
    const answer = await gateway.ask<Refusal>(key, fields);

    expect([answer.status, answer.body.error.metadata.issues.map((issue) => issue.path)]).toEqual([400, [path]]);
    expect(gateway.alpha.received).toEqual([]);
  });

  it('answers 402 where the ids of calls alone are more than a limit pays for', async () => {
    const limited = await gateway.app.factory.key(organization);
    await setLimit(limited, 0.001);
    const calls = Array.from({ length: 10 }, (_, index) => ({ ...CALL, id: `call_${index}`.padEnd(500, 'x') }));
    const messages = [{ role: 'assistant', content: null, tool_calls: calls }, ...QUESTION];

    expect((await ask(limited)).status).toBe(200);
    expect((await ask(limited, { messages, max_tokens: 5 })).status).toBe(402);
  });

  it('charges a stream whose provider reports nothing for names and ids as well, in an answer with 200', async () => {
    gateway.alpha.answerWith((response) => {
      response.writeHead(200, STREAM_HEAD).end(`${chunk({ content: 'Yes.' }, 'stop')}data: [DONE]\n\n`);
    });
    const messages = [
      { role: 'assistant', content: null, tool_calls: [{ ...CALL, id: 'a'.repeat(400) }] },
      { role: 'tool', tool_call_id: 'a'.repeat(400), content: 'Done' },
    ];
    const answer = await gateway.stream(key, { messages });

    expect(answer.status).toBe(200);
    // Twice the id, "look_up", "{}" and "Done": 813 bytes.
    expect(await gateway.record(answer, key)).toMatchObject({ tokens_prompt: 204 });
  });
});
