import { BadRequestError } from '../../../http/errors/bad-request-error.js';
import { isObject } from '../../../http/validation/constraints.js';
import { invalidValue, readAttribute, readText } from './attribute-value.js';
import { filterCondition, type SqlCondition } from './filter-sql.js';
import type { MemberStep } from './member-steps.js';
import { MEMBER_FILTERS } from './member-filters.js';
import {
  type PatchOperation,
  type PatchPath,
  readInPath,
  readPatchPath,
  requireOwnId,
  requireWritable,
} from './patch-path.js';
import { INVALID_PATH, INVALID_SYNTAX, INVALID_VALUE, MUTABILITY, NO_TARGET } from './provisioning.errors.js';
import type { ScimFilter } from './scim-filter.js';
import { attributesByName, GROUP_ATTRIBUTES } from './scim-schemas.js';

const GROUP = attributesByName(GROUP_ATTRIBUTES);
const MEMBER = attributesByName(GROUP.get('members')!.subAttributes!);

/** The first parameter of the condition of a filter, behind those of the statement that looks for members. */
export const FIRST_OF_CONDITION = 4;

/** The most operations of a PATCH whose filters are about more than ids: each reads all members of the group. */
const MAXIMUM_SEARCHES = 10;

/** What a request changes of a group; what is undefined stays. */
export interface GroupChange {
  readonly displayName?: string;
  /** Null takes it away. */
  readonly externalId?: string | null;
  /** In this order. */
  readonly members: readonly MemberStep[];
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

/** The changes of a group, gathered. */
class EditedGroup {
  private displayName: string | undefined;
  private externalId: string | null | undefined;
  private readonly steps: MemberStep[] = [];
  private searches = 0;

  constructor(private readonly id: string | undefined) {}

  change(): GroupChange {
    return {
      ...(this.displayName !== undefined && { displayName: this.displayName }),
      ...(this.externalId !== undefined && { externalId: this.externalId }),
      members: this.steps,
    };
  }

  apply({ verb, path, value }: PatchOperation): void {
    if (typeof path === 'object') {
      if (verb === 'remove' || path.attribute !== 'id') requireWritable(path, GROUP);
      if (verb === 'remove') this.remove(path, value);
      else this.write(path, verb, value);
    } else if (path === 'whole') {
      if (verb === 'remove') throw BadRequestError.of([NO_TARGET.at('path', 'is required for a removal')]);
      if (!isObject(value)) throw BadRequestError.of([INVALID_SYNTAX.at('value', 'must be an object without a path')]);
      this.writeMembers(value, verb);
    }
  }

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
        requireOwnId(value, this.id);
        break;
      case 'displayname':
        this.displayName = readTextAttribute('displayname', value) ?? '';
        if (this.displayName.trim() === '') throw invalidValue('displayName', 'must not be empty');
        break;
      case 'externalid':
        this.externalId = readTextAttribute('externalid', value) ?? null;
        break;
      case 'members':
        this.writeUsers(path, verb, value ?? []);
    }
  }

  private writeUsers(path: PatchPath, verb: 'add' | 'replace', value: unknown): void {
    if (path.sub !== undefined && !MEMBER.has(path.sub)) return;
    if (path.filter === undefined) {
      requireWhole(path);
      if (verb === 'replace') this.steps.push({ kind: 'clear' });
      this.steps.push({ kind: 'add', userIds: userIdsIn(value) });
      return;
    }
    if (verb === 'add') throw BadRequestError.of([INVALID_PATH.at('path', 'must not have a filter here')]);
    // Who is in a group can be exchanged, and nothing of a member be written (RFC 7643, section 4.2).
    if (path.sub !== undefined) throw immutable(path.sub);
    const condition = this.searchOf(path.filter);
    this.steps.push({ kind: 'replace', condition, userIds: userIdsIn(value) });
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
        this.removeUsers(path, value);
    }
  }

  private removeUsers(path: PatchPath, value: unknown): void {
    if (path.sub !== undefined && !MEMBER.has(path.sub)) return;
    requireWhole(path);
    if (path.filter === undefined) {
      const isAll = value === undefined || value === null;
      this.steps.push(isAll ? { kind: 'clear' } : { kind: 'remove', userIds: userIdsIn(value) });
      return;
    }
    const userIds = userIdsOf(path.filter);
    this.steps.push(
      userIds === undefined
        ? { kind: 'replace', condition: this.searchOf(path.filter), userIds: undefined }
        : { kind: 'remove', userIds },
    );
  }

  private searchOf(filter: ScimFilter): SqlCondition {
    this.searches += 1;
    if (this.searches > MAXIMUM_SEARCHES) {
      const most = `must not have more than ${MAXIMUM_SEARCHES} operations whose filters are about more than ids`;
      throw BadRequestError.of([INVALID_VALUE.at('Operations', most)]);
    }
    return readInPath('path', () => filterCondition(filter, MEMBER_FILTERS, FIRST_OF_CONDITION));
  }
}

function readTextAttribute(name: string, value: unknown): string | undefined {
  return readAttribute(GROUP.get(name)!, value) as string | undefined;
}

/** Members are added and removed by their `value`, or as a whole. @throws BadRequestError for another part of them */
function requireWhole({ sub }: PatchPath): void {
  if (sub !== undefined && sub !== 'value') throw immutable(sub);
}

function immutable(sub: string): BadRequestError {
  return BadRequestError.of([MUTABILITY.at(`members.${sub}`, 'cannot be changed')]);
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

/** The users that a filter names by their ids alone, such as `value eq "user_..."`; undefined for any other filter. */
function userIdsOf(filter: ScimFilter): string[] | undefined {
  if (filter.kind === 'or') {
    const named = filter.filters.map(userIdsOf);
    return named.every((ids) => ids !== undefined) ? named.flat() : undefined;
  }
  const isNamed = filter.kind === 'compare' && filter.operator === 'eq' && filter.path.attribute === 'value';
  return isNamed && filter.path.sub === undefined && typeof filter.value === 'string'
    ? [readText(filter.value, 'members.value')]
    : undefined;
}
