import { ConstraintErrors } from './constraint-errors.js';
import { RouteNotFound } from './request.errors.js';

const CONSTRAINT = 'uq_workspaces_organization_slug';

/** What the driver throws for a statement that PostgreSQL refused. */
function refusal(fields: { message: string; code: string; constraint?: string }): Error {
  return Object.assign(new Error(fields.message), fields);
}

describe('ConstraintErrors', () => {
  const errors = new ConstraintErrors();
  errors.add({ [CONSTRAINT]: () => new RouteNotFound() });

  it.each([
    ['by its field', { message: 'violated', code: '23505', constraint: CONSTRAINT }],
    [
      'by its field, with the number of a shard',
      { message: 'violated', code: '23505', constraint: `${CONSTRAINT}_102008` },
    ],
    [
      'in the message of a node, with the number of a shard',
      { message: `duplicate key value violates unique constraint "${CONSTRAINT}_102008"`, code: '23505' },
    ],
    [
      'in the message of a node that speaks another language',
      { message: `doppelter Schlüsselwert verletzt Unique-Constraint »${CONSTRAINT}_1020081«`, code: '23505' },
    ],
  ])('know a constraint %s', (_, fields) => {
    expect(errors.errorOf(refusal(fields))).toBeInstanceOf(RouteNotFound);
  });

  it.each([
    ['another constraint', { message: 'violated', code: '23505', constraint: 'uq_workspaces_default' }],
    ['another one whose name goes on', { message: `"${CONSTRAINT}_reserved_102008"`, code: '23505' }],
    ['a failure that is no violation', { message: `relation "${CONSTRAINT}" does not exist`, code: '42P01' }],
  ])('have no error for %s', (_, fields) => {
    expect(errors.errorOf(refusal(fields))).toBeUndefined();
  });

  it('have no error for what is no error', () => {
    expect(errors.errorOf({ constraint: CONSTRAINT })).toBeUndefined();
  });

  it('refuse a second meaning of a constraint', () => {
    expect(() => errors.add({ [CONSTRAINT]: () => new RouteNotFound() })).toThrow(
      `two modules say what ${CONSTRAINT} means`,
    );
  });
});
