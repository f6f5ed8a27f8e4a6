import OpenAI from 'openai';
import { ConnectionsService } from '../../../../src/modules/providers/connections/connections.service.js';
import { keyPerTest, sharedOrganization } from '../../../support/application/shared-organization.js';
import { endpoint, PROVIDER_KEY } from '../test-gateway.js';
import { sharedGateway } from '../shared-gateway.js';

/** A conversation with what only some providers know. */
const REQUEST = {
  messages: [
    { role: 'developer' as const, content: 'Be brief.' },
    { role: 'user' as const, name: 'Ann', content: 'What is new?' },
    { role: 'assistant' as const, content: 'Nothing.' },
    { role: 'system' as const, content: 'Ann is in a hurry.' },
  ],
  max_tokens: 7,
};

/** A whole answer in the Messages form. */
const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'upstream-model',
  content: [{ type: 'text', text: 'All is well.' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 10, output_tokens: 5 },
};

describe('sendChatCompletionRequest of the unmodified openai client', () => {
  const gateway = sharedGateway({ models: { 'anthropic/claude-sonnet-4.6': [endpoint('openai')] } });
  const key = keyPerTest(gateway, sharedOrganization(gateway));

  /** Lets Alpha play the provider `openai`. */
  const playedAs = async (protocol: 'openai' | 'anthropic'): Promise<void> => {
    const connection = { provider: 'openai', protocol, baseUrl: gateway.alpha.baseUrl, apiKey: PROVIDER_KEY };
    await gateway.app.application.get(ConnectionsService).connect({ ...connection, timeouts: {}, models: {} });
  };

  const ask = async (model: string): Promise<string | null> => {
    const client = new OpenAI({ apiKey: key.plaintext, baseURL: `${gateway.app.origin}/api/v1`, maxRetries: 0 });
    const { choices } = await client.chat.completions.create({ ...REQUEST, model });
    return choices[0]!.message.content;
  };

  it('reaches the provider openai with roles, names and the longest answer as it knows them, and is a 200', async () => {
    await playedAs('openai');
    expect(await ask('acme/brought')).toBe('All is well.');
    const { messages } = REQUEST;
    expect(gateway.alpha.received[0]!.body).toEqual({ model: 'brought', messages, max_completion_tokens: 7 });
  });

  it('reaches other providers of the form with those that all of them know, and is a 200', async () => {
    expect(await ask('acme/spare')).toBe('All is well.');
    expect(gateway.beta.received[0]!.body).toEqual({
      model: 'spare',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Ann: What is new?' },
        ...REQUEST.messages.slice(2),
      ],
      max_tokens: 7,
    });
  });

  it("reaches a provider of the Messages form with Anthropic's names, and instructions in their place: 200", async () => {
    await playedAs('anthropic');
    gateway.alpha.answerJson(MESSAGE);
    expect(await ask('anthropic/claude-sonnet-4.6')).toBe('All is well.');
    const text = (said: string): object => ({ content: [{ type: 'text', text: said }] });
    expect(gateway.alpha.received[0]!.body).toEqual({
      model: 'claude-sonnet-4-6',
      system: [{ type: 'text', text: 'Be brief.' }],
      messages: [
        { role: 'user', ...text('Ann: What is new?') },
        { role: 'assistant', ...text('Nothing.') },
        { role: 'user', ...text('Ann is in a hurry.') },
      ],
      max_tokens: 7,
    });
  });
});
