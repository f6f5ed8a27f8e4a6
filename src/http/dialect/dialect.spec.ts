import 'reflect-metadata';
import { readEnvironment } from '../../config/environment.js';
import type { JsonSchema } from '../openapi/json-schema.js';
import { BooleanField, ObjectField, ObjectListField } from '../validation/fields.js';
import { Dialect, vendorFieldName } from './dialect.js';

const VENDORS = 'mistralai,openai,google,x-ai';

function dialectOf(name: 'specification' | 'public', vendors = VENDORS): Dialect {
  return new Dialect(readEnvironment({ API_DIALECT: name, ZDR_VENDORS: vendors }));
}

const FIELD: JsonSchema = { type: ['boolean', 'null'], description: 'A vendor.' };

const GUARDRAIL: JsonSchema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    enforce_zdr: FIELD,
    enforce_zdr_vendor_a: { ...FIELD, description: 'The first.' },
    enforce_zdr_vendor_b: FIELD,
    enforce_zdr_vendor_c: FIELD,
    enforce_zdr_vendor_d: FIELD,
    enforce_zdr_other: FIELD,
  },
  required: ['name', 'enforce_zdr_vendor_d'],
  additionalProperties: false,
};

class SpecGuardrail {
  @BooleanField({ description: 'A vendor.', optional: true, nullable: true })
  enforce_zdr_vendor_a?: boolean | null;
}

class SpecHolder {
  @ObjectField(() => SpecGuardrail, { description: 'A guardrail.', optional: true })
  guardrail?: SpecGuardrail;

  @ObjectListField(() => SpecGuardrail, { description: 'Guardrails.', optional: true })
  guardrails?: SpecGuardrail[];
}

class SpecMember {
  @BooleanField({ description: 'A flag.' })
  flag: boolean;
}

const MEMBER: JsonSchema = { type: 'object', properties: { role: { type: 'string' } }, required: ['role'] };

describe('the default dialect', () => {
  const dialect = dialectOf('specification');

  it('returns the same object unchanged', () => {
    const body = { enforce_zdr_vendor_a: true, enforce_zdr_openai: false };
    const schemas = { Guardrail: GUARDRAIL, Member: MEMBER };

    expect(dialect.isPublic).toBe(false);
    expect(dialect.read(SpecGuardrail, body)).toBe(body);
    expect(dialect.write(body)).toBe(body);
    expect(dialect.schemas(schemas)).toBe(schemas);
    expect(dialect.concerns(Object.keys(GUARDRAIL.properties!))).toBe(false);
  });
});

