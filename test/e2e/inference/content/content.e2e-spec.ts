import type { Answer } from '../../../support/network/api-client.js';
import { EncryptedContents } from '../../../../src/modules/generations/content/encrypted-contents.js';
import { lockRows } from '../../../support/database/row-locks.js';
import { until } from '../../../support/time/until.js';
import { QUESTION } from '../test-gateway.js';
import { chunk, completion, STREAM_END, STREAM_HEAD } from '../provider-answers.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { sharedGateway } from '../shared-gateway.js';

interface Content {
  readonly input: { readonly messages: readonly object[] };
  readonly output: { readonly completion: string | null; readonly reasoning: string | null };
  readonly error: null | (Record<string, unknown> & { readonly previous_errors: readonly object[] });
}

const ANSWER = { completion: 'All is well.', reasoning: null };

describe('listGenerationContent', () => {
  const gateway = sharedGateway();
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  beforeEach(() => log({ is_observability_io_logging_enabled: true }));

  /** Changes what the workspace has logged. */
  const log = async (json: object): Promise<void> => {
    const path = `/workspaces/${organization.workspaceId}`;
    const { status } = await gateway.app.api.patch(path, { key: organization.managementKey, json });
    expect({ path, status }).toEqual({ path, status: 200 });
  };

  const idOf = ({ headers }: { readonly headers: Headers }): string => headers.get('x-generation-id')!;

  const read = (
    id: string,
    credential = key.plaintext,
  ): Promise<Answer<{ data: Content; error: { metadata: object } }>> =>
    gateway.app.api.get(`/generation/content?id=${id}`, { key: credential });

  const contentOf = async (answer: { readonly headers: Headers }): Promise<Content> => {
    const { status, body } = await read(idOf(answer));
    expect(status).toBe(200);
    return body.data;
  };

  it('answers 200 with what was sent and what came back, in one piece or streamed', async () => {
    const whole = await gateway.ask(key);
    gateway.alpha.answerStream(
      [chunk({ reasoning: 'Let me ' }), chunk({ reasoning: 'see.' }), chunk({ content: 'All ' })].join('') +
        [chunk({ content: 'is well.' }), STREAM_END].join(''),
    );
    const streamed = await gateway.stream(key);

    expect(await contentOf(whole)).toEqual({ input: { messages: QUESTION }, output: ANSWER, error: null });
    expect(await contentOf(streamed)).toEqual({
      input: { messages: QUESTION },
      output: { ...ANSWER, reasoning: 'Let me see.' },
      error: null,
    });
  });

  it('answers 200 for the contents of requests at once, which are written together, each bound to its record', async () => {
    await gateway.ask(key);
    const encrypted = jest.spyOn(gateway.app.application.get(EncryptedContents), 'encrypted');
    const release = await lockRows(gateway.app, 'SELECT FROM key_spend WHERE key_id = $1 FOR UPDATE', [key.id]);
    const asked = Array.from({ length: 12 }, (_, number) =>
      gateway.ask(key, { messages: [{ role: 'user', content: `What is ${number}?` }] }),
    );
    // All but the first wait for it.
    await until(() => Promise.resolve(encrypted.mock.calls.length === asked.length));
    await release();
    const answers = await Promise.all(asked);
    encrypted.mockRestore();

    for (const [number, answer] of answers.entries()) {
      expect((await contentOf(answer)).input.messages).toEqual([{ role: 'user', content: `What is ${number}?` }]);
    }
    const ids = answers.map(idOf);
    const transactions = await gateway.app.rows('SELECT DISTINCT xmin FROM generations WHERE id = ANY ($1)', [ids]);
    expect(transactions.length).toBeLessThanOrEqual(2);
  });

  it('answers 200 without reasoning that the request leaves out', async () => {
    const message = { role: 'assistant', content: 'All is well.', reasoning: 'Let me see.' };
    gateway.alpha.answerJson(completion('', { choices: [{ index: 0, message, finish_reason: 'stop' }] }));
    const shown = await gateway.ask(key);
    const hidden = await gateway.ask(key, { reasoning: { exclude: true } });

    expect((await contentOf(shown)).output.reasoning).toBe('Let me see.');
    expect((await contentOf(hidden)).output).toEqual(ANSWER);
  });

  it('answers 200 to its key and to management keys of the organization, and 404 to every other', async () => {
    const id = idOf(await gateway.ask(key));
    const sister = await gateway.app.factory.key(organization);
    const stranger = await gateway.app.factory.organization();
    const theirs = await gateway.app.factory.key(stranger);

    expect((await read(id, organization.managementKey)).status).toBe(200);
    for (const { plaintext } of [sister, theirs, { plaintext: stranger.managementKey }]) {
      const { status, body } = await read(id, plaintext);
      expect({ status, ...body.error.metadata }).toEqual({ status: 404, reason: 'generation_not_found' });
    }
  });

  it.each([
    ['a workspace that logs nothing', { is_observability_io_logging_enabled: false }],
    ['a workspace that logs other keys', { io_logging_api_key_ids: [1] }],
  ])('answers 404 for a request in %s, from the next request on, and nothing is stored', async (_, settings) => {
    await log(settings);
    const ids = [idOf(await gateway.ask(key)), idOf(await gateway.stream(key))];
    for (const id of ids) {
      const { status, body } = await read(id);
      expect({ status, ...body.error.metadata }).toEqual({ status: 404, reason: 'generation_content_not_found' });
    }
    const kept = 'SELECT FROM generations WHERE key_id = $1 AND content IS NOT NULL';
    expect(await gateway.app.rows(kept, [key.id])).toEqual([]);
  });

  it('answers 200 for some requests of a workspace that logs half of them, and 404 for the others', async () => {
    await log({ io_logging_sampling_rate: 0.5 });
    const statuses = new Set<number>();
    await until(async () => {
      statuses.add((await read(idOf(await gateway.ask(key)))).status);
      return statuses.size === 2;
    });
    expect(statuses).toEqual(new Set([200, 404]));
  });

  it('answers 200 without what was redacted, and 404 for what was blocked; neither is stored anywhere', async () => {
    const messages = [{ role: 'user', content: 'Write to jane.doe@example.com' }];
    const redacting = await gateway.guardedKey(organization, emails('redact'));
    const blocking = await gateway.guardedKey(organization, emails('block'));
    const redacted = idOf(await gateway.ask(redacting, { messages }));
    const blocked = idOf(await gateway.ask(blocking, { messages }));

    expect((await read(redacted, redacting.plaintext)).body.data.input.messages).toEqual([
      { role: 'user', content: 'Write to [EMAIL]' },
    ]);
    expect((await read(blocked, blocking.plaintext)).status).toBe(404);
    const rows = await gateway.app.rows<{ content: Buffer }>(
      'SELECT content FROM generations WHERE organization_id = $1 AND content IS NOT NULL',
      [organization.organizationId],
    );
    expect(rows).toHaveLength(1);
    // Encrypted, so not even the words around it.
    expect(rows[0]!.content.toString('latin1')).not.toMatch(/jane|Write|messages/);
    expect(gateway.app.logLines.join('')).not.toContain('jane.doe');
  });

  it('answers 200 with the preset as it was sent', async () => {
    await gateway.app.factory.preset(organization, organization.workspaceId, 'polite', [
      { model: 'acme/writer', systemPrompt: 'Be polite.' },
    ]);
    const answer = await gateway.ask(key, { preset: 'polite' });

    expect((await contentOf(answer)).input.messages).toEqual(
      (gateway.alpha.received[0]!.body as { messages: object }).messages,
    );
  });

  it('answers 200 with what was delivered of an answer that broke off (502), and of one whose client left', async () => {
    gateway.alpha.answerStream(
      [chunk({ content: 'All ' }), 'data: {"error":{"message":"broken","code":500}}\n\n'].join(''),
    );
    const broken = await gateway.stream(key);
    gateway.alpha.answerWith((response) => {
      response.writeHead(200, STREAM_HEAD).write(chunk({ content: 'All ' }));
    });
    const client = new AbortController();
    const left = await gateway.open(key, {}, client.signal);
    await left.body!.getReader().read();
    client.abort();
    await until(async () => (await read(idOf(left))).status === 200);

    const output = { completion: 'All ', reasoning: null };
    expect(await contentOf(broken)).toMatchObject({
      output,
      error: { status: 502, message: 'Provider returned error', provider_name: 'Alpha Cloud', raw: null },
    });
    expect(await contentOf(left)).toMatchObject({ output, error: { status: 499 } });
  });

  it('answers 200 with what was sent where no provider answered (503), and with the error', async () => {
    gateway.alpha.answerJson({ error: { message: 'Out of order, sk-secret.' } }, 500);
    gateway.beta.answerJson({ error: { message: 'Too many.' } }, 429);
    const answer = await gateway.ask<{ error: { message: string } }>(key);

    expect(answer.status).toBe(503);
    expect(await contentOf(answer)).toEqual({
      input: { messages: QUESTION },
      output: { completion: null, reasoning: null },
      error: {
        status: 503,
        message: answer.body.error.message,
        provider_name: 'Beta Cloud',
        raw: null,
        previous_errors: [
          { code: 500, message: 'The provider answered 500.', provider_name: 'Alpha Cloud', raw: null },
          { code: 429, message: 'The provider answered 429.', provider_name: 'Beta Cloud', raw: null },
        ],
      },
    });
  });

  it('answers 200 with the latest messages of an input that is too large', async () => {
    const large = { role: 'user', content: 'x'.repeat(1_048_576) };
    const answer = await gateway.ask(key, { messages: [...QUESTION, large, ...QUESTION] });

    expect((await contentOf(answer)).input.messages).toEqual(QUESTION);
  });

  it('answers 404 for a content that stands in another record than its own, which the log tells', async () => {
    const [one, other] = [idOf(await gateway.ask(key)), idOf(await gateway.ask(key))];
    await gateway.app.rows(
      'UPDATE generations SET content = (SELECT content FROM generations WHERE id = $2 AND key_id = $3) WHERE id = $1 AND key_id = $3',
      [one, other, key.id],
    );

    expect((await read(one)).status).toBe(404);
    expect((await read(other)).status).toBe(200);
    expect(gateway.app.logLines.join('')).toContain(`the content of generation ${one} cannot be read`);
  });
});

function emails(action: string): object {
  return { content_filter_builtins: [{ slug: 'email', action }] };
}
