import type { JsonSchema } from '../../../../src/http/openapi/json-schema.js';
import type { Random } from '../random.js';
import type { KnownValues } from './known-values.js';
import { resolveSchema } from './open-api.js';

/** How often a value is not what the schema asks for. */
export const HOSTILITY = 0.15;

/** How often a field or a parameter is there that may be absent, and one that may not. */
const PRESENCE = 0.4;
const PRESENCE_OF_REQUIRED = 0.95;

/** Texts that have broken services before. */
export const HOSTILE_TEXTS: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udc00\ud800',
  '\ufeff',
  '\u202e',
  '😀'.repeat(50),
  'x'.repeat(10_000),
  '../../etc/passwd',
  '..%2f..%2f',
  "' OR 1=1 --",
  '"; DROP TABLE guardrails; --',
  '${jndi:ldap://127.0.0.1/a}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  '-1',
  '1e400',
  '9'.repeat(400),
  '00000000-0000-0000-0000-000000000000',
  '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61',
  'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
  '(?=a)',
  '(a+)+$',
  '[',
  '\\',
  '(?P<n>a){1000}',
  '9999-12-31T23:59:59.999Z',
  '+275760-09-13T00:00:00.000Z',
  '0000-00-00',
  '2026-02-30T00:00:00Z',
  'http://',
  'https://user:pass@host:99999/',
  'javascript:alert(1)',
  '%',
  '%zz',
  '%00',
  '%c0%af',
];

const HOSTILE_VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  0.1,
  1e308,
  5e-324,
  Number.MAX_SAFE_INTEGER,
  2 ** 63,
  [],
  [[]],
  [null],
  {},
  { length: -1 },
  { toString: null },
  { $ne: null },
];

/** A value for a schema: one that fits, as a rule, and one that does not, as an exception. */
export function valueFor(schema: JsonSchema, name: string, random: Random, known: KnownValues): unknown {
  const resolved = resolveSchema(schema);
  if (random.chance(HOSTILITY)) return hostileValue(random);
  return knownOr(known.ofField(name), random, () => otherValueFor(resolved, name, random, known));
}

/** One of the values that are known, as a rule; another one where there is none, and as an exception. */
export function knownOr(choices: readonly unknown[], random: Random, other: () => unknown): unknown {
  return choices.length > 0 && random.chance(0.8) ? random.pick(choices) : other();
}

function otherValueFor(resolved: JsonSchema, name: string, random: Random, known: KnownValues): unknown {
  if (resolved.enum) return random.pick(resolved.enum);
  if (resolved.examples && random.chance(0.5)) return random.pick(resolved.examples);
  return fittingValue(resolved, name, random, known);
}

/** Any value at all. */
export function hostileValue(random: Random): unknown {
  if (random.chance(0.5)) return random.pick(HOSTILE_TEXTS);
  if (random.chance(0.03)) return nested(random.below(100));
  return random.pick(HOSTILE_VALUES);
}

function fittingValue(schema: JsonSchema, name: string, random: Random, known: KnownValues): unknown {
  // The objects of one of several classes.
  if (schema.anyOf?.every(({ $ref }) => $ref !== undefined) === true) {
    return valueFor(random.pick(schema.anyOf), name, random, known);
  }
  switch (random.pick([schema.type ?? 'string'].flat())) {
    case 'object':
      return objectFor(schema, random, known);
    case 'array':
      return Array.from({ length: random.below(4) }, () => valueFor(schema.items ?? {}, name, random, known));
    case 'integer':
      return (schema.minimum ?? 0) + random.below(Math.min(schema.maximum ?? 1_000, 1_000));
    case 'number':
      return (schema.minimum ?? 0) + random.fraction() * 1_000;
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    default:
      return textFor(schema, random);
  }
}

/** Whether a field or a parameter is to be there this time. */
export function isThere(isRequired: boolean, random: Random): boolean {
  return random.chance(isRequired ? PRESENCE_OF_REQUIRED : PRESENCE);
}

function objectFor({ properties = {}, required = [] }: JsonSchema, random: Random, known: KnownValues): unknown {
  const entries = Object.entries(properties)
    .filter(([name]) => isThere(required.includes(name), random))
    .map(([name, schema]) => [name, valueFor(schema, name, random, known)] as const);
  const surprise = random.chance(0.05) ? [[random.pick(HOSTILE_TEXTS), hostileValue(random)] as const] : [];
  return Object.fromEntries([...entries, ...surprise]);
}

function textFor({ format, minLength = 0, maxLength = 50 }: JsonSchema, random: Random): string {
  if (format === 'date-time') return new Date(Date.UTC(2030, 0, 1) + random.below(1e9)).toISOString();
  if (format === 'uuid')
    return '019aa3f0-5b1e-7c40-9d0e-000000000000'.replaceAll('0', () => random.below(16).toString(16));
  const length = minLength + random.below(Math.max(1, maxLength - minLength));
  return Array.from({ length }, () => String.fromCodePoint(32 + random.below(random.chance(0.9) ? 94 : 0x2fff))).join(
    '',
  );
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}
