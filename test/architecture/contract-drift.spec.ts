import { OPERATIONS } from '../operations/operations.js';
import { ALLOWED_DIFFERENCES, OPERATIONS_NOT_SERVED } from './allowed-drift.js';
import {
  type DescribedOperation,
  differencesOf,
  ownOperations,
  publicOperations,
} from '../support/contract/contract-drift.js';

const ours = ownOperations();

const theirs = publicOperations();

const allowed = ALLOWED_DIFFERENCES.flatMap(({ differences }) => differences);

/** An operation with these fields in its answer. */
const answering = (fields: Readonly<Record<string, readonly string[]>>): DescribedOperation => ({
  operationId: 'readThing',
  request: new Map(),
  answer: new Map(Object.entries(fields)),
});

describe('the drift from the public interface', () => {
  it('has an operation for each of theirs, but for areas that are not served, all of which there still are', () => {
    const missing = [...theirs.keys()].filter((name) => !ours.has(name)).map((name) => name.split(' ')[1]!);
    const areas = Object.keys(OPERATIONS_NOT_SERVED);

    expect(missing.filter((path) => !areas.some((area) => path.startsWith(area)))).toEqual([]);
    expect(areas.filter((area) => !missing.some((path) => path.startsWith(area)))).toEqual([]);
  });

  it('has operations of our own only where their rows say so, or without a credential', () => {
    const beyond = [...ours].filter(([name]) => !theirs.has(name)).map(([, { operationId }]) => operationId);

    expect(beyond.filter((id) => OPERATIONS[id] !== undefined && !OPERATIONS[id].isBeyondContract)).toEqual([]);
  });

  it('has no other differences of fields and words than those that are allowed, and all of these', () => {
    const found = [...theirs].flatMap(([name, operation]) => {
      const own = ours.get(name);
      return own === undefined ? [] : differencesOf(operation, own);
    });

    expect(found.length).toBeGreaterThan(100);
    expect([...new Set(found)].sort()).toEqual([...allowed].sort());
  });

  it('allows each difference once, with a reason', () => {
    expect(new Set(allowed).size).toBe(allowed.length);
    for (const { reason } of ALLOWED_DIFFERENCES) expect(reason).toMatch(/\.$/);
  });

  it('sees fields of either side, and words of enumerations that both have', () => {
    const one = answering({ a: [], 'a.b': [], kind: ['x', 'y'], open: [] });
    const other = answering({ kind: ['y', 'z'], open: ['o'], new: [] });

    expect(differencesOf(one, other)).toEqual([
      'answer a: theirs',
      'answer kind = x: theirs',
      'answer kind = z: ours',
      'answer new: ours',
    ]);
    expect(differencesOf(one, one)).toEqual([]);
  });
});
