import { BadRequestError } from '../../../http/errors/bad-request-error.js';
import { isObject } from '../../../http/validation/constraints.js';
import {
  type Attributes,
  invalidValue,
  MAXIMUM_VALUES,
  readAttribute,
  readOneOfSeveral,
  requireBoundedDocument,
  withOnePrimary,
} from './attribute-value.js';
import {
  type PatchOperation,
  type PatchPath,
  readMemberPath,
  readPatchPath,
  requireOwnId,
  requireWritable,
} from './patch-path.js';
import { INVALID_SYNTAX, MUTABILITY, NO_TARGET } from './provisioning.errors.js';
import { ENTERPRISE_SCHEMA } from './scim-path.js';
import { type AttributeDefinition, attributesByName, ENTERPRISE_ATTRIBUTES, USER_ATTRIBUTES } from './scim-schemas.js';
import { equalitiesOf, meets } from './value-filter.js';

/** A user as a directory writes it. */
export interface UserDocument {
  readonly userName: string;
  readonly externalId: string | null;
  /** Undefined where the request says nothing of it. */
  readonly active: boolean | undefined;
  /** All other attributes, under their names in the schema; those of the extension under its URN. */
  readonly attributes: Attributes;
}

const USER = attributesByName(USER_ATTRIBUTES);
const ENTERPRISE = attributesByName(ENTERPRISE_ATTRIBUTES);

/**
 * Reads the body of a POST or a PUT. What the schema does not know is ignored, so are `password`, `groups` and `meta`.
 *
 * @param id of the user that is replaced; undefined for a new one, whose `id` is not the directory's to choose
 * @throws BadRequestError
 */
export function readUserDocument(body: object, id?: string): UserDocument {
  const user = new EditedUser(undefined, id);
  user.writeMembers(body, 'replace');
  return user.document();
}

/**
 * Changes a user by the operations of a PATCH, one after the other (docs/interface/scim-provisioning.md#patch).
 *
 * @throws BadRequestError for the first operation that cannot be done
 */
export function patchedUser(before: UserDocument, operations: readonly PatchOperation[], id: string): UserDocument {
  const user = new EditedUser(before, id);
  for (const operation of operations) user.apply(operation);
  return user.document();
}

/** A user while it is changed. Only names of the schema become names of its attributes. */
class EditedUser {
  private readonly core: Attributes;
  private enterprise: Attributes;

  constructor(
    before: UserDocument | undefined,
    private readonly id: string | undefined,
  ) {
    const { [ENTERPRISE_SCHEMA]: enterprise, ...core } = before?.attributes ?? {};
    const own = before && {
      userName: before.userName,
      externalId: before.externalId ?? undefined,
      active: before.active,
    };
    this.core = { ...core, ...own };
    this.enterprise = { ...(isObject(enterprise) && enterprise) };
  }

  apply({ verb, path, value }: PatchOperation): void {
    if (path === 'unknown') return;
    if (typeof path === 'object') {
      this.applyAt(path, verb, value);
    } else if (verb === 'remove') {
      if (path === 'whole') throw BadRequestError.of([NO_TARGET.at('path', 'is required for a removal')]);
      this.enterprise = {};
    } else if (path === 'enterprise') {
      this.writeExtension(value, verb);
    } else {
      if (!isObject(value)) throw BadRequestError.of([INVALID_SYNTAX.at('value', 'must be an object without a path')]);
      this.writeMembers(value, verb);
    }
  }

  /** Writes the members of an object, whose names may be paths. */
  writeMembers(object: object, verb: 'add' | 'replace'): void {
    for (const [name, value] of Object.entries(object)) {
      const path = readMemberPath(name);
      if (path === 'enterprise') this.writeExtension(value, verb);
      else if (typeof path === 'object') this.write(path, verb, value, false);
    }
  }

  document(): UserDocument {
    const { userName, externalId, active, ...core } = this.core;
    if (userName === undefined) throw invalidValue('userName', 'is required');
    const hasEnterprise = Object.keys(this.enterprise).length > 0;
    const attributes = { ...core, ...(hasEnterprise && { [ENTERPRISE_SCHEMA]: { ...this.enterprise } }) };
    requireBoundedDocument(attributes);
    return {
      userName: userName as string,
      externalId: (externalId as string | undefined) ?? null,
      active: active as boolean | undefined,
      attributes,
    };
  }

