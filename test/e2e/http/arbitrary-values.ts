import fc from 'fast-check';
import type { JsonSchema } from '../../../src/http/openapi/json-schema.js';
import type { Interface } from '../../support/openapi/described-operations.js';

/** Texts that have broken something somewhere. */
const HOSTILE_TEXT = fc.constantFrom(
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u{1F9EA}'.repeat(101),
  'x'.repeat(1001),
  '__proto__',
  'constructor',
  'null',
  'undefined',
  'NaN',
  '-1',
  "'; DROP TABLE guardrails; --",
  '${jndi:ldap://x}',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '%00',
  '%s%n',
  '\r\nX-Injected: 1',
  '\u202e\u2028\ufeff\uffff',
  'urn:uuid:019aa3f0-5b1e-7c40-9d0e-000000000000',
  '2098-12-31T23:59:60Z',
  'https://example.com:99999/',
  '(a+)+$',
  '(?=x)',
  '[',
);

/** Values of every type of JSON that are seldom what is asked for. */
const HOSTILE_VALUE: fc.Arbitrary<unknown> = fc.oneof(
  HOSTILE_TEXT,
  fc.constantFrom(null, true, false, 0, -0, 1, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), Number.MAX_VALUE, 5e-324),
  fc.constantFrom<unknown>([], {}, [null], [[]], [{}], { length: -1 }, { toString: 1 }),
  fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }),
);

/** Makes values for the fields of an interface, most of them good. */
export class ArbitraryValues {
  /**
   * @param known values that lead somewhere, by the name of their field; those of a parameter of one part of the interface
   * alone by both, as in `workspaces id`
   */
  constructor(
    private readonly api: Interface,
    private readonly known: Readonly<Record<string, readonly unknown[]>>,
  ) {}

  /**
   * Bodies that fit a schema, or nearly do.
   *
   * @param part the part of the interface that the fields belong to
   */
  bodies(schema: JsonSchema, part: string): fc.Arbitrary<unknown> {
    return fc.oneof(
      { weight: 6, arbitrary: this.fitting(schema, '', part) },
      { weight: 6, arbitrary: this.mutated(schema, part) },
      { weight: 1, arbitrary: HOSTILE_VALUE },
    );
  }

  /**
   * Values of a parameter in text form: good ones, and others.
   *
   * @param part the part of the interface that the parameter belongs to
   */
  texts(name: string, schema: JsonSchema, part = ''): fc.Arbitrary<string> {
    return fc.oneof(
      { weight: 8, arbitrary: this.fitting(schema, name, part).map(String) },
      { weight: 1, arbitrary: HOSTILE_TEXT },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
    );
  }

  /** Values that fit a schema. */
  private fitting(schema: JsonSchema, name: string, part: string): fc.Arbitrary<unknown> {
    const resolved = this.api.resolve(schema);
    const known = this.known[`${part} ${name}`] ?? this.known[name] ?? [];
    const none = { weight: 0, arbitrary: fc.constant(null) };
    return fc.oneof(
      { weight: 1, arbitrary: this.made(resolved, name, part) },
      // What leads somewhere gets further than what only has the right form.
      known.length > 0 ? { weight: 8, arbitrary: fc.constantFrom(...known) } : none,
      [resolved.type].flat().includes('null') ? { weight: 1, arbitrary: fc.constant(null) } : none,
    );
  }

  private made(schema: JsonSchema, name: string, part: string): fc.Arbitrary<unknown> {
    if (schema.enum) return fc.constantFrom(...schema.enum);
    if (schema.properties) return this.objects(schema, part);
    // The objects of one of several classes.
    if (schema.anyOf?.every(({ $ref }) => $ref !== undefined)) {
      return fc.oneof(...schema.anyOf.map((one) => this.fitting(one, name, part)));
    }
    if (schema.items) {
      return fc.array(this.fitting(schema.items, name, part), { minLength: schema.minItems ?? 0, maxLength: 3 });
    }
    const types = [schema.type].flat();
    if (types.includes('boolean')) return fc.boolean();
    if (types.includes('integer')) {
      return fc.integer({ min: schema.minimum ?? -1000, max: schema.maximum ?? 1_000_000 });
    }
    if (types.includes('number'))
      return fc.double({ min: schema.minimum ?? -1e6, noNaN: true, noDefaultInfinity: true });
    return textOf(schema);
  }

  /** The required fields and a few others: of many fields, one would nearly always be wrong. */
  private objects({ properties = {}, required = [] }: JsonSchema, part: string): fc.Arbitrary<Record<string, unknown>> {
    const fields = Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, this.fitting(schema, name, part)]),
    );
    const optional = Object.keys(properties).filter((name) => !required.includes(name));
    return fc
      .tuple(fc.record(fields), fc.subarray(optional, { maxLength: Math.min(4, optional.length) }))
      .map(([values, chosen]) => Object.fromEntries([...required, ...chosen].map((name) => [name, values[name]])));
  }

  /** Objects of which one field is wrong, missing or new. */
  private mutated(schema: JsonSchema, part: string): fc.Arbitrary<unknown> {
    const { properties = {} } = this.api.resolve(schema);
    const names = [...Object.keys(properties), 'surprise', '__proto__', 'constructor'];
    return fc
      .tuple(
        this.fitting(schema, '', part),
        fc.constantFrom(...names),
        fc.option(HOSTILE_VALUE, { nil: undefined, freq: 8 }),
      )
      .map(([body, name, value]) => {
        const entries = Object.entries(body as object).filter(([field]) => field !== name);
        return Object.fromEntries(value === undefined ? entries : [...entries, [name, value]]);
      });
  }
}

function textOf({ format, pattern, minLength = 0, maxLength = 30 }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'uuid')
    return fc.oneof(
      fc.uuid(),
      fc.uuid().map((uuid) => uuid.toUpperCase()),
    );
  if (format === 'uri') return fc.webUrl({ validSchemes: ['https', 'http'], withQueryParameters: true });
  if (format === 'date-time') {
    return fc
      .date({ min: new Date('1970-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString());
  }
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern), { maxLength: 100 });
  return fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 40) });
}
