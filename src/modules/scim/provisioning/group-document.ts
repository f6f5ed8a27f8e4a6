import { BadRequestError } from '../../../http/errors/bad-request-error.js';
import { isObject } from '../../../http/validation/constraints.js';
import { invalidValue, readText } from './attribute-value.js';
import { type PatchOperation, type PatchPath, readPatchPath } from './patch-path.js';
import { INVALID_PATH, INVALID_SYNTAX, MUTABILITY, NO_TARGET } from './provisioning.errors.js';
import type { ScimFilter } from './scim-filter.js';

/** What a request changes of a group; what is undefined stays. */
export interface GroupChange {
  readonly displayName?: string;
  /** Null takes it away. */
  readonly externalId?: string | null;
  /** Whether exactly the added users are in the group afterwards. */
  readonly replacesMembers: boolean;
  readonly added: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
}

/**
 * Reads the body of a POST or a PUT of a group: without `members` they stay as they are, an empty list is no member.
 *
 * @param id of the group that is replaced; undefined for a new one
 * @throws BadRequestError
 */
export function readGroupDocument(body: object, id?: string): GroupChange & { readonly displayName: string } {
  const group = new EditedGroup(id);
  group.writeMembers(body, 'replace');
  const { displayName, ...change } = group.change();
  if (displayName === undefined) throw invalidValue('displayName', 'is required');
  return { ...change, displayName, externalId: change.externalId ?? null };
}

/** What the operations of a PATCH change of a group, one after the other. @throws BadRequestError for the first that cannot be done */
export function groupChangeOf(operations: readonly PatchOperation[], id: string): GroupChange {
  const group = new EditedGroup(id);
  for (const operation of operations) group.apply(operation);
  return group.change();
}

/** The changes of a group, gathered: one set of users who join and one of those who leave, however many operations there are. */
class EditedGroup {
  private displayName: string | undefined;
  private externalId: string | null | undefined;
  private replacesMembers = false;
  private readonly added = new Set<string>();
  private readonly removed = new Set<string>();

  constructor(private readonly id: string | undefined) {}

  change(): GroupChange {
    return {
      ...(this.displayName !== undefined && { displayName: this.displayName }),
      ...(this.externalId !== undefined && { externalId: this.externalId }),
      replacesMembers: this.replacesMembers,
      added: this.added,
      removed: this.removed,
    };
  }

  apply({ verb, path, value }: PatchOperation): void {
    if (typeof path === 'object') {
      if (verb === 'remove') this.remove(path, value);
      else this.write(path, verb, value);
    } else if (path === 'whole') {
      if (verb === 'remove') throw BadRequestError.of([NO_TARGET.at('path', 'is required for a removal')]);
      if (!isObject(value)) throw BadRequestError.of([INVALID_SYNTAX.at('value', 'must be an object without a path')]);
      this.writeMembers(value, verb);
    }
  }

  /** Writes the members of an object. */
  writeMembers(object: object, verb: 'add' | 'replace'): void {
    for (const [name, value] of Object.entries(object)) {
      const path = readPatchPath(name);
      if (typeof path === 'object') this.write(path, verb, value);
    }
  }

  private write(path: PatchPath, verb: 'add' | 'replace', value: unknown): void {
    if (path.isEnterprise) return;
    switch (path.attribute) {
      case 'id':
        this.requireOwnId(value);
        break;
      case 'displayname':
        this.displayName = readText(value ?? '', 'displayName');
        if (this.displayName.trim() === '') throw invalidValue('displayName', 'must not be empty');
        break;
      case 'externalid':
        this.externalId = value === null || value === '' ? null : readText(value, 'externalId');
        break;
      case 'members':
        if (path.filter !== undefined)
          throw BadRequestError.of([INVALID_PATH.at('path', 'must not have a filter here')]);
        this.writeUsers(verb, value ?? []);
    }
  }

  private writeUsers(verb: 'add' | 'replace', value: unknown): void {
    if (verb === 'replace') this.removeAll();
    for (const id of userIdsIn(value)) {
      this.added.add(id);
      this.removed.delete(id);
    }
  }

  private remove(path: PatchPath, value: unknown): void {
    if (path.isEnterprise) return;
    switch (path.attribute) {
      case 'displayname':
        throw BadRequestError.of([MUTABILITY.at('displayName', 'cannot be removed')]);
      case 'externalid':
        this.externalId = null;
        break;
      case 'members':
        if (path.filter !== undefined) this.removeUsers(userIdsOf(path.filter));
        else if (value === undefined || value === null) this.removeAll();
        else this.removeUsers(userIdsIn(value));
    }
  }

  private removeUsers(ids: Iterable<string>): void {
    for (const id of ids) {
      this.added.delete(id);
      this.removed.add(id);
    }
  }

  private removeAll(): void {
    this.replacesMembers = true;
    this.added.clear();
    this.removed.clear();
  }

  private requireOwnId(value: unknown): void {
    if (this.id === undefined || value === undefined || value === null) return;
    if (readText(value, 'id') !== this.id) throw BadRequestError.of([MUTABILITY.at('id', 'cannot be changed')]);
  }
}

/** The users that a value lists: objects with `value`, or ids, or one of either. */
function userIdsIn(value: unknown): string[] {
  const listed: readonly unknown[] = Array.isArray(value) ? value : [value];
  return listed.map((member, index) => {
    const place = `members[${index}]`;
    if (!isObject(member)) return readText(member, place);
    const { type, value: id } = member;
    if (typeof type === 'string' && type.toLowerCase() === 'group') {
      throw invalidValue(place, 'must be a user: groups in groups are not supported');
    }
    return readText(id, `${place}.value`);
  });
}

/** The users that a filter names, such as `value eq "user_..."`. @throws BadRequestError for any other */
function userIdsOf(filter: ScimFilter): string[] {
  if (filter.kind === 'or') return filter.filters.flatMap(userIdsOf);
  if (filter.kind === 'compare' && filter.operator === 'eq' && filter.path.attribute === 'value') {
    return [readText(filter.value, 'members.value')];
  }
  throw BadRequestError.of([INVALID_PATH.at('path', 'must name members as members[value eq "<id>"]')]);
}
