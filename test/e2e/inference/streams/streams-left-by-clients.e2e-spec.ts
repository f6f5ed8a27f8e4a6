import type { Server, ServerResponse } from 'node:http';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { until } from '../../../support/time/until.js';
import { endpoint } from '../test-gateway.js';
import { chunk, STREAM_END, STREAM_HEAD } from '../provider-answers.js';
import { sharedGateway } from '../shared-gateway.js';

const AUDIO = { pricing: { prompt: '0.000001', completion: '0.000002', audio: '0.00001', audio_output: '0.00006' } };

describe('A stream (200) that its client leaves', () => {
  const gateway = sharedGateway({
    models: {
      'acme/speaker': [endpoint('alpha', AUDIO)],
      'acme/thinker': [endpoint('alpha', { supported_parameters: ['max_tokens', 'reasoning'] })],
    },
  });
  const key = keyPerTest(gateway, organizationPerTest(gateway));

  /**
   * Asks for a stream, lets Alpha begin it, and leaves it.
   *
   * @param events the first ones; none for a client that leaves before the first token
   * @returns the response of Alpha, as soon as the gateway knows that the client has left
   */
  const left = async (fields: object, events: readonly string[]): Promise<ServerResponse> => {
    const client = new AbortController();
    const asked = new Promise<ServerResponse>((resolve) => {
      gateway.alpha.answerWith((response) => {
        response.writeHead(200, STREAM_HEAD).flushHeaders();
        for (const event of events) response.write(event);
        resolve(response);
      });
    });
    const hasLeft = new Promise<void>((resolve) => {
      const server = gateway.app.application.getHttpServer() as Server;
      server.once('request', (_: unknown, outgoing: ServerResponse) => outgoing.once('close', resolve));
    });
    const answer = gateway.open(key, fields, client.signal);
    const response = await asked;
    if (events.length > 0) {
      let received = '';
      const reader = (await answer).body!.pipeThrough(new TextDecoderStream()).getReader();
      while (received.split('\n\n').length <= events.length) received += (await reader.read()).value ?? '';
    }
    client.abort();
    await Promise.allSettled([answer]);
    await hasLeft;
    return response;
  };

  it('is charged its audio, at the price of audio', async () => {
    const audio = { audio: { id: 'audio_1', data: 'A'.repeat(64_000) } };
    await left({ model: 'acme/speaker', audio: { voice: 'alloy', format: 'pcm16' } }, [chunk(audio)]);

    // 14 tokens of the prompt, with what it says about the audio, and 20 of a second of audio.
    expect(await gateway.onlyRecord(key)).toMatchObject({ status: 200, tokens_completion: 20, total_cost: 0.001214 });
  });

  it('is charged as many tokens as the pieces that came, where those are more than its bytes say', async () => {
    await left(
      {},
      Array.from({ length: 12 }, () => chunk({ content: '7' })),
    );

    expect(await gateway.onlyRecord(key)).toMatchObject({ status: 200, tokens_completion: 12, total_cost: 0.000027 });
  });

  it.each([
    ['after its first token', [chunk({ content: 'Yes' })]],
    ['before its first token', []],
  ])('ends at the provider where its model may think unseen, and is charged for that, %s', async (_, events) => {
    const response = await left({ model: 'acme/thinker' }, events);
    await until(() => Promise.resolve(response.destroyed));

    const record = await gateway.onlyRecord(key);
    expect(record).toMatchObject({ cancelled: true, tokens_prompt: expect.any(Number) as number });
    expect(record.native_tokens_reasoning).toBeGreaterThan(0);
  });

  it('is read to its usage where the model has finished', async () => {
    const response = await left({}, [chunk({ content: 'Yes.' }), chunk({}, 'stop')]);
    response.end(STREAM_END);

    expect(await gateway.onlyRecord(key)).toMatchObject({
      cancelled: true,
      finish_reason: 'stop',
      tokens_prompt: 10,
      tokens_completion: 5,
    });
  });
});
