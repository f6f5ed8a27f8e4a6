import { BadRequestError } from '../../../http/errors/bad-request-error.js';
import { isObject } from '../../../http/validation/constraints.js';
import { INVALID_VALUE } from './provisioning.errors.js';
import { type AttributeDefinition, attributesByName } from './scim-schemas.js';

/** The most characters of a text. */
export const MAXIMUM_TEXT_LENGTH = 1_024;

/** The most values of an attribute that may have several. */
export const MAXIMUM_VALUES = 20;

/** The most bytes of what is kept of a user, as JSON. */
export const MAXIMUM_DOCUMENT_BYTES = 16_384;

/** An object of attributes under their names in the schema: no name is taken from a request. */
export type Attributes = Record<string, unknown>;

/** The error of a value. @param path the attribute, as a directory's administrator knows it */
export function invalidValue(path: string, message: string): BadRequestError {
  return BadRequestError.of([INVALID_VALUE.at(path, message)]);
}

/**
 * Reads a value of an attribute as it is kept. Texts stay as they were sent; what the schema does not know is left out.
 *
 * @returns undefined for null, an empty text, an empty object or an empty list, which all mean that the attribute has no value
 * @throws BadRequestError `scim_invalid_value` for a value of another type, or beyond its bounds
 */
export function readAttribute(definition: AttributeDefinition, value: unknown, path = definition.name): unknown {
  const given = definition.multiValued ? value : singleOf(definition, value);
  if (given === null || given === undefined || given === '') return undefined;
  return definition.multiValued ? readValues(definition, given, path) : readSingle(definition, given, path);
}

/**
 * The value of an attribute that has one. Entra writes it as a list of one as well: a manager as `[{"value": "id"}]`, and from older
 * applications of its gallery any other, such as `active` as `[{"value": "False"}]`.
 *
 * @returns undefined for an empty list; anything but a list of one as it was sent
 */
function singleOf({ type }: AttributeDefinition, value: unknown): unknown {
  if (!Array.isArray(value) || value.length > 1) return value;
  const [one] = value as readonly unknown[];
  return type !== 'complex' && isObject(one) && Object.hasOwn(one, 'value') ? one['value'] : one;
}

/** Reads true, false, or either as a text in any case, as Entra sends them. @throws BadRequestError for anything else */
export function readFlag(value: unknown, path: string): boolean {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.toLowerCase() : undefined;
  if (word !== 'true' && word !== 'false') throw invalidValue(path, 'must be true or false');
  return word === 'true';
}

/** Reads one of the values of an attribute with several. @returns undefined for one without anything in it */
export function readOneOfSeveral(
  definition: AttributeDefinition,
  value: unknown,
  path: string,
): Attributes | undefined {
  const isText = typeof value === 'string';
  return readComplex(definition, isText ? { value } : value, path);
}

/** Checks what is kept of a resource as a whole. @throws BadRequestError */
export function requireBoundedDocument(document: Attributes): void {
  const bytes = Buffer.byteLength(JSON.stringify(document));
  if (bytes > MAXIMUM_DOCUMENT_BYTES) {
    throw invalidValue('', `the attributes must not have more than ${MAXIMUM_DOCUMENT_BYTES} bytes, and have ${bytes}`);
  }
}

/** Reads a text. @throws BadRequestError for another type, or one that is too long */
export function readText(value: unknown, path: string): string {
  if (typeof value !== 'string') throw invalidValue(path, 'must be a string');
  if (value.length > MAXIMUM_TEXT_LENGTH) {
    throw invalidValue(path, `must not have more than ${MAXIMUM_TEXT_LENGTH} characters`);
  }
  return value;
}

/** Leaves all values but the last primary one without that mark: there is one at most (RFC 7643, section 2.4). */
export function withOnePrimary(values: readonly Attributes[]): Attributes[] {
  const last = values.findLastIndex(({ primary }) => primary === true);
  return values.map((value, index) =>
    value['primary'] === true && index !== last ? { ...value, primary: false } : value,
  );
}

function readValues(definition: AttributeDefinition, value: unknown, path: string): Attributes[] | undefined {
  const given: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (given.length > MAXIMUM_VALUES) throw invalidValue(path, `must not have more than ${MAXIMUM_VALUES} values`);
  const read = given.flatMap((one, index) => {
    const attributes = one === null ? undefined : readOneOfSeveral(definition, one, `${path}[${index}]`);
    return attributes === undefined ? [] : [attributes];
  });
  return read.length === 0 ? undefined : withOnePrimary(read);
}

function readSingle(definition: AttributeDefinition, value: unknown, path: string): unknown {
  switch (definition.type) {
    case 'boolean':
      return readFlag(value, path);
    case 'complex':
      return readComplex(definition, value, path);
    case 'string':
    case 'reference':
      return readText(value, path);
  }
}

function readComplex(definition: AttributeDefinition, value: unknown, path: string): Attributes | undefined {
  // Entra sends a manager as the id alone, too.
  const object: unknown = typeof value === 'string' && definition.name === 'manager' ? { value } : value;
  if (!isObject(object)) throw invalidValue(path, 'must be an object');
  const subs = attributesByName(definition.subAttributes ?? []);
  const attributes: Attributes = {};
  for (const [name, sub] of Object.entries(object)) {
    const known = subs.get(name.toLowerCase());
    const read = known === undefined ? undefined : readAttribute(known, sub, `${path}.${known.name}`);
    if (known !== undefined && read !== undefined) attributes[known.name] = read;
  }
  return Object.keys(attributes).length === 0 ? undefined : attributes;
}
