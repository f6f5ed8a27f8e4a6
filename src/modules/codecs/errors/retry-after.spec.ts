import { type AnswerHeaders, retryAfterOf, waitIn } from './retry-after.js';

const NOW = Date.parse('2026-01-01T00:00:00Z');

describe('The time after which a provider wants to be asked again', () => {
  it.each([
    [
      'Rate limit reached for gpt-5.5 on tokens per min (TPM): Limit 30000, Used 29000. Please try again in 11.054s.',
      12,
    ],
    ['Please try again in 1m26.4s. Visit https://example.com/limits to learn more.', 87],
    ['Please try again in 6ms', 1],
    ['Please retry after 20 seconds.', 20],
    ['Retry in 1 minute 5 seconds', 65],
    ['Please try again in 2h', 7_200],
    ['Please try again in 90h', 86_400],
    ['Try again later.', undefined],
    ['You have 20 s', undefined],
    ['', undefined],
  ])('is read from the words "%s" as %p seconds', (message, seconds) => {
    expect(waitIn(message)).toBe(seconds);
  });

  it.each([
    ['7', 7],
    [' 0.2 ', 1],
    ['0', 0],
    ['Thu, 01 Jan 2026 00:01:30 GMT', 90],
    ['Wed, 31 Dec 2025 23:00:00 GMT', 0],
    ['99999999999', 86_400],
    [['3', '9'], 3],
    ['-5', undefined],
    ['soon', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('is read from Retry-After: %p as %p seconds', (header, seconds) => {
    expect(retryAfterOf({ 'retry-after': header }, 500, NOW)).toBe(seconds);
  });

  it.each<[AnswerHeaders, number | undefined]>([
    [{ 'retry-after-ms': '2500' }, 3],
    [{ 'retry-after-ms': '1500', 'retry-after': '60' }, 2],
    [{ 'retry-after-ms': 'soon', 'retry-after': '60' }, 60],
    [{ 'retry-after-ms': '99999999999999' }, 86_400],
    [{ 'x-ratelimit-reset': '20', 'retry-after': '60' }, 60],
    [{ 'x-ratelimit-reset': '20' }, 20],
    [{ 'x-ratelimit-reset': '6m0.5s' }, 361],
    [{ 'x-ratelimit-reset': '12ms' }, 1],
    [{ 'x-ratelimit-reset': '9999999d' }, 86_400],
    [{ 'x-ratelimit-reset': String(NOW + 90_000) }, 90],
    [{ 'x-ratelimit-reset': String(NOW / 1_000 + 90) }, 90],
    [{ 'x-ratelimit-reset': '2026-01-01T00:01:30Z' }, 90],
    [{ 'x-ratelimit-reset': '2025-01-01T00:01:30Z' }, 0],
    [{ 'x-ratelimit-reset': '5 s' }, undefined],
    [{ 'x-ratelimit-reset': '1s'.repeat(1_000) }, undefined],
    [{ 'x-ratelimit-reset-requests': '2m', 'x-ratelimit-reset-tokens': '7s' }, 7],
    [
      {
        'x-ratelimit-reset-requests': '2m',
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-tokens': '7s',
        'x-ratelimit-remaining-tokens': '0',
      },
      120,
    ],
    [
      {
        'x-ratelimit-reset-requests': '7s',
        'x-ratelimit-remaining-requests': '3',
        'x-ratelimit-reset-tokens': '2m',
        'x-ratelimit-remaining-tokens': '0',
      },
      120,
    ],
  ])('is read from the headers %j of a 429 as %p seconds', (headers, seconds) => {
    expect(retryAfterOf(headers, 429, NOW)).toBe(seconds);
    expect(retryAfterOf(headers, 503, NOW)).toBe(seconds);
  });

  it('is not when a limit begins anew where the status is none for too many requests', () => {
    expect(retryAfterOf({ 'x-ratelimit-reset': '20' }, 500, NOW)).toBeUndefined();
  });
});
