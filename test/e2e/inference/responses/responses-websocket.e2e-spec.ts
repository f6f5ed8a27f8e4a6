import { sharedApplication } from '../../../support/application/shared-application.js';
import { expectEnvelope } from '../../../support/expectations/error-envelope.js';
import { exchangeBytes } from '../../../support/network/raw-connection.js';

describe('sendResponsesRequest by a WebSocket', () => {
  const app = sharedApplication({ topic: 'suite' });

  const upgrade = (path: string, headers = ''): string =>
    [
      `GET ${path} HTTP/1.1`,
      'Host: gateway.example',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      `${headers}\r\n`,
    ].join('\r\n');

  it.each([
    ['no credential', ''],
    ['one that is wrong', 'Authorization: Bearer sk-gate-wrong\r\n'],
  ])('answers 426 with %s, names the protocol and closes the connection', async (_, headers) => {
    const { answers, isClosed } = await exchangeBytes(
      app.origin,
      [upgrade('/api/v1/responses?x=1', headers)],
      'closed',
    );
    expect(answers).toHaveLength(1);
    expect(expectEnvelope(answers[0]!, 426).error).toEqual({
      code: 426,
      message: 'Upgrade Required',
      metadata: { reason: 'websocket_not_served' },
    });
    expect(answers[0]!.headers.get('upgrade')).toBe('websocket');
    expect(answers[0]!.headers.get('connection')).toBe('Upgrade, close');
    expect(isClosed).toBe(true);
  });

  it('answers 404 at other paths, and 401 to a POST with an Upgrade header', async () => {
    const other = await exchangeBytes(app.origin, [upgrade('/api/v1/responses/one')], 1);
    expect(other.answers[0]!.status).toBe(404);
    const post = upgrade('/api/v1/responses', 'Content-Length: 0\r\n').replace('GET', 'POST');
    const { answers } = await exchangeBytes(app.origin, [post], 1);
    expect(answers[0]!.status).toBe(401);
  });
});