describe('the public dialect', () => {
  const dialect = dialectOf('public');

  it('reads vendor names as their positions', () => {
    expect(
      dialect.read(SpecGuardrail, {
        name: 'x',
        enforce_zdr: null,
        enforce_zdr_mistralai: true,
        enforce_zdr_openai: false,
        enforce_zdr_google: null,
        enforce_zdr_xai: true,
        enforce_zdr_other: false,
      }),
    ).toEqual({
      name: 'x',
      enforce_zdr: null,
      enforce_zdr_vendor_a: true,
      enforce_zdr_vendor_b: false,
      enforce_zdr_vendor_c: null,
      enforce_zdr_vendor_d: true,
      enforce_zdr_other: false,
    });
  });

  it('restores what it has read when it writes', () => {
    const wire = { name: 'x', enforce_zdr_mistralai: true, enforce_zdr_xai: null, enforce_zdr_other: true };

    expect(dialect.write(dialect.read(SpecGuardrail, wire) as object)).toEqual(wire);
    expect(dialect.write({ enforce_zdr_vendor_c: true })).toEqual({ enforce_zdr_google: true });
  });

  it('distinguishes absent fields from null', () => {
    expect(dialect.read(SpecGuardrail, { enforce_zdr_openai: null })).toEqual({ enforce_zdr_vendor_b: null });
    expect(Object.keys(dialect.read(SpecGuardrail, {}) as object)).toEqual([]);
  });

  it('renames the fields of an object, and none of objects that its class does not know', () => {
    expect(dialect.read(SpecGuardrail, { config: { enforce_zdr_openai: true } })).toEqual({
      config: { enforce_zdr_openai: true },
    });
  });

  it('renames the fields of an object in a field, and the paths of issues there', () => {
    const body = { guardrail: { enforce_zdr_openai: true, name: 'x' }, name: 'y' };

    expect(dialect.read(SpecHolder, body)).toEqual({ guardrail: { enforce_zdr_vendor_b: true, name: 'x' }, name: 'y' });
    expect(body.guardrail).toEqual({ enforce_zdr_openai: true, name: 'x' });
    for (const guardrail of [null, [], 'x', undefined]) {
      expect(dialect.read(SpecHolder, { guardrail })).toEqual({ guardrail });
    }
    expect(
      dialect.writePaths(SpecHolder, [
        { path: 'guardrail.enforce_zdr_vendor_b', message: 'must be boolean' },
        { path: 'enforce_zdr_vendor_b', message: 'is not a known field' },
      ]),
    ).toEqual([
      { path: 'guardrail.enforce_zdr_openai', message: 'must be boolean' },
      { path: 'enforce_zdr_vendor_b', message: 'is not a known field' },
    ]);
  });

  it('treats __proto__ as a field', () => {
    const read = dialect.read(SpecGuardrail, JSON.parse('{"__proto__":{"enforce_zdr":true}}')) as object;

    expect(Object.keys(read)).toEqual(['__proto__']);
    expect('enforce_zdr' in read).toBe(false);
  });

  it('renames the fields of schemas, required ones too, and leaves other schemas unchanged', () => {
    const { Guardrail, Member } = dialect.schemas({ Guardrail: GUARDRAIL, Member: MEMBER });

    expect(Object.keys(Guardrail!.properties!)).toEqual([
      'name',
      'enforce_zdr',
      'enforce_zdr_mistralai',
      'enforce_zdr_openai',
      'enforce_zdr_google',
      'enforce_zdr_xai',
      'enforce_zdr_other',
    ]);
    expect(Guardrail!.properties!['enforce_zdr_mistralai']).toEqual({ ...FIELD, description: 'The first.' });
    expect(Guardrail!.required).toEqual(['name', 'enforce_zdr_xai']);
    expect(Guardrail!.additionalProperties).toBe(false);
    expect(Member).toBe(MEMBER);
    // The original has the default dialect's names, and keeps them.
    expect(GUARDRAIL.properties).toHaveProperty('enforce_zdr_vendor_a');
  });

  it('applies to exactly the schemas with vendor fields', () => {
    expect(dialect.concerns(Object.keys(GUARDRAIL.properties!))).toBe(true);
    expect(dialect.concerns(Object.keys(MEMBER.properties!))).toBe(false);
    expect(dialect.concerns([])).toBe(false);
  });

  it('leaves bodies of other classes unchanged', () => {
    const body = { enforce_zdr_openai: true };

    expect(dialect.read(SpecMember, body)).toBe(body);
  });

  it("rejects the default dialect's name of a vendor field as unknown, in the spelling of the caller", () => {
    expect(dialect.read(SpecGuardrail, { enforce_zdr_vendor_a: 1, enforce_zdr_mistralai: 2 })).toEqual({
      enforce_zdr_mistralai: 1,
      enforce_zdr_vendor_a: 2,
    });
    expect(dialect.writePaths(SpecGuardrail, [{ path: 'enforce_zdr_vendor_a', message: 'must be boolean' }])).toEqual([
      { path: 'enforce_zdr_mistralai', message: 'must be boolean' },
    ]);
  });

  it('uses the order of the vendors', () => {
    const other = dialectOf('public', 'openai,mistralai,x-ai,google');

    expect(other.read(SpecGuardrail, { enforce_zdr_openai: true })).toEqual({ enforce_zdr_vendor_a: true });
  });
});

describe('vendorFieldName', () => {
  it.each([
    ['openai', 'enforce_zdr_openai'],
    ['x-ai', 'enforce_zdr_xai'],
    ['xai', 'enforce_zdr_xai'],
    ['ibm-granite-4', 'enforce_zdr_ibmgranite4'],
  ])('names the field of %s %s', (vendor, name) => {
    expect(vendorFieldName(vendor)).toBe(name);
  });
});

describe('the names of the public interface that have the name of its maker', () => {
  it('are used in the public dialect alone, the present one first', () => {
    const [own, theirs] = [dialectOf('specification'), dialectOf('public')];

    expect(own.headerNames('X-Router-Metadata')).toEqual(['X-Router-Metadata']);
    expect(theirs.headerNames('X-Router-Metadata')).toEqual([
      'X-OpenRouter-Metadata',
      'X-OpenRouter-Experimental-Metadata',
    ]);
    expect(own.documentedHeader('X-Router-Metadata')).toBe('X-Router-Metadata');
    expect(theirs.documentedHeader('X-Router-Metadata')).toBe('X-OpenRouter-Metadata');
    expect(theirs.documentedHeader('If-None-Match')).toBe('If-None-Match');
    expect(own.documentedHeader('X-Cache-TTL')).toBe('X-Cache-TTL');
    expect(theirs.documentedHeader('X-Cache-TTL')).toBe('X-OpenRouter-Cache-TTL');
    const header = { description: 'What was done.', schema: { enum: ['hit', 'miss'] } };
    const headers = { ETag: header, 'X-Cache': header, 'X-Cache-TTL': header };
    expect(own.documentedAnswerHeaders(headers)).toEqual(headers);
    expect(theirs.documentedAnswerHeaders(headers)).toEqual({
      ETag: header,
      'X-OpenRouter-Cache-Status': { ...header, schema: { enum: ['HIT', 'MISS'] } },
      'X-OpenRouter-Cache-TTL': header,
    });
    expect(own.write({ router_metadata: 1 })).toEqual({ router_metadata: 1 });
    expect(theirs.write({ router_metadata: 1 })).toEqual({ openrouter_metadata: 1 });
  });
});
