import type { ModelPricing } from './model-facts.js';
import { possiblePrices, priceFaultOf, pricesInForce } from './price-rules.js';

const BASE = { prompt: '0.000001', completion: '0.000002', input_cache_read: '0.0000001' };

/** A Thursday. */
const at = (time: string, day = '2026-11-26'): Date => new Date(`${day}T${time}Z`);

const NOON = at('12:00:00');

const inForce = (overrides: object[], promptTokens = 10, when = NOON): object =>
  pricesInForce({ ...BASE, overrides }, { at: when, promptTokens });

describe('The prices in force', () => {
  it.each([
    [1_000, '0.000001'],
    [1_001, '0.00001'],
  ])('for a prompt of %i tokens, with an override above 1,000, have the price %s', (tokens, prompt) => {
    expect(inForce([{ min_prompt_tokens: 1_000, prompt: '0.00001' }], tokens)).toEqual({ ...BASE, prompt });
  });

  it('are those of days and times in UTC, whichever the clock of the place says', () => {
    const overrides = [{ utc_days: ['thursday'], utc_start: 1200, prompt: '7' }];
    const clocks = (['getDay', 'getDate', 'getHours', 'getMinutes'] as const).map((name) =>
      jest.spyOn(Date.prototype, name).mockReturnValue(2),
    );
    try {
      expect(inForce(overrides)).toMatchObject({ prompt: '7' });
    } finally {
      for (const clock of clocks) clock.mockRestore();
    }
  });

  it('are for each price those of the last override that applies, else those of the list', () => {
    const overrides = [
      { min_prompt_tokens: 5, prompt: '0.3', completion: '0.4' },
      { min_prompt_tokens: 6, prompt: '0.5' },
      { min_prompt_tokens: 100, prompt: '0.7', completion: '0.8' },
      { input_cache_write: '0.9' },
    ];
    expect(inForce(overrides)).toEqual({ ...BASE, prompt: '0.5', completion: '0.4', input_cache_write: '0.9' });
  });

  it.each([
    [
      'from 16:30 to 00:30',
      { utc_start: 1630, utc_end: 30 },
      ['16:30:00', '23:59:59', '00:29:59'],
      ['16:29:59', '00:30:00'],
    ],
    ['from 1:00 to 4:00', { utc_start: 100, utc_end: 400 }, ['01:00:00', '03:59:59'], ['00:59:59', '04:00:00']],
    ['from 22:00 on', { utc_start: 2200 }, ['22:00:00', '23:59:59'], ['21:59:59', '00:00:00']],
    ['until 2:00', { utc_end: 200 }, ['00:00:00', '01:59:59'], ['02:00:00', '23:59:59']],
    ['until the end of the day', { utc_start: 2300, utc_end: 2400 }, ['23:59:59'], ['00:00:00']],
    ['in no time', { utc_start: 500, utc_end: 500 }, [], ['05:00:00', '04:59:59']],
    ['on Thursdays and Fridays', { utc_days: ['thursday', 'friday'] }, ['00:00:00', '23:59:59'], []],
    ['on other days', { utc_days: ['friday'] }, [], ['00:00:00', '23:59:59']],
    ['on no day', { utc_days: [] }, [], ['12:00:00']],
  ])('%s are those of the override', (_, condition, inside, outside) => {
    const prompts = (times: readonly string[]): unknown[] =>
      times.map((time) => (inForce([{ ...condition, prompt: '7' }], 10, at(time)) as ModelPricing).prompt);
    expect(prompts(inside)).toEqual(inside.map(() => '7'));
    expect(prompts(outside)).toEqual(outside.map(() => BASE.prompt));
  });

  it('of a window over midnight are those of the day on which the request comes', () => {
    const overrides = [{ utc_days: ['thursday'], utc_start: 2200, utc_end: 400, prompt: '7' }];
    const promptOn = (day: string): unknown => (inForce(overrides, 10, at('02:00:00', day)) as ModelPricing).prompt;
    expect([promptOn('2026-11-26'), promptOn('2026-11-27')]).toEqual(['7', BASE.prompt]);
  });

  it('apply only where all conditions do', () => {
    const overrides = [{ min_prompt_tokens: 9, utc_start: 1300, prompt: '7' }];
    expect(inForce(overrides, 10, at('12:59:59'))).toEqual(BASE);
    expect(inForce(overrides, 9, at('13:00:00'))).toEqual(BASE);
    expect(inForce(overrides, 10, at('13:00:00'))).toMatchObject({ prompt: '7' });
  });
});

describe('The prices that may be in force', () => {
  it('are those of each size that the prompt may have', () => {
    const overrides = [
      { min_prompt_tokens: 1_000, prompt: '2' },
      { min_prompt_tokens: 500, prompt: '3' },
      { min_prompt_tokens: 5_000, prompt: '4' },
      { utc_start: 1300, min_prompt_tokens: 10, prompt: '5' },
    ];
    const possible = possiblePrices({ ...BASE, overrides }, { at: NOON, promptTokens: 2_000 });
    expect(possible.map(({ prices, mostPromptTokens }) => [mostPromptTokens, prices.prompt])).toEqual([
      [10, BASE.prompt],
      [500, BASE.prompt],
      [1_000, '3'],
      [2_000, '3'],
    ]);
  });

  it('are those of the list where there is no rule', () => {
    expect(possiblePrices(BASE, { at: NOON, promptTokens: 7 })).toEqual([{ prices: BASE, mostPromptTokens: 7 }]);
  });
});

describe('Prices by which requests cannot be charged', () => {
  it.each([
    [{ prompt: '-1' }, 'prompt is "-1"'],
    [{ prompt: '1e400' }, 'prompt is "1e400"'],
    [{ completion: 'free' }, 'completion is "free"'],
    [{ request: '' }, 'request is ""'],
    [{ image: 'NaN' }, 'image is "NaN"'],
    [{ input_cache_read: 'Infinity' }, 'input_cache_read is "Infinity"'],
    [{ web_search: '0,01' }, 'web_search is "0,01"'],
    [{ discount: 1.5 }, 'discount is 1.5'],
    [{ discount: -0.5 }, 'discount is -0.5'],
    [{ overrides: [{}, { prompt: '-1' }] }, 'overrides[1].prompt is "-1"'],
    [{ overrides: [{ utc_start: 16.5 }] }, 'overrides[0].utc_start is 16.5'],
    [{ overrides: [{ utc_end: 1060 }] }, 'overrides[0].utc_end is 1060'],
    [{ overrides: [{ utc_days: ['someday'] }] }, 'overrides[0].utc_days is ["someday"]'],
    [{ overrides: [{ max_prompt_tokens: 5, prompt: '1' }] }, 'overrides[0].max_prompt_tokens is 5'],
  ])('are named as they are given: %j', (fields, fault) => {
    expect(priceFaultOf({ ...BASE, ...fields })).toBe(fault);
  });

  it.each([
    [{}],
    [{ prompt: '0', completion: '-0' }],
    [{ prompt: '1e-7', completion: '.5', request: '1.' }],
    [{ prompt: '1e-400' }],
    [{ discount: 1, overrides: [{ min_prompt_tokens: 200_000.5, prompt: '2E-6' }] }],
    [{ overrides: [{ utc_start: 0, utc_end: 2400, utc_days: ['monday'], video: '0.1' }] }],
  ])('are not %j', (fields) => {
    expect(priceFaultOf({ ...BASE, ...fields })).toBeUndefined();
  });
});
