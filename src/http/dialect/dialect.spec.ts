import { readEnvironment } from '../../config/environment.js';
import type { JsonSchema } from '../schema/json-schema.js';
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

const MEMBER: JsonSchema = { type: 'object', properties: { role: { type: 'string' } }, required: ['role'] };

describe('the dialect of the specification', () => {
  const dialect = dialectOf('specification');

  it('leaves everything as it is, to the very object', () => {
    const body = { enforce_zdr_vendor_a: true, enforce_zdr_openai: false };
    const schemas = { Guardrail: GUARDRAIL, Member: MEMBER };

    expect(dialect.isPublic).toBe(false);
    expect(dialect.read(body)).toBe(body);
    expect(dialect.write(body)).toBe(body);
    expect(dialect.schemas(schemas)).toBe(schemas);
    expect(dialect.concerns(GUARDRAIL)).toBe(false);
  });
});

describe('the public dialect', () => {
  const dialect = dialectOf('public');

  it('reads the names of vendors as the places that they stand at', () => {
    expect(
      dialect.read({
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

  it('writes what it reads', () => {
    const wire = { name: 'x', enforce_zdr_mistralai: true, enforce_zdr_xai: null, enforce_zdr_other: true };

    expect(dialect.write(dialect.read(wire))).toEqual(wire);
    expect(dialect.write({ enforce_zdr_vendor_c: true })).toEqual({ enforce_zdr_google: true });
  });

  it('tells what is absent from what is null', () => {
    expect(dialect.read({ enforce_zdr_openai: null })).toEqual({ enforce_zdr_vendor_b: null });
    expect(Object.keys(dialect.read({}))).toEqual([]);
  });

  it('renames fields of objects that it is handed, not of those inside them', () => {
    expect(dialect.read({ config: { enforce_zdr_openai: true } })).toEqual({ config: { enforce_zdr_openai: true } });
  });

  it('takes a field named __proto__ for a field', () => {
    const read = dialect.read(JSON.parse('{"__proto__":{"enforce_zdr":true}}') as object);

    expect(Object.keys(read)).toEqual(['__proto__']);
    expect('enforce_zdr' in read).toBe(false);
  });

  it('names the fields of schemas alike, required ones too, and leaves other schemas alone', () => {
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
    // The original is the specification's, and stays so.
    expect(GUARDRAIL.properties).toHaveProperty('enforce_zdr_vendor_a');
  });

  it('knows which schemas it concerns', () => {
    expect(dialect.concerns(GUARDRAIL)).toBe(true);
    expect(dialect.concerns(MEMBER)).toBe(false);
    expect(dialect.concerns({ type: 'string' })).toBe(false);
  });

  it('goes by the order of the vendors', () => {
    const other = dialectOf('public', 'openai,mistralai,x-ai,google');

    expect(other.read({ enforce_zdr_openai: true })).toEqual({ enforce_zdr_vendor_a: true });
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
