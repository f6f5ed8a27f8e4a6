import { argumentCheck, issueOfSchema } from './argument-schema.js';

describe('argumentCheck', () => {
  it('applies each of several patterns to its own field', () => {
    const check = argumentCheck({
      properties: { name: { type: 'string', pattern: '^[a-z]+$' }, code: { type: 'string', pattern: '^[0-9]+$' } },
    });
    expect(check({ name: 'ada', code: '12' })).toBeUndefined();
    expect(check({ name: '12', code: '12' })).toBe('arguments/name must match pattern "^[a-z]+$"');
    expect(check({ name: 'ada', code: 'ada' })).toBe('arguments/code must match pattern "^[0-9]+$"');
  });

  it('names no value of the arguments', () => {
    const check = argumentCheck({ properties: { to: { enum: ['ada'] } }, additionalProperties: false });
    expect(check({ to: 'a secret' })).toBe('arguments/to must be equal to one of the allowed values');
    expect(check({ secret: 1 })).toBe('arguments must NOT have additional properties');
  });

  it('takes linear time for a pattern that would take years with a backtracking engine', () => {
    const check = argumentCheck({ properties: { text: { type: 'string', pattern: '^(a+)+$' } } });
    expect(check({ text: `${'a'.repeat(100_000)}!` })).toContain('must match pattern');
  });
});

describe('issueOfSchema', () => {
  it.each<[fault: string, schema: unknown, issue: string]>([
    ['no object', [], 'must be object'],
    ['a reference', { properties: { a: { $ref: '#' } } }, 'must not have the keyword $ref'],
    ['a dynamic reference', { not: { $dynamicRef: '#a' } }, 'must not have the keyword $dynamicRef'],
    ['unique items', { uniqueItems: true }, 'must not have the keyword uniqueItems'],
    ['patterns of names', { patternProperties: { '(a+)+': {} } }, 'must not have the keyword patternProperties'],
    ['a wrong type', { type: 'text' }, 'is no schema'],
    ['a pattern that looks around', { pattern: '(?=a)' }, 'does not run in linear time'],
    ['a pattern that is too large', { pattern: '(a{1,500}){1,50}' }, 'too large'],
    ['many levels', JSON.parse(`${'{"not":'.repeat(20)}{}${'}'.repeat(20)}`), 'must not be nested deeper'],
  ])('refuses %s', (_, schema, issue) => {
    expect(issueOfSchema(schema)).toContain(issue);
  });

  it('takes what says something of names, lists and alternatives', () => {
    const schema = {
      type: 'object',
      required: ['a'],
      properties: { a: { anyOf: [{ const: 1 }, { type: 'array', items: { type: 'string' }, maxItems: 3 }] } },
      additionalProperties: false,
    };
    expect(issueOfSchema(schema)).toBeUndefined();
  });
});
