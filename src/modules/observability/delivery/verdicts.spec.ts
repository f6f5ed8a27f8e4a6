import { messageOf, verdictOf } from './verdicts.js';

const NOW = Date.parse('Thu, 26 Nov 2026 14:00:00 GMT');

function answer(status: number, headers: Record<string, string> = {}, body = 'no') {
  return { status, headers, body };
}

describe('the verdict on an answer', () => {
  it.each([
    [200, 'delivered'],
    [202, 'delivered'],
    [204, 'delivered'],
    [301, 'misconfigured'],
    [307, 'misconfigured'],
    [400, 'refused'],
    [401, 'misconfigured'],
    [403, 'misconfigured'],
    [404, 'misconfigured'],
    [405, 'misconfigured'],
    [408, 'unavailable'],
    [409, 'unavailable'],
    [410, 'gone'],
    [413, 'refused'],
    [415, 'unsupported_encoding'],
    [418, 'refused'],
    [422, 'refused'],
    [425, 'unavailable'],
    [429, 'throttled'],
    [500, 'failed'],
    [501, 'failed'],
    [502, 'unavailable'],
    [503, 'unavailable'],
    [504, 'unavailable'],
    [507, 'failed'],
    [999, 'failed'],
  ])('with %i is %s', (status, outcome) => {
    expect(verdictOf(answer(status)).outcome).toBe(outcome);
  });

  it.each([502, 503, 504, 429])('with %i and a time is that the receiver wants fewer requests', (status) => {
    expect(verdictOf(answer(status, { 'retry-after': '7' }), [], NOW)).toEqual({
      outcome: 'throttled',
      status,
      message: `HTTP ${status}: no`,
      retryAfterMs: 7_000,
    });
  });

  it.each([
    ['120', 120_000],
    ['0', 0],
    ['1.5', 1_500],
    ['86400', 3_600_000],
    ['Thu, 26 Nov 2026 14:00:30 GMT', 30_000],
    ['Thu, 26 Nov 2026 13:00:00 GMT', 0],
    ['Fri, 27 Nov 2026 14:00:00 GMT', 3_600_000],
    ['soon', undefined],
    ['-5', undefined],
    ['', undefined],
  ])('waits for what Retry-After "%s" says', (text, milliseconds) => {
    expect(verdictOf(answer(429, { 'retry-after': text }), [], NOW)).toMatchObject({ outcome: 'throttled' });
    const { retryAfterMs } = verdictOf(answer(429, { 'retry-after': text }), [], NOW) as { retryAfterMs?: number };
    expect(retryAfterMs).toBe(milliseconds);
  });

  it('waits for the longest of Sentry’s limits', () => {
    const headers = { 'x-sentry-rate-limits': '60:transaction:organization, 2700:error;default:project' };
    expect(verdictOf(answer(429, headers))).toMatchObject({ outcome: 'throttled', retryAfterMs: 2_700_000 });
  });
});

describe('the message of an answer', () => {
  it('has its status and the first 500 characters together, without control characters', () => {
    expect(messageOf(answer(400, {}, 'a\u0000b\r\n\tc\u202ed'))).toBe('HTTP 400: a b c d');
    expect(messageOf(answer(400, {}, ' \n'))).toBe('HTTP 400');
    const message = messageOf(answer(400, {}, '🙂'.repeat(1_000)));
    expect([...message]).toHaveLength(500);
    expect(message.isWellFormed()).toBe(true);
  });

  it('has no secret, not even a part of one where it is cut', () => {
    const secret = 'key-0123456789';
    expect(messageOf(answer(401, {}, `bad ${secret}, ${secret}`), [secret])).toBe('HTTP 401: bad ****, ****');
    expect(messageOf(answer(401, {}, `${'x'.repeat(480)} ${secret}`), [secret])).not.toContain('key');
  });
});
