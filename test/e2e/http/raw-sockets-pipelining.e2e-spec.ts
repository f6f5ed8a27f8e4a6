import { expectEnvelope } from '../../support/expectations/error-envelope.js';
import { rawExchanges } from './raw-exchanges.js';

describe('a raw connection', () => {
  const { authorization, exchange, get, statuses } = rawExchanges();

  it('that sends pipelined requests is answered 200 and 404 in their order', async () => {
    const paths = [
      '/health/live',
      '/api/v1/nowhere',
      '/api/v1/guardrails',
      '/api/v1/guardrails?limit=0',
      '/health/ready',
    ];

    const { answers } = await exchange(paths.map((path) => get(path)).join(''), paths.length);

    expect(statuses(answers)).toEqual([200, 404, 200, 400, 200]);
    expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(paths.length);
  });

  it.each([
    ['garbage', '\x01\x02garbage\r\n\r\n', 400, 'unreadable_request'],
    ['a method that there is not', 'MYSTERY / HTTP/1.1\r\nHost: x\r\n\r\n', 404, 'route_not_found'],
    ['half a request line with a known method', 'GET /x HTTP/9.9\r\n\r\n', 400, 'unreadable_request'],
  ])(
    'that sends pipelined requests is answered 200 before the error for what follows them in the same packet: %s',
    async (_name, bytes, status, reason) => {
      const body = '{"name":"pipelined"}';
      const create =
        `POST /api/v1/guardrails HTTP/1.1\r\nHost: x\r\n${authorization()}Content-Type: application/json\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body}`;

      const { answers, isClosed } = await exchange(create + get('/api/v1/guardrails') + bytes, 'closed');

      expect(statuses(answers)).toEqual([201, 200, status]);
      expect(expectEnvelope(answers[2]!, status).error.metadata.reason).toBe(reason);
      expect(isClosed).toBe(true);
    },
  );
});
