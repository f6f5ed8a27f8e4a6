import { sharedApplication } from '../../support/application/shared-application.js';
import { exchangeBytes } from '../../support/network/raw-connection.js';
import { expectEnvelope } from '../../support/expectations/error-envelope.js';
import { expectNoSideEffects } from '../../support/expectations/no-side-effects.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

/** What an attacker hides behind the body that the proxy in front of the service believes in. */
const SMUGGLED = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n';

const CHUNKED_BODY = 'c\r\n{"name":"x"}\r\n0\r\n\r\n';

describe('a request with other bytes behind it', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = sharedOrganization(app);

  const head = (framing: string): string =>
    `POST /api/v1/guardrails HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${organization.managementKey}\r\n` +
    `Content-Type: application/json\r\n${framing}\r\n\r\n`;

  it.each([
    ['both a length and chunks', 'Content-Length: 4\r\nTransfer-Encoding: chunked', CHUNKED_BODY],
    ['both chunks and a length', 'Transfer-Encoding: chunked\r\nContent-Length: 22', CHUNKED_BODY],
    ['two lengths', 'Content-Length: 12\r\nContent-Length: 50', '{"name":"x"}'],
    ['the same length twice', 'Content-Length: 12\r\nContent-Length: 12', '{"name":"x"}'],
    ['a list of lengths', 'Content-Length: 12, 12', '{"name":"x"}'],
    ['a length with a sign', 'Content-Length: +12', '{"name":"x"}'],
    ['a negative length', 'Content-Length: -12', '{"name":"x"}'],
    ['a length in hex', 'Content-Length: 0xc', '{"name":"x"}'],
    ['a length beyond all numbers', `Content-Length: ${'9'.repeat(30)}`, '{"name":"x"}'],
    ['a length with a space inside', 'Content-Length: 1 2', '{"name":"x"}'],
    ['no length at all', 'Content-Length:', '{"name":"x"}'],
    ['a length on a folded line', 'Content-Length:\r\n 12', '{"name":"x"}'],
    ['another transfer coding', 'Transfer-Encoding: xchunked', CHUNKED_BODY],
    ['a transfer coding behind chunks', 'Transfer-Encoding: chunked, identity', CHUNKED_BODY],
    ['chunks twice', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: xchunked', CHUNKED_BODY],
    ['chunks in quotes', 'Transfer-Encoding: "chunked"', CHUNKED_BODY],
    ['chunks behind a space', 'Transfer-Encoding : chunked', CHUNKED_BODY],
    ['chunks behind a vertical tab', 'Transfer-Encoding: \x0bchunked', CHUNKED_BODY],
    ['chunks on a folded line', 'Transfer-Encoding:\r\n chunked', CHUNKED_BODY],
    ['line feeds alone', 'X: x\nTransfer-Encoding: chunked', CHUNKED_BODY],
    ['a carriage return alone', 'X: x\rTransfer-Encoding: chunked', CHUNKED_BODY],
    ['chunks that end with line feeds alone', 'Transfer-Encoding: chunked', 'c\n{"name":"x"}\n0\n\n'],
  ])(
    'is answered 400 and its connection closed, with the other bytes unread, when its end is in doubt: %s',
    async (_name, framing, body) => {
      await expectNoSideEffects(app, async () => {
        const { answers, isClosed } = await exchangeBytes(app.origin, [head(framing) + body + SMUGGLED], 'closed');

        expect(answers).toHaveLength(1);
        expect(expectEnvelope(answers[0]!, 400).error.metadata.reason).toBe('unreadable_request');
        expect(isClosed).toBe(true);
      });
    },
  );

  it('is answered 201, and the bytes behind it 200 as the next request, when its end is clear', async () => {
    const { answers } = await exchangeBytes(app.origin, [`${head('Content-Length: 14')}{"name":"end"}${SMUGGLED}`], 2);

    expect(answers.map(({ status }) => status)).toEqual([201, 200]);
  });

  it('is answered 404, and the bytes behind it 200 as the next request, when it has no body', async () => {
    const request = `DELETE /api/v1/keys/${'0'.repeat(64)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${organization.managementKey}\r\n`;

    const { answers } = await exchangeBytes(app.origin, [`${request}\r\n${SMUGGLED}`], 2);

    expect(answers.map(({ status }) => status)).toEqual([404, 200]);
  });

  it('is answered 200, and the bytes behind its unused body 200 as the next request', async () => {
    const request = `GET /api/v1/guardrails HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${organization.managementKey}\r\n`;
    const body = SMUGGLED.repeat(10_000);

    const { answers } = await exchangeBytes(
      app.origin,
      [`${request}Content-Length: ${body.length}\r\n\r\n`, body, SMUGGLED],
      2,
    );

    expect(answers.map(({ body: answer }) => answer)).toEqual([
      expect.objectContaining({ data: expect.any(Array) }),
      { status: 'live' },
    ]);
  });
});
