import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import net from 'node:net';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { QUESTION } from '../test-gateway.js';
import { chunk, STREAM_HEAD } from '../provider-answers.js';
import { sharedGateway } from '../shared-gateway.js';

/** An answer of 32 MiB: more than the network between holds. */
const LARGE = { events: 512, text: 'x'.repeat(64 * 1024) };

describe('sendChatCompletionRequest for a client that reads nothing for UNREAD_STREAM_TIMEOUT_MS', () => {
  const gateway = sharedGateway({ variables: { UNREAD_STREAM_TIMEOUT_MS: '100' } });
  const key = keyPerTest(gateway, organizationPerTest(gateway));

  it('ends the stream and the request to the provider, and records it with status 200 as one whose client has left', async () => {
    const held = new Promise<ServerResponse>((resolve) => {
      gateway.alpha.answerWith((response) => {
        response.writeHead(200, STREAM_HEAD);
        for (let sent = 0; sent < LARGE.events; sent += 1) response.write(chunk({ content: LARGE.text }));
        resolve(response);
      });
    });
    const { hostname, port } = new URL(gateway.app.origin);
    const socket = net.connect(Number(port), hostname).pause();
    socket.on('error', () => undefined);
    const asked = { model: 'acme/writer', messages: QUESTION, stream: true, provider: { only: ['alpha'] } };
    const body = JSON.stringify(asked);
    socket.write(
      `POST /api/v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key.plaintext}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    await once(await held, 'close');
    const record = await gateway.onlyRecord(key);
    socket.destroy();

    expect(record).toMatchObject({ status: 200, streamed: true, cancelled: true, finish_reason: null });
    expect(record.tokens_completion).toBeGreaterThan(0);
  });
});
