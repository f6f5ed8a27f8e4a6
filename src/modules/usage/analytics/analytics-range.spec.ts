import { totalsOf } from './analytics-range.js';

const NOW = Date.parse('2026-11-20T15:30:00Z');

/** The totals that a time without granularity is read from, as `period from until`. */
function partsOf(start: string, end: string, now = NOW): string[] {
  const { parts } = totalsOf({ start: Date.parse(start), end: Date.parse(end) }, undefined, now);
  return parts.map(({ period, from, until }) => [period, short(from), short(until)].join(' '));
}

function short(time: Date): string {
  return time.toISOString().slice(5, 16);
}

describe('totalsOf', () => {
  it.each([
    [
      'two parts of days',
      '2026-11-10T05:10:00Z',
      '2026-11-12T02:00:00Z',
      ['hour 11-10T05:00 11-11T00:00', 'day 11-11T00:00 11-12T00:00', 'hour 11-12T00:00 11-12T02:00'],
    ],
    ['whole days', '2026-11-10T00:00:00Z', '2026-11-12T00:00:00Z', ['day 11-10T00:00 11-12T00:00']],
    [
      'an end within an hour',
      '2026-11-10T00:00:00Z',
      '2026-11-11T00:00:01Z',
      ['day 11-10T00:00 11-11T00:00', 'hour 11-11T00:00 11-11T01:00'],
    ],
    ['less than a day', '2026-11-10T05:10:00Z', '2026-11-10T09:00:00Z', ['hour 11-10T05:00 11-10T09:00']],
    ['hours of two days', '2026-11-10T23:00:00Z', '2026-11-11T01:00:00Z', ['hour 11-10T23:00 11-11T01:00']],
    [
      'a time until now',
      '2026-11-18T15:30:00Z',
      '2026-11-20T15:30:00Z',
      ['hour 11-18T15:00 11-19T00:00', 'day 11-19T00:00 11-20T16:00'],
    ],
    [
      'a time until an earlier hour of today',
      '2026-11-19T00:00:00Z',
      '2026-11-20T15:00:00Z',
      ['day 11-19T00:00 11-20T00:00', 'hour 11-20T00:00 11-20T15:00'],
    ],
    [
      'a time that ends tomorrow',
      '2026-11-19T00:00:00Z',
      '2026-11-21T07:00:00Z',
      ['day 11-19T00:00 11-21T00:00', 'hour 11-21T00:00 11-21T07:00'],
    ],
  ])('has hours at the ends and days between them for %s', (_name, start, end, expected) => {
    expect(partsOf(start, end)).toEqual(expected);
  });

  it('has days alone for more than 31 days, and hours alone with a granularity of hours', () => {
    expect(partsOf('2026-10-01T05:00:00Z', '2026-11-12T02:00:00Z')).toEqual(['day 10-01T00:00 11-13T00:00']);
    const span = { start: Date.parse('2026-11-10T00:00:00Z'), end: Date.parse('2026-11-12T00:00:00Z') };
    expect(totalsOf(span, 'hour', NOW).parts.map(({ period }) => period)).toEqual(['hour']);
  });

  it('follow one another without a gap and without an overlap, whatever the time is', () => {
    for (let hour = 0; hour < 60; hour += 1) {
      const start = Date.parse('2026-11-17T00:00:00Z') + hour * 3_600_000;
      for (let length = 1; length < 100; length += 1) {
        const range = totalsOf({ start, end: start + length * 3_600_000 }, undefined, NOW);
        const ends = range.parts.map(({ until }) => until.getTime());
        const begins = range.parts.map(({ from }) => from.getTime());
        expect([...begins, range.until.getTime()]).toEqual([range.from.getTime(), ...ends]);
      }
    }
  });
});
