import 'reflect-metadata';
import { BooleanField, IntegerField, NumberField, TextField } from '../validation/fields.js';
import { readQuery } from './query-reader.js';

class SpecQuery {
  @IntegerField({ description: 'An integer.' })
  limit: number;

  @NumberField({ description: 'A number.' })
  price: number;

  @BooleanField({ description: 'A flag.' })
  flag: boolean;

  @TextField({ description: 'A text.' })
  name: string;
}

/** The values alone, of a query without issues. */
function valuesOf(text: string): Record<string, unknown> {
  const { values, issues } = readQuery(text, SpecQuery);
  expect(issues).toEqual([]);
  return { ...values };
}

describe('readQuery', () => {
  it.each(['', '&', '&&&'])('reads no parameter from %j', (text) => {
    expect(valuesOf(text)).toEqual({});
  });

  it.each([
    ['name=x', { name: 'x' }],
    ['name=', { name: '' }],
    ['name', { name: '' }],
    ['name=a=b', { name: 'a=b' }],
    ['name=a+b%20c%2Bd', { name: 'a b c+d' }],
    ['n%61me=x', { name: 'x' }],
    ['name=%F0%9F%A7%AA', { name: '\u{1F9EA}' }],
    ['name=%00', { name: '\u0000' }],
    ['name=x&other=y&', { name: 'x', other: 'y' }],
    ['=x', { '': 'x' }],
    ['name=1', { name: '1' }],
    ['other=1', { other: '1' }],
  ])('reads %s', (text, values) => {
    expect(valuesOf(text)).toEqual(values);
  });

  it.each([
    ['limit=5', 5],
    ['limit=-5', -5],
    ['limit=007', 7],
    ['limit=0', 0],
    ['limit=-0', 0],
    [`limit=${'9'.repeat(400)}`, Number.MAX_VALUE],
    [`limit=-${'9'.repeat(400)}`, -Number.MAX_VALUE],
  ])('reads %s as a number', (text, value) => {
    expect(valuesOf(text)['limit']).toBe(value);
  });

  it.each(['', '+5', ' 5', '5 ', '5.0', '1e2', '0x10', '1_000', 'NaN', 'Infinity', '--5', '\u0665', '5\n', 'true'])(
    'leaves %j as text, which the schema rejects',
    (value) => {
      expect(valuesOf(`limit=${encodeURIComponent(value)}`)['limit']).toBe(value);
    },
  );

  it.each([
    ['price=5', 5],
    ['price=0.25', 0.25],
    ['price=-1.50', -1.5],
    ['price=-0.0', 0],
    [`price=${'9'.repeat(400)}.5`, Number.MAX_VALUE],
  ])('reads %s as a number, which may have a fraction', (text, value) => {
    expect(valuesOf(text)['price']).toBe(value);
  });

  it.each(['', '.5', '5.', '1e2', '1,5', '+1.5', '1.5.5', 'NaN', 'Infinity', '\u0665.5'])(
    'leaves %j as text where a fraction would be allowed',
    (value) => {
      expect(valuesOf(`price=${encodeURIComponent(value)}`)['price']).toBe(value);
    },
  );

  it('reads only true and false as booleans', () => {
    expect(valuesOf('flag=true')['flag']).toBe(true);
    expect(valuesOf('flag=false')['flag']).toBe(false);
    for (const value of ['1', '0', 'TRUE', 'yes', '']) expect(valuesOf(`flag=${value}`)['flag']).toBe(value);
  });

  it.each([
    ['limit=1&limit=2', 'limit', 'must be given only once'],
    ['limit=1&limit=1', 'limit', 'must be given only once'],
    ['limit=1&l%69mit=2', 'limit', 'must be given only once'],
    ['other&other', 'other', 'must be given only once'],
    ['name=%ff', 'name', 'is not percent-encoded UTF-8'],
    ['name=%ed%a0%80', 'name', 'is not percent-encoded UTF-8'],
    ['name=%', 'name', 'is not percent-encoded UTF-8'],
    ['%ff=1', '', 'a name in the query is not percent-encoded UTF-8'],
  ])('reports an issue for %s', (text, path, message) => {
    expect(readQuery(text, SpecQuery).issues).toEqual([{ path, message }]);
  });

  it('reports every issue', () => {
    const { issues } = readQuery('%ff&name=%&limit=1&limit=2&limit=3', SpecQuery);

    expect(issues.map(({ path }) => path)).toEqual(['', 'name', 'limit', 'limit']);
  });

  it('reads names of Object.prototype like any other name', () => {
    const { values, issues } = readQuery('__proto__=1&constructor=2&toString=3', SpecQuery);

    expect(issues).toEqual([]);
    expect(Object.keys(values)).toEqual(['__proto__', 'constructor', 'toString']);
    expect(Object.getPrototypeOf(values)).toBeNull();
    expect(({} as Record<string, unknown>)['1']).toBeUndefined();
  });
});
