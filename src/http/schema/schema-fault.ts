import type { ErrorObject } from 'ajv';
import { type Issue, joinPath } from '../errors/issue.js';

/** Keywords that only sum up the faults of their branches, which are reported themselves. */
const SUMMARIES = new Set(['anyOf', 'oneOf', 'allOf', 'if']);

/** Of the faults of the schema engine those to name, one per fault: a value of another type is not in an enum either. */
export function faultsToName(faults: readonly ErrorObject[]): ErrorObject[] {
  const mistyped = new Set(faults.filter(({ keyword }) => keyword === 'type').map(({ instancePath }) => instancePath));
  const named = faults.filter(
    ({ keyword, instancePath }) => !SUMMARIES.has(keyword) && !(keyword === 'enum' && mistyped.has(instancePath)),
  );
  const choices = new Set(faults.filter(({ keyword }) => keyword === 'anyOf').map(({ instancePath }) => instancePath));
  return choices.size === 0 ? named : withOneTypePerChoice(named, choices);
}

/**
 * Every branch of a choice reports that the value is not of its type. Where it is of another branch's, what is wrong with it
 * is that branch's to say; where it is of none, that is one fault, with the types of all.
 *
 * @param choices the places of values that may be one thing or another
 */
function withOneTypePerChoice(faults: readonly ErrorObject[], choices: ReadonlySet<string>): ErrorObject[] {
  const isOfChoice = ({ keyword, instancePath }: ErrorObject): boolean =>
    keyword === 'type' && choices.has(instancePath);
  const types = new Map<string, unknown[]>();
  const faulty = new Set<string>();
  for (const fault of faults) {
    const { instancePath: place, params } = fault;
    if (isOfChoice(fault)) types.set(place, [...(types.get(place) ?? []), ...[params['type'] as unknown].flat()]);
    else faulty.add(place);
    for (const around of placesAround(place)) faulty.add(around);
  }
  return faults.flatMap((fault) => {
    if (!isOfChoice(fault)) return [fault];
    const all = types.get(fault.instancePath);
    // Once for all branches.
    types.delete(fault.instancePath);
    return all === undefined || faulty.has(fault.instancePath) ? [] : [{ ...fault, params: { type: all } }];
  });
}

/** @param place as a JSON pointer */
function placesAround(place: string): string[] {
  const segments = place.split('/').slice(0, -1);
  return segments.map((_, index) => segments.slice(0, index + 1).join('/'));
}

/** A fault of the schema engine in the words of the interface. */
export function toIssue(fault: ErrorObject): Issue {
  const path = fault.instancePath.split('/').slice(1).reduce(appendSegment, '');
  switch (fault.keyword) {
    case 'required':
      return { path: joinPath(path, String(fault.params['missingProperty'])), message: 'is required' };
    case 'additionalProperties':
      // The caller chose this name: with a lone surrogate in it, strict parsers could not read the answer.
      return {
        path: joinPath(path, String(fault.params['additionalProperty']).toWellFormed()),
        message: 'is not a known field',
      };
    case 'enum':
      return { path, message: `must be one of ${(fault.params['allowedValues'] as unknown[]).map(String).join(', ')}` };
    case 'type':
      return { path, message: `must be ${[fault.params['type'] as string | string[]].flat().join(' or ')}` };
    case 'format':
      return { path, message: `must be a valid ${String(fault.params['format'])}` };
    default:
      return { path, message: fault.message ?? 'is not valid' };
  }
}

function appendSegment(path: string, segment: string): string {
  const name = segment.replaceAll('~1', '/').replaceAll('~0', '~');
  return joinPath(path, /^\d+$/.test(name) ? Number(name) : name);
}
