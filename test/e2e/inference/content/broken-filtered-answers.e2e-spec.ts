import type { Server, ServerResponse } from 'node:http';
import type Anthropic from '@anthropic-ai/sdk';
import type { IssuedCredential } from '../../../../src/modules/keys/keys.service.js';
import { organizationPerTest } from '../../../support/application/shared-organization.js';
import { claudeEvents, claudeMessage } from '../../../support/network/simulated-claude.js';
import { chunk, STREAM_END, STREAM_HEAD } from '../provider-answers.js';
import { textOf } from '../read-answers.js';
import { sharedGateway } from '../shared-gateway.js';
import { endpoint } from '../test-gateway.js';
import { ADDRESS, BLOCKED, REDACTED, toldBy } from './told-values.js';

/** Longer than what is held for the filters. */
const PROSE = 'And a few more words of prose. '.repeat(40);

const [FIRST_HALF, SECOND_HALF] = [ADDRESS.slice(0, 12), ADDRESS.slice(12)];

const ACTIONS = [
  ['block', BLOCKED],
  ['redact', REDACTED],
] as const;

describe('an answer under filters', () => {
  const gateway = sharedGateway();
  const organization = organizationPerTest(gateway);

  beforeEach(async () => {
    const path = `/workspaces/${organization.workspaceId}`;
    const json = { is_observability_io_logging_enabled: true };
    expect((await gateway.app.api.patch(path, { key: organization.managementKey, json })).status).toBe(200);
  });

  /** Expects the content of a record, of which there is some, to tell no value. */
  async function expectContentToTellNothing({ id }: { readonly id: string }): Promise<void> {
    const path = `/generation/content?id=${id}`;
    const { status, text } = await gateway.app.api.get(path, { key: organization.managementKey });
    expect([status, toldBy(text)]).toEqual([200, []]);
    expect(text).toContain('What is new?');
  }

  describe.each(ACTIONS)('that %s', (action, settings) => {
    it('that the next provider gives (200, or 403) is filtered where the first breaks off before its first token', async () => {
      gateway.alpha.answerWith((response) => {
        response.writeHead(200, STREAM_HEAD).write(': wait\n\n', () => response.destroy());
      });
      gateway.beta.answerStream(
        [chunk({ content: `Write to ${FIRST_HALF}` }), chunk({ content: `${SECOND_HALF} now.` }), STREAM_END].join(''),
      );
      const key = await gateway.guardedKey(organization, settings);
      const answer = await gateway.stream(key);

      expect([answer.status, toldBy(answer.text)]).toEqual([action === 'block' ? 403 : 200, []]);
      if (action === 'redact') expect(textOf(answer)).toBe('Write to [EMAIL] now.');
      const record = await gateway.record(answer, key);
      await expectContentToTellNothing(record);
      expect(record).toMatchObject({
        attempts: [{ provider: 'alpha' }, { provider: 'beta', status: 200 }],
        guardrail_actions: [{ filter: 'email', action, count: 1, place: 'response' }],
      });
    });

    it('tells nothing (200) when its provider breaks off before anything has left, and no other provider is asked', async () => {
      gateway.alpha.answerWith((response) => {
        response
          .writeHead(200, STREAM_HEAD)
          .write(chunk({ content: `Write to ${FIRST_HALF}` }), () => response.destroy());
      });
      const key = await gateway.guardedKey(organization, settings);
      const answer = await gateway.stream(key);

      expect([answer.status, textOf(answer), toldBy(answer.text)]).toEqual([200, '', []]);
      expect(gateway.beta.received).toEqual([]);
      const record = await gateway.record(answer, key);
      expect(record).toMatchObject({ status: 200, finish_reason: 'error' });
      await expectContentToTellNothing(record);
    });

    it('tells nothing of what is held (200) when its provider breaks off behind words that have left', async () => {
      gateway.alpha.answerWith((response) => {
        response.writeHead(200, STREAM_HEAD).write(chunk({ content: PROSE }));
        response.write(chunk({ content: `Write to ${FIRST_HALF}` }), () => response.destroy());
      });
      const key = await gateway.guardedKey(organization, settings);
      const answer = await gateway.stream(key);

      expect(answer.status).toBe(200);
      expect(answer.text).toContain('And a few more words');
      expect(toldBy(answer.text)).toEqual([]);
      const record = await gateway.record(answer, key);
      expect(record).toMatchObject({ status: 200, finish_reason: 'error' });
      await expectContentToTellNothing(record);
    });

    it('tells nothing (200) to a client that leaves while a value comes, and is recorded and charged', async () => {
      const key = await gateway.guardedKey(organization, settings);
      const received = await receivedUntilLeaving(key, [PROSE, `Write to ${FIRST_HALF}`, `${SECOND_HALF} now`]);

      expect(received).toContain('And a few more words');
      expect(toldBy(received)).toEqual([]);
      const record = await gateway.onlyRecord(key);
      expect(record).toMatchObject({ cancelled: true, status: 200 });
      expect(record.tokens_completion).toBeGreaterThan(0);
      expect(record.total_cost).toBeGreaterThan(0);
      await expectContentToTellNothing(record);
    });
  });

  /** What a client gets of a stream that it leaves as soon as words have come. @param texts that the provider says, one after the other */
  async function receivedUntilLeaving(key: IssuedCredential, texts: readonly string[]): Promise<string> {
    const client = new AbortController();
    gateway.alpha.answerWith((response) => {
      response.writeHead(200, STREAM_HEAD);
      for (const content of texts) response.write(chunk({ content }));
    });
    const hasLeft = new Promise<void>((resolve) => {
      const server = gateway.app.application.getHttpServer() as Server;
      server.once('request', (_: unknown, outgoing: ServerResponse) => outgoing.once('close', resolve));
    });
    const answer = await gateway.open(key, {}, client.signal);
    let received = '';
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    while (!received.includes('And a few more words')) received += (await reader.read()).value ?? '';
    client.abort();
    await Promise.allSettled([reader.read()]);
    await hasLeft;
    return received;
  }
});

describe('a search for tools that a provider of Claude runs', () => {
  const gateway = sharedGateway({
    variables: { PROVIDER_BETA_PROTOCOL: 'anthropic' },
    models: { 'acme/claude': [endpoint('beta', { supported_parameters: ['max_tokens', 'tools'] })] },
  });
  const organization = organizationPerTest(gateway);

  const said = { searched: { query: ADDRESS, found: [ADDRESS] }, text: 'Found.' };

  const TOOLS: Anthropic.ToolUnion[] = [
    { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' },
    { name: 'look', input_schema: { type: 'object' } },
  ];

  it.each(ACTIONS)(
    'tells nothing (200 or 403) of what it looks for and finds to filters that %s',
    async (action, settings) => {
      gateway.beta.answerWith((response, { body }) => {
        if ((body as { stream?: boolean }).stream !== true) {
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(claudeMessage(said)));
          return;
        }
        const events = claudeEvents(said) as readonly { readonly type: string }[];
        response.writeHead(200, STREAM_HEAD);
        response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
      });
      const key = await gateway.guardedKey(organization, settings);
      for (const stream of [true, false]) {
        const { status, text } = await gateway.app.api.post('/messages', {
          key: key.plaintext,
          json: {
            model: 'acme/claude',
            max_tokens: 100,
            tools: TOOLS,
            messages: [{ role: 'user', content: 'Go.' }],
            stream,
          },
        });

        // The first letter of the JSON of the search has left of the stream.
        expect([stream, status, toldBy(text)]).toEqual([stream, action === 'block' && !stream ? 403 : 200, []]);
      }
    },
  );
});
