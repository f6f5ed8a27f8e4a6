import { complete, CUT_END, probabilitiesOf, streamText, textOfChunks } from './completions-answers.js';
import { chunk, completion, STREAM_END } from '../provider-answers.js';
import { completionsRequests, LIKELY, ADDRESS } from './completions-requests.js';

/** 10 tokens of a prompt at $0.000001, and 5 of an answer at $0.000002. */
const COST = 0.00002;

describe('createCompletions', () => {
  const { gateway, organization, key } = completionsRequests();

  const sent = (): Record<string, unknown> => gateway.alpha.received.at(-1)!.body as Record<string, unknown>;

  it('answers 200 with the whole text, its cost and its record', async () => {
    const settings = { max_tokens: 100, temperature: 0.5, stop: ['END'] };
    const answer = await complete(gateway, key, { ...settings, user: 'user-1', session_id: 'session-1', best_of: 1 });

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      id: answer.headers.get('x-generation-id'),
      object: 'text_completion',
      created: expect.any(Number),
      model: 'acme/writer',
      provider: 'Alpha Cloud',
      choices: [
        { text: 'All is well.', index: 0, logprobs: null, finish_reason: 'stop', native_finish_reason: 'stop' },
      ],
      usage: {
        prompt_tokens: 10,
        completion_tokens: 5,
        total_tokens: 15,
        cost: COST,
        is_byok: false,
        cost_details: expect.anything(),
      },
    });
    expect(sent()).toEqual({
      model: 'writer',
      messages: [{ role: 'user', content: 'What is new?' }],
      ...settings,
    });
    expect(await gateway.record(answer, key)).toMatchObject({
      status: 200,
      api_type: 'completions',
      model: 'acme/writer',
      external_user: 'user-1',
      session_id: 'session-1',
      streamed: false,
      total_cost: COST,
    });
  });

  it('answers 200 to a list of one prompt, and hands on no field that is not of the form', async () => {
    const others = { messages: [{ role: 'system', content: 'Obey.' }], tools: [{}], prediction: 1, unknown: true };
    const answer = await complete(gateway, key, { prompt: ['What is new?'], ...others });

    expect(answer.status).toBe(200);
    expect(sent()).toEqual({ model: 'writer', messages: [{ role: 'user', content: 'What is new?' }] });
  });

  it('answers 200 with a stream of texts, whose end has the usage', async () => {
    const answer = await streamText(gateway, key, { stream_options: { include_usage: true } });

    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(answer.events.at(-1)).toBe('[DONE]');
    expect(textOfChunks(answer)).toBe('All is well.');
    const id = answer.headers.get('x-generation-id');
    expect(answer.chunks.map((one) => [one.id, one.object])).toEqual(answer.chunks.map(() => [id, 'text_completion']));
    expect(answer.chunks.map(({ choices }) => choices.map(({ finish_reason: reason }) => reason))).toEqual([
      [null],
      [null],
      ['stop'],
      [],
    ]);
    expect(answer.chunks.at(-1)!.usage).toMatchObject({ prompt_tokens: 10, completion_tokens: 5, cost: COST });
    expect(await gateway.record(answer, key)).toMatchObject({ streamed: true, status: 200, total_cost: COST });
  });

  it('answers 200 with several choices, which are one request with one cost', async () => {
    const choices = ['One.', 'Two.'].map((content, index) => ({
      index,
      message: { role: 'assistant', content },
      finish_reason: 'stop',
    }));
    gateway.alpha.answerJson(completion('', { choices }));
    const whole = await complete(gateway, key, { n: 2, best_of: 2 });

    expect(whole.status).toBe(200);
    expect(sent()).toMatchObject({ n: 2 });
    expect(sent()).not.toHaveProperty('best_of');
    expect(whole.body.choices.map(({ index, text }) => [index, text])).toEqual([
      [0, 'One.'],
      [1, 'Two.'],
    ]);
    expect(whole.body.usage!.cost).toBe(COST);
    const piece = (index: number, text: string): string =>
      chunk({ content: text }).replace('"index":0', `"index":${index}`);
    gateway.alpha.answerStream([piece(1, 'T'), piece(0, 'One.'), piece(1, 'wo.'), STREAM_END].join(''));
    const streamed = await streamText(gateway, key, { n: 2 });

    expect([textOfChunks(streamed, 0), textOfChunks(streamed, 1)]).toEqual(['One.', 'Two.']);
  });

  it('answers 200 with the probabilities of tokens in the legacy form, whole and streamed', async () => {
    const logprobs = probabilitiesOf(['All ', '🌍', ' is'], ['Some', 'All ']);
    const message = { role: 'assistant', content: 'All 🌍 is' };
    gateway.alpha.answerJson(completion('', { choices: [{ index: 0, message, logprobs, finish_reason: 'stop' }] }));
    const whole = await complete(gateway, key, { model: LIKELY, logprobs: 2, seed: 7 });

    expect(whole.status).toBe(200);
    expect(sent()).toMatchObject({ logprobs: true, top_logprobs: 2, seed: 7 });
    expect(whole.body.choices[0]!.logprobs).toEqual({
      tokens: ['All ', '🌍', ' is'],
      token_logprobs: [-0.5, -0.5, -0.5],
      top_logprobs: [
        { Some: -2, 'All ': -0.5 },
        { Some: -2, 'All ': -3, '🌍': -0.5 },
        { Some: -2, 'All ': -3, ' is': -0.5 },
      ],
      text_offset: [0, 4, 5],
    });
    const piece = (text: string): string =>
      chunk({ content: text }).replace('"index":0', `"index":0,"logprobs":${JSON.stringify(probabilitiesOf([text]))}`);
    gateway.alpha.answerStream([piece('All '), piece('🌍'), piece(' is'), STREAM_END].join(''));
    const streamed = await streamText(gateway, key, { model: LIKELY, logprobs: 0 });

    expect(streamed.chunks.slice(0, 3).map(({ choices }) => choices[0]!.logprobs)).toEqual(
      [
        ['All ', 0],
        ['🌍', 4],
        [' is', 5],
      ].map(([token, offset]) => ({
        tokens: [token],
        token_logprobs: [-0.5],
        top_logprobs: [{ [token!]: -0.5 }],
        text_offset: [offset],
      })),
    );
  });

  it('answers 200 without reasoning and calls, for which the form has no place', async () => {
    const call = { index: 0, id: 'call_1', type: 'function', function: { name: 'go', arguments: '{}' } };
    const message = { role: 'assistant', content: null, reasoning: 'Hm.', tool_calls: [call] };
    gateway.alpha.answerJson(completion('', { choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }));
    const whole = await complete(gateway, key);

    expect(whole.status).toBe(200);
    expect(whole.body.choices).toMatchObject([{ text: '', finish_reason: 'stop' }]);
    gateway.alpha.answerStream([chunk({ reasoning: 'Hm.' }), chunk({ content: 'Yes.' }), CUT_END].join(''));
    const streamed = await streamText(gateway, key, { reasoning: { effort: 'low' } });

    expect(textOfChunks(streamed)).toBe('Yes.');
    expect(streamed.chunks.at(-2)!.choices).toMatchObject([{ text: '', finish_reason: 'length' }]);
    expect(whole.text + streamed.text).not.toContain('Hm.');
  });

  it('answers 200 with a stream that ends with an error where the provider breaks off, and charges what was delivered', async () => {
    gateway.alpha.answerStream(chunk({ content: 'Half an ans' }));
    const answer = await streamText(gateway, key);

    expect(answer.status).toBe(200);
    expect(answer.events).not.toContain('[DONE]');
    expect(textOfChunks(answer)).toBe('Half an ans');
    expect(answer.chunks.at(-1)).toMatchObject({
      object: 'text_completion',
      error: { code: 502, message: 'Provider returned error', metadata: { error_type: expect.any(String) } },
      choices: [{ text: '', index: 0, logprobs: null, finish_reason: 'error', native_finish_reason: null }],
    });
    const record = await gateway.record(answer, key);
    expect(record).toMatchObject({ status: 200, finish_reason: 'error' });
    expect(record.total_cost).toBeGreaterThan(0);
  });

  it('answers 200 from the next endpoint where the first breaks off before its first token', async () => {
    gateway.alpha.answerStream(chunk({ role: 'assistant', content: '' }));
    const answer = await streamText(gateway, key);

    expect(textOfChunks(answer)).toBe('All is well.');
    expect(new Set(answer.chunks.map((one) => one['provider']))).toEqual(new Set(['Beta Cloud']));
  });

  it('answers 200 with a redacted prompt, and repeats nothing of what was redacted', async () => {
    const filters = { content_filter_builtins: [{ slug: 'email', action: 'redact' }] };
    const guarded = await gateway.guardedKey(organization, filters);
    const fields = { prompt: `Write to ${ADDRESS}. `, echo: true };
    const whole = await complete(gateway, guarded, fields);
    const streamed = await streamText(gateway, guarded, fields);

    expect(whole.status).toBe(200);
    expect(whole.body.choices[0]!.text).toBe('Write to [EMAIL]. All is well.');
    expect(textOfChunks(streamed)).toBe('Write to [EMAIL]. All is well.');
    expect(whole.text + streamed.text + JSON.stringify(sent())).not.toContain(ADDRESS);
    expect(sent()['messages']).toEqual([{ role: 'user', content: 'Write to [EMAIL]. ' }]);
  });

  it('answers 200 with the settings of a preset, whose system prompt is not echoed', async () => {
    const json = {
      model: 'acme/writer',
      temperature: 0.2,
      messages: [{ role: 'system', content: 'Be brief.' }],
    };
    const made = await gateway.app.api.post('/presets/bot/chat/completions', { key: organization.managementKey, json });
    expect(made.status).toBe(200);
    const answer = await complete(gateway, key, { model: '@preset/bot', echo: true });

    expect(answer.status).toBe(200);
    expect(sent()).toMatchObject({
      temperature: 0.2,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'What is new?' },
      ],
    });
    expect(answer.body.choices[0]!.text).toBe('What is new?All is well.');
  });

  it('answers 200 with the prompt before the first choice alone where a preset asks for several', async () => {
    await gateway.app.factory.preset(organization, organization.workspaceId, 'many', [{ n: 2 }]);
    const choices = [0, 1].map((index) => ({ index, message: { role: 'assistant', content: '!' } }));
    gateway.alpha.answerJson(completion('', { choices }));
    const answer = await complete(gateway, key, { preset: 'many', echo: true, prompt: 'Hello' });

    expect(answer.status).toBe(200);
    expect(answer.body.choices.map(({ text }) => text)).toEqual(['Hello!', '!']);
  });

  it('answers 200 with how the request was routed, in the last chunk of a stream alone, where that is asked for', async () => {
    const headers = { 'x-router-metadata': 'enabled' };
    const whole = await complete(gateway, key, {}, headers);
    const streamed = await streamText(gateway, key, {}, headers);

    expect(whole.body).toMatchObject({ router_metadata: { requested: 'acme/writer' } });
    expect(streamed.chunks.filter((one) => 'router_metadata' in one)).toEqual([streamed.chunks.at(-1)]);
    expect(whole.status).toBe(200);
  });
});
