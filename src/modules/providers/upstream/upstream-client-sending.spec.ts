import type { ServerSentEvent, StreamDecoder } from '../../codecs/upstream-codec.js';
import net from 'node:net';
import { provideFor } from '../../../../test/support/network/provider-of-tests.js';
import { newUpstreamClient } from '../../../../test/support/network/upstream-client-of-tests.js';
import { ProviderServer } from '../../../../test/support/network/provider-server.js';
import { withRawServer } from '../../../../test/support/network/raw-server.js';
import { until } from '../../../../test/support/time/until.js';

const EVERY_EVENT: StreamDecoder<ServerSentEvent> = {
  read: (event) => event,
  hasAnswerPart: () => true,
  isLast: () => false,
  hasFinished: () => false,
  ended: () => undefined,
};

/** More than the network between holds. */
const LARGE = { text: 'x'.repeat(32 * 1024 * 1024) };

describe('The client of providers, asked for a stream,', () => {
  const client = newUpstreamClient();
  let provider: ProviderServer;
  let isSent: boolean;

  provideFor(client, (started) => (provider = started));

  beforeEach(() => (isSent = false));

  const ask = async (baseUrl: string, body: object, signal = new AbortController().signal): Promise<string[]> => {
    const upstream = provider.upstream({ baseUrl });
    const sent = (): void => void (isSent = true);
    const call = {
      upstream,
      path: '/chat',
      headers: {},
      keyHeader: 'authorization',
      body,
      organizationId: 'organization',
      signal,
      sent,
    };
    const data: string[] = [];
    for await (const event of client.events(() => call, EVERY_EVENT)) data.push(event.data);
    return data;
  };

  it('says that the provider has the whole request, with its length', async () => {
    provider.answerStream('data: a\n\n');
    expect(await ask(provider.baseUrl, { stream: true })).toEqual(['a']);
    expect(isSent).toBe(true);
    expect(provider.received).toMatchObject([{ headers: { 'content-length': '15' }, body: { stream: true } }]);
  });

  it('does not say so while the provider has not taken all of it', async () => {
    let connection: net.Socket | undefined;
    const server = net.createServer((socket) => (connection = socket.pause().on('error', () => undefined)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as net.AddressInfo;
    const leaving = new AbortController();
    const asked = ask(`http://127.0.0.1:${port}`, LARGE, leaving.signal);
    await until(() => Promise.resolve(connection !== undefined));
    expect(isSent).toBe(false);
    connection!.resume();
    await until(() => Promise.resolve(isSent));
    leaving.abort(new Error('left'));
    await expect(asked).rejects.toThrow('left');
    connection!.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  it('reads a refusal that comes before the provider has taken all of it', async () => {
    const refusal = 'HTTP/1.1 413 Payload Too Large\r\ncontent-length: 0\r\n\r\n';
    await withRawServer(refusal, true, async (baseUrl) => {
      await expect(ask(baseUrl, LARGE)).rejects.toMatchObject({ kind: 'refused', status: 413 });
    });
  });

  it('throws for a server that cannot be reached, without saying that anything was sent', async () => {
    const stopped = await ProviderServer.start();
    const { baseUrl } = stopped;
    await stopped.stop();
    await expect(ask(baseUrl, { stream: true })).rejects.toMatchObject({ kind: 'unreachable' });
    expect(isSent).toBe(false);
  });
});
