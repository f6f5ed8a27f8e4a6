import { BadRequestError } from '../../../http/errors/bad-request-error.js';
import { INVALID_PATH, INVALID_SYNTAX, INVALID_VALUE, MUTABILITY } from './provisioning.errors.js';
import { isObject } from '../../../http/validation/constraints.js';
import { readText } from './attribute-value.js';
import { parseFilter, type ScimFilter } from './scim-filter.js';
import { type AttributePath, attributePathOf, ENTERPRISE_SCHEMA, GROUP_SCHEMA, USER_SCHEMA } from './scim-path.js';
import { type AttributeDefinition, isReadOnly } from './scim-schemas.js';

/** The most characters of a path. */
const MAXIMUM_PATH_LENGTH = 1_024;

/** The most comparisons in the brackets of a path: it is compared with each value, operation by operation. */
const MAXIMUM_COMPARISONS = 5;

/** What an operation of a PATCH does. */
export type PatchVerb = 'add' | 'replace' | 'remove';

/** An operation of a PATCH, with its value as it was sent. */
export interface PatchOperation {
  readonly verb: PatchVerb;
  /** `whole`: the operation has no path. `unknown`: an attribute of a schema that is not known here, which is ignored. */
  readonly path: PatchPath | 'whole' | 'enterprise' | 'unknown';
  readonly value: unknown;
}

/** `attribute`, `attribute.sub`, `attribute[filter]` or `attribute[filter].sub`. */
export interface PatchPath extends AttributePath {
  readonly filter?: ScimFilter;
}

/** The paths of attributes of schemas that are not known here. */
const FOREIGN_URN = /^urn:[\w.:$-]{1,512}$/i;

const SUB = /^(?:\.(\$ref|[a-z][\w-]{0,63}))?$/;

const CORE_SCHEMAS = [USER_SCHEMA, GROUP_SCHEMA].map((schema) => schema.toLowerCase());

/**
 * Reads the operations of a PATCH (RFC 7644, section 3.5.2): names and verbs in any case, further members ignored.
 *
 * @param most how many operations there may be
 * @throws BadRequestError `scim_invalid_syntax` for what is no list of operations, or has none, `scim_invalid_path` for a malformed path
 */
export function patchOperationsOf(body: object, most: number): PatchOperation[] {
  const operations = memberOf(body, 'operations');
  if (!Array.isArray(operations) || operations.length === 0) {
    throw BadRequestError.of([INVALID_SYNTAX.at('Operations', 'must be a list of one operation or more')]);
  }
  if (operations.length > most) {
    throw BadRequestError.of([INVALID_VALUE.at('Operations', `must not have more than ${most} operations`)]);
  }
  return operations.map((operation: unknown, index) => operationOf(operation, `Operations[${index}]`));
}

/** The member of an object whose name has this form in lower case. */
function memberOf(object: object, name: string): unknown {
  return Object.entries(object).find(([own]) => own.toLowerCase() === name)?.[1];
}

function operationOf(operation: unknown, place: string): PatchOperation {
  if (!isObject(operation)) throw BadRequestError.of([INVALID_SYNTAX.at(place, 'must be an object')]);
  const op = memberOf(operation, 'op');
  const verb = typeof op === 'string' ? op.toLowerCase() : undefined;
  if (verb !== 'add' && verb !== 'replace' && verb !== 'remove') {
    throw BadRequestError.of([INVALID_SYNTAX.at(`${place}.op`, 'must be add, replace or remove')]);
  }
  const path = memberOf(operation, 'path');
  return { verb, path: pathOf(path, `${place}.path`), value: memberOf(operation, 'value') };
}

function pathOf(path: unknown, place: string): PatchOperation['path'] {
  if (path === undefined || path === null || path === '') return 'whole';
  if (typeof path !== 'string') throw invalidPath(place, 'must be a string');
  if (path.length > MAXIMUM_PATH_LENGTH)
    throw invalidPath(place, `must not have more than ${MAXIMUM_PATH_LENGTH} characters`);
  return readPatchPath(path) ?? readFilteredPath(path, place);
}

/** A path without a filter, or the name of a member of a value without a path; undefined for one that is neither. */
export function readPatchPath(path: string): PatchOperation['path'] | undefined {
  const lower = path.toLowerCase();
  if (CORE_SCHEMAS.includes(lower)) return 'whole';
  if (lower === ENTERPRISE_SCHEMA.toLowerCase()) return 'enterprise';
  return attributePathOf(path) ?? (FOREIGN_URN.test(path) ? 'unknown' : undefined);
}

/** The name of a member of a value without a path, which may be a path itself. @throws BadRequestError for a malformed filter in it */
export function readMemberPath(name: string): PatchOperation['path'] | undefined {
  return readPatchPath(name) ?? (name.includes('[') ? readFilteredPath(name, name.slice(0, 64)) : undefined);
}

function readFilteredPath(path: string, place: string): PatchPath {
  const [open, close] = [path.indexOf('['), path.lastIndexOf(']')];
  const attribute = open === -1 || close < open ? undefined : attributePathOf(path.slice(0, open));
  const rest = SUB.exec(path.slice(close + 1).toLowerCase());
  if (attribute === undefined || attribute.sub !== undefined || rest === null) {
    throw invalidPath(place, 'must be attribute, attribute.sub or attribute[filter].sub');
  }
  const filter = filterOf(path.slice(open + 1, close), place);
  return { ...attribute, filter, ...(rest[1] !== undefined && { sub: rest[1] }) };
}

function filterOf(text: string, place: string): ScimFilter {
  return readInPath(place, () => parseFilter(text, MAXIMUM_COMPARISONS));
}

/** Reads the filter of a path. @param read throws `scim_invalid_filter` @throws BadRequestError `scim_invalid_path` instead */
export function readInPath<Read>(place: string, read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof BadRequestError)) throw error;
    throw invalidPath(place, error.issues.map(({ message }) => `the filter ${message}`).join('; '));
  }
}

/**
 * Refuses the path of an operation that would change what only the service writes, such as the groups of a user, or when the resource was
 * changed (RFC 7644, section 3.5.2). Where such attributes stand among others, in a value without a path or in a whole resource, they are
 * ignored, because directories send back what they have read (section 3.5.1).
 *
 * @throws BadRequestError `scim_mutability`
 */
export function requireWritable(path: PatchPath, attributes: ReadonlyMap<string, AttributeDefinition>): void {
  if (path.isEnterprise || !isReadOnly(path.attribute, attributes)) return;
  throw BadRequestError.of([MUTABILITY.at(path.attribute, 'is read-only: the service writes it')]);
}

/** Lets a directory repeat the id of a resource, and not change it. @param id undefined for a new resource @throws BadRequestError */
export function requireOwnId(value: unknown, id: string | undefined): void {
  if (id === undefined || value === undefined || value === null) return;
  if (readText(value, 'id') !== id) throw BadRequestError.of([MUTABILITY.at('id', 'cannot be changed')]);
}

function invalidPath(place: string, message: string): BadRequestError {
  return BadRequestError.of([INVALID_PATH.at(place, message)]);
}