  private applyAt(path: PatchPath, verb: PatchOperation['verb'], value: unknown): void {
    const isId = path.attribute === 'id' && path.sub === undefined && path.filter === undefined;
    if (!isId || verb === 'remove') requireWritable(path, USER);
    if (verb === 'remove') this.remove(path, value);
    else this.write(path, verb, value, true);
  }

  private writeExtension(value: unknown, verb: 'add' | 'replace'): void {
    if (value === null) return;
    if (!isObject(value)) throw invalidValue(ENTERPRISE_SCHEMA, 'must be an object');
    for (const [name, member] of Object.entries(value)) {
      const path = readPatchPath(`${ENTERPRISE_SCHEMA}:${name}`);
      if (typeof path === 'object') this.write(path, verb, member, false);
    }
  }

  /** @param isPath whether the attribute was named by the path of an operation, where Entra names a manager without its schema */
  private write(path: PatchPath, verb: 'add' | 'replace', value: unknown, isPath: boolean): void {
    if (path.attribute === 'id' && !path.isEnterprise) {
      requireOwnId(value, this.id);
      return;
    }
    const target = this.targetOf(path, isPath);
    if (target === undefined) return;
    const { definition, attributes } = target;
    if (path.sub !== undefined || path.filter !== undefined) {
      this.writePart(target, path, value);
      return;
    }
    const { name } = definition;
    if (name === 'name' && isObject(value)) {
      // Only what is given of it is replaced (RFC 7644, section 3.5.2.3).
      for (const [part, given] of Object.entries(value)) {
        this.writePart(target, { ...path, sub: part.toLowerCase() }, given);
      }
      return;
    }
    const read = readAttribute(definition, value);
    const before = attributes[name];
    // Nothing is said of it, so that a user who has left does not come back by it, nor does one who is there leave.
    if (name === 'active' && read === undefined) return;
    if (definition.multiValued && verb === 'add') {
      if (Array.isArray(read)) attributes[name] = merged((before ?? []) as Attributes[], read as Attributes[], name);
    } else {
      setOrDelete(attributes, name, read);
    }
    if (name === 'userName' && read === undefined) throw invalidValue('userName', 'must not be empty');
  }

  private writePart({ definition, attributes }: Target, path: PatchPath, value: unknown): void {
    const { name } = definition;
    const sub = subAttributeOf(definition, path);
    if (sub === null) return;
    if (!definition.multiValued) {
      if (path.filter !== undefined || sub === undefined) return;
      const part = { ...(attributes[name] as Attributes | undefined) };
      setOrDelete(part, sub.name, readAttribute(sub, value, `${name}.${sub.name}`));
      setOrDelete(attributes, name, Object.keys(part).length === 0 ? undefined : part);
      return;
    }
    const change = partOf(definition, sub, value);
    const values = [...((attributes[name] ?? []) as Attributes[])];
    const isMeant = (one: Attributes): boolean => path.filter === undefined || meets(one, path.filter);
    const isChanged = values.some(isMeant);
    const changed = isChanged
      ? values.flatMap((one) => (isMeant(one) ? changedValue(one, change, sub) : [one]))
      : [...values, ...changedValue(writtenFrom(definition, path), change, sub)];
    if (!isChanged && Object.keys(change).length === 0) return;
    requireFew(changed, name);
    setOrDelete(attributes, name, changed.length === 0 ? undefined : withOnePrimary(changed));
  }

  private remove(path: PatchPath, value: unknown): void {
    const target = this.targetOf(path, true);
    if (target === undefined) return;
    const { definition, attributes } = target;
    const { name } = definition;
    if (name === 'userName') throw BadRequestError.of([MUTABILITY.at(name, 'cannot be removed')]);
    // As null: nothing is said of it (docs/interface/scim-provisioning.md#users).
    if (name === 'active') return;
    const before = attributes[name];
    if (before === undefined) return;
    const sub = subAttributeOf(definition, path);
    if (sub === null) return;
    if (definition.multiValued) {
      const isMeant = meantBy(path, value);
      const without = { [sub?.name ?? '']: undefined };
      const rest = (before as Attributes[]).flatMap((one) => {
        if (!isMeant(one)) return [one];
        return sub === undefined ? [] : changedValue(one, without, sub);
      });
      setOrDelete(attributes, name, rest.length === 0 ? undefined : rest);
    } else if (sub === undefined) {
      setOrDelete(attributes, name, undefined);
    } else {
      const { [sub.name]: _, ...rest } = before as Attributes;
      setOrDelete(attributes, name, Object.keys(rest).length === 0 ? undefined : rest);
    }
  }

