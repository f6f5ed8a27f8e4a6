import 'reflect-metadata';
import {
  BooleanField,
  EnumField,
  IntegerField,
  NumberField,
  ObjectField,
  ObjectListField,
  SelectedObjectField,
  TextField,
  TextListField,
  TextOrNumberField,
  TimestampField,
  UuidField,
} from './fields.js';
import type { Issue } from '../errors/issue.js';
import type { DtoClass } from './dto-fields.js';
import { validateDto } from './validate.js';

const OPTIONAL = { description: 'A field.', optional: true } as const;

class ValidatorItem {
  @TextField({ description: 'A text.', minLength: 2 })
  text: string;
}

class ValidatorOne {
  @TextField({ description: 'A text.', minLength: 2 })
  text: string;

  @TextOrNumberField(OPTIONAL)
  either?: string | number;
}

class ValidatorOther {
  @IntegerField({ description: 'A number.' })
  count: number;
}

class ValidatorSelected {
  @EnumField(['one', 'other'], OPTIONAL)
  kind?: 'one' | 'other';

  @SelectedObjectField('kind', { one: ValidatorOne, other: ValidatorOther }, OPTIONAL)
  value?: object;
}

class ValidatorSpec {
  @TextField({ ...OPTIONAL, minLength: 2, maxLength: 3 })
  text?: string;

  @TextField({ ...OPTIONAL, nullable: true })
  nullable?: string | null;

  @TextField({ ...OPTIONAL, pattern: '^a+$' })
  pattern?: string;

  @TextField({ ...OPTIONAL, format: 'uri' })
  uri?: string;

  @UuidField(OPTIONAL)
  uuid?: string;

  @TimestampField(OPTIONAL)
  time?: string;

  @EnumField(['one', 'two'], { ...OPTIONAL, nullable: true })
  choice?: 'one' | 'two' | null;

  @IntegerField({ ...OPTIONAL, minimum: 1, maximum: 3 })
  integer?: number;

  @NumberField({ ...OPTIONAL, minimum: 0 })
  number?: number;

  @BooleanField(OPTIONAL)
  flag?: boolean;

  @TextListField({ ...OPTIONAL, minItems: 1, items: { maxLength: 1 } })
  texts?: string[];

  @ObjectListField(() => ValidatorItem, OPTIONAL)
  items?: ValidatorItem[];

  @TextOrNumberField(OPTIONAL)
  either?: string | number;

  @ObjectField(() => ValidatorOne, { ...OPTIONAL, nullable: true })
  one?: ValidatorOne | null;
}

class ValidatorRequired {
  @TextField({ description: 'A text.' })
  text: string;
}

