import type { ErrorObject } from 'ajv';
import { type Issue, joinPath } from '../errors/issue.js';

/** Keywords that only sum up the faults of their branches, which are reported themselves. */
const SUMMARIES = new Set(['anyOf', 'oneOf', 'allOf', 'if']);

/** Of the faults of the schema engine those to name, one per fault: a value of another type is not in an enum either. */
export function faultsToName(faults: readonly ErrorObject[]): ErrorObject[] {
  const mistyped = new Set(faults.filter(({ keyword }) => keyword === 'type').map(({ instancePath }) => instancePath));
  return faults.filter(
    ({ keyword, instancePath }) => !SUMMARIES.has(keyword) && !(keyword === 'enum' && mistyped.has(instancePath)),
  );
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
