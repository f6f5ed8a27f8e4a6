import 'reflect-metadata';
import { IntegerField, ObjectField, ObjectListField, TextField } from './fields.js';
import { allSchemas, OpenToFurtherFields, referenceTo, schemaOf } from './schema-registry.js';

class SpecLeaf {
  @TextField({ description: 'A text.', minLength: 1 })
  text: string;
}

class SpecBase {
  @TextField({ description: 'From the base.' })
  base: string;

  @TextField({ description: 'From the base, replaced.' })
  replaced: string;
}

class SpecDerived extends SpecBase {
  @IntegerField({ description: 'Replaced.', optional: true })
  declare replaced: never;

  @TextField({ description: 'Its own.', optional: true, nullable: true })
  own?: string | null;
}

@OpenToFurtherFields()
class SpecOpen {
  @TextField({ description: 'A text.' })
  text: string;
}

class SpecOpenChild extends SpecOpen {}

class SpecParent {
  @ObjectField(() => SpecLeaf, { description: 'One.' })
  one: SpecLeaf;

  @ObjectField(() => SpecLeaf, { description: 'One or none.', nullable: true, optional: true })
  none?: SpecLeaf | null;

  @ObjectListField(() => SpecParent, { description: 'More of the same.' })
  more: SpecParent[];
}

abstract class SpecEmpty {
  abstract undeclared: string;
}

describe('schemaOf', () => {
  it('has the fields of a class, closed to others', () => {
    expect(schemaOf(SpecLeaf)).toEqual({
      type: 'object',
      properties: { text: { type: 'string', description: 'A text.', minLength: 1 } },
      required: ['text'],
      additionalProperties: false,
    });
  });

  it('has no field for a class without any', () => {
    expect(schemaOf(SpecEmpty)).toEqual({ type: 'object', properties: {}, required: [], additionalProperties: false });
  });

  it('has the fields that a class inherits, its own before them', () => {
    const { properties } = schemaOf(SpecDerived);

    expect(Object.keys(properties!)).toEqual(['base', 'replaced', 'own']);
    expect(properties!['replaced']).toEqual({ type: 'integer', description: 'Replaced.' });
    expect(properties!['own']).toEqual({ type: ['string', 'null'], description: 'Its own.' });
  });

  it('requires what its own declaration requires, once', () => {
    expect(schemaOf(SpecDerived).required).toEqual(['base']);
    expect(schemaOf(SpecBase).required).toEqual(['base', 'replaced']);
  });

  it('is open where the class or an ancestor says so', () => {
    expect(schemaOf(SpecOpen)).not.toHaveProperty('additionalProperties');
    expect(schemaOf(SpecOpenChild)).not.toHaveProperty('additionalProperties');
  });

  it('refers to the classes of its fields, itself included', () => {
    const reference = { $ref: '#/components/schemas/SpecLeaf' };

    expect(schemaOf(SpecParent).properties).toEqual({
      one: { ...reference, description: 'One.' },
      none: { anyOf: [reference, { type: 'null' }], description: 'One or none.' },
      more: { type: 'array', items: { $ref: '#/components/schemas/SpecParent' }, description: 'More of the same.' },
    });
  });
});

describe('allSchemas', () => {
  it('has what is referred to, and what that refers to in turn', () => {
    referenceTo(SpecParent);

    const schemas = allSchemas();

    expect(schemas['SpecParent']).toEqual(schemaOf(SpecParent));
    expect(schemas['SpecLeaf']).toEqual(schemaOf(SpecLeaf));
    expect(schemas).not.toHaveProperty('SpecBase');
  });
});

describe('referenceTo', () => {
  it('gives the same reference every time', () => {
    expect(referenceTo(SpecLeaf)).toEqual(referenceTo(SpecLeaf));
  });

  it('refuses two classes of one name, of which the document would show one', () => {
    const twin = { SpecLeaf: class SpecLeaf extends SpecBase {} }.SpecLeaf;
    referenceTo(SpecLeaf);

    expect(() => referenceTo(twin)).toThrow('two schema classes are named SpecLeaf');
  });
});