describe('validateDto', () => {
  const check = (value: unknown, type: DtoClass = ValidatorSpec): Issue[] => validateDto(type, value);

  it.each([
    [{}],
    [{ text: 'ab', nullable: null, pattern: 'aaa', choice: 'two', integer: 3, number: 0.5, flag: false }],
    [{ choice: null, either: 'x', texts: ['a', '\u{1F9EA}'], items: [{ text: 'ab' }, { text: 'cd' }] }],
    [{ either: 1, number: -0, integer: 1.0, items: [] }],
    [{ uuid: '019AA3F0-5B1E-7C40-9D0E-000000000000', uri: 'https://example.com/?x#y' }],
    [{ time: '2026-11-21T09:30:00.000Z' }],
    [{ time: '2026-11-21t09:30:00+01:00' }],
    // A lone surrogate is one character.
    [{ text: '\uD800a' }],
    // Two code units each, one character each.
    [{ text: '\u{1F9EA}\u{1F9EA}\u{1F9EA}' }],
  ])('accepts %j', (value) => {
    expect(check(value)).toEqual([]);
  });

  it.each<[object, string, string]>([
    [{ text: 'a' }, 'text', 'must NOT have fewer than 2 characters'],
    [{ text: '\u{1F9EA}' }, 'text', 'must NOT have fewer than 2 characters'],
    [{ text: 'abcd' }, 'text', 'must NOT have more than 3 characters'],
    [{ text: 1 }, 'text', 'must be string'],
    [{ text: null }, 'text', 'must be string'],
    [{ nullable: 1 }, 'nullable', 'must be string or null'],
    [{ pattern: 'b' }, 'pattern', 'must match pattern "^a+$"'],
    [{ pattern: 'a\n' }, 'pattern', 'must match pattern "^a+$"'],
    [{ uri: 'example.com' }, 'uri', 'must be a valid uri'],
    [{ uuid: 'urn:uuid:019aa3f0-5b1e-7c40-9d0e-000000000000' }, 'uuid', 'must be a valid uuid'],
    [{ time: '2026-12-31T23:59:60Z' }, 'time', 'must be a valid date-time'],
    [{ time: '9999-12-31T23:59:59-23:59' }, 'time', 'must be a valid date-time'],
    [{ time: '0000-01-01T00:00:00+00:01' }, 'time', 'must be a valid date-time'],
    [{ choice: 'three' }, 'choice', 'must be one of one, two, null'],
    [{ integer: 0 }, 'integer', 'must be >= 1'],
    [{ integer: 4 }, 'integer', 'must be <= 3'],
    [{ integer: 1.5 }, 'integer', 'must be integer'],
    [{ integer: '1' }, 'integer', 'must be integer'],
    [{ number: '1' }, 'number', 'must be number'],
    [{ number: Infinity }, 'number', 'must be number'],
    [{ number: Number.NaN }, 'number', 'must be number'],
    [{ number: -Number.MIN_VALUE }, 'number', 'must be >= 0'],
    [{ flag: 'true' }, 'flag', 'must be boolean'],
    [{ flag: 1 }, 'flag', 'must be boolean'],
    [{ texts: [] }, 'texts', 'must NOT have fewer than 1 items'],
    [{ texts: 'a' }, 'texts', 'must be array'],
    [{ texts: ['a', 'bc'] }, 'texts[1]', 'must NOT have more than 1 characters'],
    [{ items: [{ text: 'ab' }, {}] }, 'items[1].text', 'is required'],
    [{ items: [{ text: 'ab', more: 1 }] }, 'items[0].more', 'is not a known field'],
    [{ surprise: 1 }, 'surprise', 'is not a known field'],
    [{ Text: 'ab' }, 'Text', 'is not a known field'],
    [{ 'a/b~c': 1 }, 'a/b~c', 'is not a known field'],
    [{ toString: 1 }, 'toString', 'is not a known field'],
    [JSON.parse('{"__proto__":{}}') as object, '__proto__', 'is not a known field'],
  ])('rejects %p', (value, path, message) => {
    expect(check(value)).toEqual([{ path, message }]);
  });

  it.each([[null], [1], ['text'], [true], [[]], [[{}]]])('rejects %j in place of an object', (value) => {
    expect(check(value)).toEqual([{ path: '', message: 'must be object' }]);
  });

  it('requires required fields, also where another field has their value', () => {
    expect(check({}, ValidatorRequired)).toEqual([{ path: 'text', message: 'is required' }]);
    expect(check({ text: undefined }, ValidatorRequired)).toEqual([{ path: 'text', message: 'is required' }]);
    expect(check({ text: null }, ValidatorRequired)).toEqual([{ path: 'text', message: 'must be string' }]);
    expect(check({ text: '' }, ValidatorRequired)).toEqual([]);
  });

  it('reports every issue once', () => {
    const issues = check({ text: 1, integer: 'x', choice: 7, items: [{}, { text: 'a' }], surprise: 1, more: 2 });

    expect(issues.map(({ path }) => path).sort()).toEqual([
      'choice',
      'integer',
      'items[0].text',
      'items[1].text',
      'more',
      'surprise',
      'text',
    ]);
  });

  it('reports one issue for a value that fits no branch of a union', () => {
    expect(check({ either: true })).toEqual([{ path: 'either', message: 'must be string or number' }]);
    expect(check({ one: 'x' })).toEqual([{ path: 'one', message: 'must be object or null' }]);
    expect(check({ either: [], one: 1, text: 1 })).toHaveLength(3);
  });

  it('reports the issues of the branch that a value belongs to, and not those of other branches', () => {
    expect(check({ one: null })).toEqual([]);
    expect(check({ one: { text: 'ab' } })).toEqual([]);
    expect(check({ one: {} })).toEqual([{ path: 'one.text', message: 'is required' }]);
    expect(check({ one: { text: 1, either: true, more: 1 } })).toEqual([
      { path: 'one.more', message: 'is not a known field' },
      { path: 'one.text', message: 'must be string' },
      { path: 'one.either', message: 'must be string or number' },
    ]);
  });

  it('validates an object by the class that another field names, by the first one without it', () => {
    const selected = (value: object): Issue[] => check(value, ValidatorSelected);
    expect(selected({ value: { text: 'ab' } })).toEqual([]);
    expect(selected({ value: { count: 1 } })).toEqual([
      { path: 'value.count', message: 'is not a known field' },
      { path: 'value.text', message: 'is required' },
    ]);
    expect(selected({ kind: 'other', value: { count: 1 } })).toEqual([]);
    expect(selected({ kind: 'other', value: { count: '1' } })).toEqual([
      { path: 'value.count', message: 'must be integer' },
    ]);
    expect(selected({ kind: 'other', value: [] })).toEqual([{ path: 'value', message: 'must be object' }]);
  });

  it.each([['toString'], ['third'], [1], [null]])('looks into no object where the other field is %j', (kind) => {
    expect(check({ kind, value: { any: 1 } }, ValidatorSelected)).toEqual([
      { path: 'kind', message: typeof kind === 'string' ? 'must be one of one, other' : 'must be string' },
    ]);
  });

  it('leaves the value unchanged', () => {
    const value = Object.freeze({ integer: '1', choice: 'two' });

    check(value);

    expect(value).toEqual({ integer: '1', choice: 'two' });
  });
});
