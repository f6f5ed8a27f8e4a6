import { rawExchanges } from './raw-exchanges.js';

describe('a raw connection', () => {
  const { authorization, exchange, expectCutOff, statuses } = rawExchanges();

  it.each([
    ['a word', 'zz\r\n{"name":"x"}\r\n0\r\n\r\n'],
    ['a negative length', '-5\r\n{"name":"x"}\r\n0\r\n\r\n'],
    ['a length beyond all numbers', `${'f'.repeat(20)}\r\n{"name":"x"}\r\n0\r\n\r\n`],
    ['a length that is too short', '3\r\n{"name":"x"}\r\n0\r\n\r\n'],
    ['a word after a good one', 'c\r\n{"name":"x"}\r\nzz\r\n\r\n'],
  ])('that sends a chunk with %s is answered 400 and closed', async (_name, chunks) => {
    const head = `POST /api/v1/guardrails HTTP/1.1\r\nHost: x\r\n${authorization()}Content-Type: application/json\r\n`;
    await expectCutOff(`${head}Transfer-Encoding: chunked\r\n\r\n${chunks}`, 400, 'unreadable_request');
  });

  it('that sends endless chunk extensions is answered 413 and closed', async () => {
    const head = `POST /api/v1/guardrails HTTP/1.1\r\nHost: x\r\n${authorization()}Content-Type: application/json\r\n`;
    const extension = `c;${'a'.repeat(17_000)}`;
    await expectCutOff(`${head}Transfer-Encoding: chunked\r\n\r\n${extension}\r\n`, 413, 'unreadable_request');
  });

  it('that sends chunks with extensions and trailers is answered 201', async () => {
    const { answers } = await exchange(
      `POST /api/v1/guardrails HTTP/1.1\r\nHost: x\r\n${authorization()}Content-Type: application/json\r\n` +
        'Transfer-Encoding: chunked\r\n\r\n8;note="x"\r\n{"name":\r\n9\r\n"chunks"}\r\n0\r\nX-Trailer: x\r\n\r\n',
      1,
    );

    expect(statuses(answers)).toEqual([201]);
    expect(answers[0]!.body).toMatchObject({ data: { name: 'chunks' } });
  });

  it.each(['gzip, chunked', 'chunked, chunked', 'identity, chunked'])(
    'that sends the Transfer-Encoding %s is answered 400 (RFC 9112, section 6.1) and closed',
    async (coding) => {
      const head = `POST /api/v1/guardrails HTTP/1.1\r\nHost: x\r\n${authorization()}Content-Type: application/json\r\n`;
      await expectCutOff(
        `${head}Transfer-Encoding: ${coding}\r\n\r\nc\r\n{"name":"x"}\r\n0\r\n\r\n`,
        400,
        'unreadable_request',
      );
    },
  );
});
