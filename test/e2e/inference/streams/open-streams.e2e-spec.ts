import type { ServerResponse } from 'node:http';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { WaitDeadline } from '../../../../src/modules/providers/upstream/wait-deadline.js';
import type { ProviderServer } from '../../../support/network/provider-server.js';
import { until } from '../../../support/time/until.js';
import { QUESTION } from '../test-gateway.js';
import { ANSWER_EVENTS, written } from '../messages/messages-requests.js';
import { chunk, STREAM, STREAM_HEAD } from '../provider-answers.js';
import { sharedGateway } from '../shared-gateway.js';

const DONE = 'data: [DONE]\n\n';

const UNENDED = STREAM.replace(DONE, '');

/** A whole answer in the form of each of the providers, as far as it comes, and whether it says that it ends. */
const ANSWERS = {
  'an OpenAI provider that has said [DONE]': ['alpha', STREAM, true],
  'an OpenAI provider that has said why it ends, and its usage, but not [DONE]': ['alpha', UNENDED, false],
  'an Anthropic provider that has said message_stop': ['beta', written(ANSWER_EVENTS), true],
  'an Anthropic provider that has said why it ends, but not message_stop': [
    'beta',
    written(ANSWER_EVENTS.slice(0, -1)),
    false,
  ],
} as const;

const KINDS = Object.keys(ANSWERS) as (keyof typeof ANSWERS)[];

/** How clients ask in each form, and what the last event of its stream is. */
const FORMS = [
  ['/chat/completions', { messages: QUESTION }, DONE],
  ['/completions', { prompt: 'What is new?' }, DONE],
  ['/messages', { messages: QUESTION, max_tokens: 100 }, '"type":"message_stop"'],
  ['/responses', { input: 'What is new?' }, '"type":"response.completed"'],
] as const;

describe('A stream (200) whose connection is left open by', () => {
  const gateway = sharedGateway({ variables: { PROVIDER_BETA_PROTOCOL: 'anthropic' } });
  const key = keyPerTest(gateway, organizationPerTest(gateway));

  /** Lets a provider send events on each connection, which it leaves open. @returns its responses */
  function leaveOpen(provider: ProviderServer, events: string, after?: (response: ServerResponse) => void) {
    const responses: ServerResponse[] = [];
    provider.answerWith((response) => {
      responses.push(response);
      response.writeHead(200, STREAM_HEAD).write(events);
      after?.(response);
    });
    return responses;
  }

  const ask = (path: string, provider: string, fields: object) =>
    gateway.app.api.post<string>(path, {
      key: key.plaintext,
      json: { model: 'acme/writer', provider: { order: [provider], allow_fallbacks: false }, ...fields, stream: true },
    });

  it.each(KINDS)('%s ends in every form, is recorded as whole, and its connection is closed', async (kind) => {
    const [slug, events, isEnded] = ANSWERS[kind];
    // What says that it ends must not wait for that.
    const limit = isEnded ? jest.spyOn(WaitDeadline.prototype, 'start').mockReturnValue() : undefined;
    const responses = leaveOpen(gateway[slug], events);
    await Promise.all(
      FORMS.map(async ([path, fields, end]) => {
        const answer = await ask(path, slug, fields);

        expect([path, answer.status]).toEqual([path, 200]);
        expect(answer.text).toContain(end);
        expect(answer.text).not.toContain('"error":{');
        expect(await gateway.record(answer, key)).toMatchObject({
          status: 200,
          cancelled: false,
          native_tokens_completion: 5,
        });
      }),
    );
    limit?.mockRestore();

    expect(responses).toHaveLength(FORMS.length);
    await until(() => Promise.resolve(responses.every(({ destroyed }) => destroyed)));
  });

  it('a provider that keeps sending events without content ends after its complete answer', async () => {
    leaveOpen(gateway.alpha, UNENDED, (response) => {
      const pings = setInterval(() => response.write(chunk({})), 50);
      response.once('close', () => clearInterval(pings));
    });
    const answer = await ask('/chat/completions', 'alpha', { messages: QUESTION });

    expect([answer.status, answer.text.endsWith(DONE), answer.text.includes('"error":{')]).toEqual([200, true, false]);
  });

  it('a provider that has finished one of two choices fails at the limit of the provider, because the other may still come', async () => {
    await gateway.limitAlpha({ gap: 100 });
    leaveOpen(gateway.alpha, UNENDED.replace(/data: [^\n]*"choices":\[\][^\n]*\n\n/, ''));
    const answer = await ask('/chat/completions', 'alpha', { messages: QUESTION, n: 2 });

    expect([answer.status, answer.text.includes('"error":{')]).toEqual([200, true]);
  });

  it('a provider that has finished one of two choices and sent its usage ends, because no other choice comes', async () => {
    leaveOpen(gateway.alpha, UNENDED);
    const answer = await ask('/chat/completions', 'alpha', { messages: QUESTION, n: 2 });

    expect([answer.status, answer.text.endsWith(DONE), answer.text.includes('"error":{')]).toEqual([200, true, false]);
  });
});
