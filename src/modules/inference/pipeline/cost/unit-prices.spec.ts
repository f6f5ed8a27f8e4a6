import type { Prices } from '../../../catalog/price-rules.js';
import { fieldsOf } from '../../../../http/validation/dto-fields.js';
import { ModelPricing } from '../../../catalog/dto/model-pricing.dto.js';
import { textOfUnits } from '../../../spend/decimal-amount.js';
import { type UnitPrices, unitPricesOf } from './unit-prices.js';

const ALL: Prices = {
  prompt: '1',
  completion: '2',
  request: '3',
  image: '4',
  image_token: '5',
  image_output: '6',
  image_output_token: '7',
  audio: '8',
  audio_output: '9',
  input_audio_cache: '10',
  character: '11',
  second: '12',
  web_search: '13',
  internal_reasoning: '14',
  input_cache_read: '15',
  input_cache_write: '16',
  input_cache_write_1h: '17',
};

/** What is not charged, though it is listed. */
const UNCHARGED = new Set(['web_search', 'discount', 'overrides']);

/** The prices by the place in which they are charged, in US dollars. */
function placesOf(prices: Prices, author = 'acme'): Readonly<Record<string, string>> {
  const places: [string, string][] = [];
  const add = (name: string, value: bigint | object): void => {
    if (typeof value === 'bigint') places.push([name, textOfUnits(value)]);
    else for (const [key, inner] of Object.entries(value)) add(`${name}.${key}`, inner as bigint | object);
  };
  const all: UnitPrices = unitPricesOf(prices, author);
  for (const [name, value] of Object.entries(all)) add(name, value as bigint | object);
  return Object.fromEntries(places);
}

describe('The price of each kind', () => {
  it('is one that the list has for it: there is no price in the list that nothing is charged at', () => {
    const listed = [...fieldsOf(ModelPricing).keys()].filter((name) => !UNCHARGED.has(name));
    expect(
      Object.keys(ALL)
        .filter((name) => !UNCHARGED.has(name))
        .toSorted(),
    ).toEqual(listed.toSorted());
    const charged = new Set(Object.values(placesOf(ALL)));
    expect(listed.filter((name) => !charged.has(ALL[name as 'prompt']))).toEqual([]);
  });

  // A new kind has to be added here, with what it costs where no price is listed for it.
  it.each([
    [
      'is that of texts, where only that is listed',
      { prompt: '1', completion: '2' },
      'acme',
      { prompt: '1', answer: '2', written: '1', hour: '1' },
    ],
    [
      'is for what a cache of Claude keeps five fourths of the prompt, and for an hour twice the prompt',
      { prompt: '1', completion: '2' },
      'anthropic',
      { prompt: '1', answer: '2', written: '1.25', hour: '2' },
    ],
    [
      'is for an hour twice the prompt at Claude, where the price of writing for a short time is listed',
      { prompt: '1', completion: '2', input_cache_write: '1.3' },
      'anthropic',
      { prompt: '1', answer: '2', written: '1.3', hour: '2' },
    ],
    [
      'is for an hour never less than for a short time',
      { prompt: '1', completion: '2', input_cache_write: '3' },
      'anthropic',
      { prompt: '1', answer: '2', written: '3', hour: '3' },
    ],
  ])('%s', (_, prices, author, { prompt, answer, written, hour }) => {
    expect(placesOf(prices, author)).toEqual({
      'units.request': '0',
      'units.character': '0',
      'units.second': '0',
      'units.input_image': '0',
      'units.image': '0',
      ...all('prompt.uncached', prompt),
      ...all('prompt.read', prompt),
      ...all('prompt.written', written),
      ...all('prompt.writtenForAnHour', hour),
      'answer.text': answer,
      'answer.reasoning': answer,
      'answer.audio': answer,
      'answer.image': answer,
    });
  });

  it('is for a recording or an image that a cache has to do with the dearest of the two that are listed', () => {
    const prices = { prompt: '1', completion: '2', audio: '8', image_token: '5', input_cache_read: '0.1' };
    expect(placesOf({ ...prices, input_cache_write: '6' })).toMatchObject({
      'prompt.read.text': '0.1',
      'prompt.read.audio': '8',
      'prompt.read.image': '5',
      'prompt.written.text': '6',
      'prompt.written.audio': '8',
      'prompt.written.image': '6',
      'prompt.writtenForAnHour.audio': '8',
      'answer.audio': '8',
    });
  });
});

function all(source: string, price: string): object {
  return Object.fromEntries(['audio', 'image', 'text'].map((medium) => [`${source}.${medium}`, price]));
}
