import { BadRequestError } from '../../../http/errors/bad-request-error.js';
import type { SqlCondition } from './filter-sql.js';
import { NO_TARGET } from './provisioning.errors.js';

/** One change of who is in a group. */
export type MemberStep =
  /** No user is in it. */
  | { readonly kind: 'clear' }
  | { readonly kind: 'add' | 'remove'; readonly userIds: readonly string[] }
  /** Takes out those who meet a condition: for others, who come instead, or for none, where `userIds` is undefined. */
  | { readonly kind: 'replace'; readonly condition: SqlCondition; readonly userIds: readonly string[] | undefined };

/** Who joins a group, and who leaves it. */
export interface MemberChange {
  /** Whether exactly the added users are in the group afterwards. */
  readonly replacesMembers: boolean;
  readonly added: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
}

/** Looks for those who meet a condition among the members that a group has had before, and the users who were added. */
export type MemberSearch = (condition: SqlCondition, added: readonly string[]) => Promise<readonly string[]>;

/**
 * Takes the steps one after the other: one set of users who join and one of those who leave, however many steps there are.
 *
 * @throws BadRequestError `scim_no_target` where others are to come instead of members of whom there is none (RFC 7644, section 3.5.2.3)
 */
export async function memberChangeOf(steps: readonly MemberStep[], search: MemberSearch): Promise<MemberChange> {
  const change = { replacesMembers: false, added: new Set<string>(), removed: new Set<string>() };
  const { added, removed } = change;
  const add = (userId: string): void => {
    added.add(userId);
    removed.delete(userId);
  };
  const remove = (userId: string): void => {
    added.delete(userId);
    removed.add(userId);
  };
  for (const step of steps) {
    switch (step.kind) {
      case 'clear':
        change.replacesMembers = true;
        added.clear();
        removed.clear();
        break;
      case 'add':
        step.userIds.forEach(add);
        break;
      case 'remove':
        step.userIds.forEach(remove);
        break;
      case 'replace': {
        const found = await search(step.condition, [...added]);
        const meant = found.filter((id) => added.has(id) || !(change.replacesMembers || removed.has(id)));
        if (step.userIds !== undefined && meant.length === 0) {
          throw BadRequestError.of([NO_TARGET.at('path', 'names members of whom the group has none')]);
        }
        meant.forEach(remove);
        step.userIds?.forEach(add);
      }
    }
  }
  return change;
}