  private targetOf({ isEnterprise, attribute }: PatchPath, isPath: boolean): Target | undefined {
    const isManager = isPath && attribute === 'manager';
    const definition = (isEnterprise || isManager ? ENTERPRISE : USER).get(attribute);
    // Groups change by the groups alone (RFC 7643, section 4.1.2).
    if (definition === undefined || definition.mutability === 'readOnly') return undefined;
    return { definition, attributes: isEnterprise || isManager ? this.enterprise : this.core };
  }
}

interface Target {
  readonly definition: AttributeDefinition;
  readonly attributes: Attributes;
}

/** The sub-attribute of a path; undefined for none, null for one that the schema does not know. */
function subAttributeOf(definition: AttributeDefinition, { sub }: PatchPath): AttributeDefinition | undefined | null {
  if (sub === undefined) return undefined;
  return attributesByName(definition.subAttributes ?? []).get(sub) ?? null;
}

/** The sub-attributes that an operation writes into one of several values; undefined for those it empties. */
function partOf(definition: AttributeDefinition, sub: AttributeDefinition | undefined, value: unknown): Attributes {
  if (sub !== undefined) {
    const read = readAttribute(sub, value, `${definition.name}.${sub.name}`);
    return read === undefined ? {} : { [sub.name]: read };
  }
  const one: unknown = Array.isArray(value) ? value[0] : value;
  return one === null || one === undefined || one === ''
    ? {}
    : (readOneOfSeveral(definition, one, definition.name) ?? {});
}

/** One of several values, changed; none where nothing but its type is left. */
function changedValue(one: Attributes, change: Attributes, sub: AttributeDefinition | undefined): Attributes[] {
  const { [sub?.name ?? '']: _, ...rest } = one;
  const changed = Object.fromEntries(
    Object.entries({ ...(sub === undefined ? one : rest), ...change }).filter(([, value]) => value !== undefined),
  );
  const isEmpty = Object.keys(changed).every((name) => name === 'type' || name === 'primary' || name === 'display');
  return isEmpty ? [] : [changed];
}

/** A new value as the filter of a path describes it: `emails[type eq "work"]` begins one of the type `work`. */
function writtenFrom(definition: AttributeDefinition, { filter }: PatchPath): Attributes {
  const subs = attributesByName(definition.subAttributes ?? []);
  const attributes: Attributes = {};
  for (const [name, value] of filter === undefined ? [] : equalitiesOf(filter)) {
    const known = subs.get(name);
    const read = known === undefined ? undefined : readAttribute(known, value, `${definition.name}.${known.name}`);
    if (known !== undefined && read !== undefined) attributes[known.name] = read;
  }
  return attributes;
}

/** Which of several values a removal means: those of its filter, or those that its value lists, or all. */
function meantBy({ filter }: PatchPath, value: unknown): (one: Attributes) => boolean {
  if (filter !== undefined) return (one) => meets(one, filter);
  if (value === undefined || value === null) return () => true;
  const listed: readonly unknown[] = Array.isArray(value) ? value : [value];
  const values = new Set(listed.map((item) => (isObject(item) ? item['value'] : item)));
  return (one) => values.has(one['value']);
}

/** Several values with others, without repeating any. */
function merged(before: readonly Attributes[], added: readonly Attributes[], name: string): Attributes[] {
  const known = new Set(before.map((one) => JSON.stringify([one['value'], one['type'], one['formatted']])));
  const isNew = (one: Attributes): boolean => !known.has(JSON.stringify([one['value'], one['type'], one['formatted']]));
  const all = [...before, ...added.filter(isNew)];
  requireFew(all, name);
  return withOnePrimary(all);
}

function requireFew(values: readonly unknown[], name: string): void {
  if (values.length > MAXIMUM_VALUES) throw invalidValue(name, `must not have more than ${MAXIMUM_VALUES} values`);
}

function setOrDelete(attributes: Attributes, name: string, value: unknown): void {
  if (value === undefined) Reflect.deleteProperty(attributes, name);
  else attributes[name] = value;
}
