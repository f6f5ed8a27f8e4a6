import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { completion, STREAM_END, STREAM_HEAD } from '../provider-answers.js';
import { sharedGateway } from '../shared-gateway.js';

/** What each form of requests asks for. */
const FORMS = [
  ['/chat/completions', { messages: [{ role: 'user', content: 'Hi' }] }],
  ['/completions', { prompt: 'Hi' }],
  ['/messages', { max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] }],
  ['/responses', { input: 'Hi' }],
] as const;

/** Fields that would be read as those of the message if it inherited from them. */
const INHERITED = '"__proto__":{"tool_calls":5,"content":"Inherited.","reasoning_details":7}';

const EVENT = `data: {"choices":[{"index":0,${INHERITED},"delta":{${INHERITED},"content":"It rains."}}]}\n\n`;

describe('Answers of a provider with fields that objects inherit from', () => {
  const gateway = sharedGateway();
  const key = keyPerTest(gateway, organizationPerTest(gateway));

  function answerWith(...events: readonly string[]): void {
    gateway.beta.answerWith((response) => void response.writeHead(200, STREAM_HEAD).end(events.join('')));
  }

  it.each(FORMS)('are read without these by %s, which answers 200', async (path, question) => {
    const ask = (fields: object): Promise<{ status: number; text: string }> =>
      gateway.app.api.post(path, { key: key.plaintext, json: { model: 'acme/spare', ...question, ...fields } });
    answerWith(EVENT, STREAM_END);
    const streamed = await ask({ stream: true });
    const message = JSON.stringify({ role: 'assistant', content: 'It rains.' }).replace('{', `{${INHERITED},`);
    const document = JSON.stringify(completion('')).replace(/"message":\{[^}]*\}/, () => `"message":${message}`);
    gateway.beta.answerWith(
      (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(document),
    );
    const whole = await ask({});

    expect([streamed.status, whole.status]).toEqual([200, 200]);
    for (const { text } of [streamed, whole]) {
      expect(text).toContain('It rains.');
      expect(text).not.toMatch(/Inherited|__proto__/);
    }
  });

  it.each(FORMS)('are no answer by themselves to %s, which answers 503', async (path, question) => {
    answerWith(`data: {"choices":[{"index":0,"delta":{${INHERITED}}}]}\n\n`, 'data: [DONE]\n\n');
    const json = { model: 'acme/spare', ...question, stream: true };
    const { status, text } = await gateway.app.api.post(path, { key: key.plaintext, json });

    expect(status).toBe(503);
    expect(text).not.toContain('Inherited');
  });
});
