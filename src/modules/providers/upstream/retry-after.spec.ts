import { retryAfterOf } from './retry-after.js';

const NOW = Date.parse('2026-01-01T00:00:00Z');

describe('The time after which a provider wants to be asked again', () => {
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
    expect(retryAfterOf(header, NOW)).toBe(seconds);
  });
});
