import { Injectable } from '@nestjs/common';
import { ADMINISTRATOR, type MemberRole } from '../../../auth/roles.js';
import { columnsOf } from '../../../persistence/entity-columns.js';
import { insertStatement } from '../../../persistence/insert-statement.js';
import { type BoundValues, statement } from '../../../persistence/statement.js';
import { Statements, type Transaction } from '../../../persistence/statements.js';
import { CREATED_NOW } from '../../../persistence/row-times.js';
import { type Actor, auditedRowsStatement, type AuditedStatement, auditEventOf } from '../../audit/audit-trail.js';
import { OrganizationMemberEntity, UserEntity } from '../entities/organization.entity.js';
import type { DeactivatedBy, KeysOfDeactivatedMembers } from '../member-role.js';
import type { MemberWithUser } from '../organizations.mapper.js';
import type { ChangedMemberRoles, ChangedMemberStates } from './member-hooks.js';

export const INSERT_USER = insertStatement('user_insert', UserEntity, CREATED_NOW);

/** Inserts a membership of an organization. */
export const INSERT_ORGANIZATION_MEMBER = insertStatement(
  'organization_member_insert',
  OrganizationMemberEntity,
  CREATED_NOW,
);

/** What becomes of the keys of deactivated members, which does not change until the transaction ends. */
export const HOLD_KEYS_OF_DEACTIVATED_MEMBERS = statement<
  { keysOfDeactivatedMembers: KeysOfDeactivatedMembers },
  [organizationId: string]
>(
  'organization_hold_keys_setting',
  `SELECT keys_of_deactivated_members AS "keysOfDeactivatedMembers" FROM organizations WHERE id = $1 FOR SHARE`,
);

/** Lets one transaction at a time add members to an organization, and none deactivate any meanwhile. */
export const LOCK_ORGANIZATION = statement<{ id: string }, [organizationId: string]>(
  'organization_lock',
  'SELECT id FROM organizations WHERE id = $1 FOR NO KEY UPDATE',
);

/** The email addresses among some (`emailKeyOf`) that members who have not ended have. */
export const TAKEN_EMAILS = statement<{ email: string }, [organizationId: string, emails: readonly string[]]>(
  'organization_member_emails',
  `SELECT DISTINCT m.email_key AS email FROM organization_members m
    WHERE m.organization_id = $1 AND m.email_key = ANY ($2::text[]) AND m.ended_at IS NULL`,
);

const MEMBER_WITH_USER = `SELECT ${columnsOf(OrganizationMemberEntity, 'm')}, coalesce(m.name, u.name) AS "userName",
      coalesce(m.email, u.email) AS "userEmail",
      EXISTS (SELECT FROM scim_users s WHERE s.organization_id = $1 AND s.user_id = m.user_id) AS "isScimManaged"
    FROM organization_members m LEFT JOIN users u ON u.id = m.user_id WHERE m.organization_id = $1`;

/** A member, with what is known of the person. */
export const MEMBER_WITH_USER_BY_ID = statement<MemberWithUser, [organizationId: string, userId: string]>(
  'organization_member_with_user',
  `${MEMBER_WITH_USER} AND m.user_id = $2`,
);

/** A member with the user, locked for a transaction that will change it. */
export const LOCK_MEMBER_WITH_USER = statement<MemberWithUser, [organizationId: string, userId: string]>(
  'organization_member_lock',
  `${MEMBER_WITH_USER} AND m.user_id = $2 FOR NO KEY UPDATE OF m`,
);

/** Every member of an organization, whatever their status, oldest first. */
export const ALL_MEMBERS_WITH_USERS = statement<MemberWithUser, [organizationId: string]>(
  'organization_members_with_users',
  `${MEMBER_WITH_USER} ORDER BY m.created_at, m.id`,
);

/** Gives a member another name, which is divided at its first space from then on. */
export const RENAME_MEMBER = statement<never, [organizationId: string, userId: string, name: string]>(
  'organization_member_rename',
  `UPDATE organization_members SET name = $3, given_name = NULL, family_name = NULL
    WHERE organization_id = $1 AND user_id = $2`,
);

/** Erases what a membership says of the person. */
export const ERASE_MEMBER = statement<never, [organizationId: string, userId: string]>(
  'organization_member_erase',
  `UPDATE organization_members SET name = '', email = '', email_key = NULL, given_name = NULL, family_name = NULL
    WHERE organization_id = $1 AND user_id = $2`,
);

/** Erases what a user is called. Other organizations of theirs have what they call them themselves. */
export const ERASE_USER = statement<never, [userId: string]>(
  'user_erase',
  `UPDATE users SET name = '', email = '' WHERE id = $1`,
);

export const HAS_ACTIVE_ADMINISTRATOR = statement<{ id: string }, [organizationId: string]>(
  'organization_active_administrator',
  `SELECT id FROM organization_members
    WHERE organization_id = $1 AND role = '${ADMINISTRATOR}' AND deactivated_at IS NULL LIMIT 1`,
);

/** Whether a member has the role of an administrator. */
export const IS_ADMINISTRATOR = statement<{ id: string }, [organizationId: string, userId: string]>(
  'organization_member_is_administrator',
  `SELECT id FROM organization_members WHERE organization_id = $1 AND user_id = $2 AND role = '${ADMINISTRATOR}'`,
);

/** The active administrators of an organization, who stay so until the transaction ends. They are locked as members are who change. */
export const LOCK_ACTIVE_ADMINISTRATORS = statement<{ userId: string }, [organizationId: string]>(
  'organization_active_administrators_lock',
  `SELECT m.user_id AS "userId" FROM organization_members m
    WHERE m.organization_id = $1 AND m.role = '${ADMINISTRATOR}' AND m.deactivated_at IS NULL ORDER BY m.id FOR NO KEY UPDATE`,
);

/** What an organization calls a member. */
export type MemberNames = Pick<OrganizationMemberEntity, 'givenName' | 'familyName'> & {
  readonly name: string;
  readonly email: string;
  readonly emailKey: string;
};

/** A member whose state or role a statement has changed. */
export interface ChangedMember {
  readonly userId: string;
  readonly role: MemberRole;
}

type ChangedValues = [organizationId: string, userIds: readonly string[], value: string];

type ChangeStatement = AuditedStatement<ChangedMember, ChangedValues>;

/**
 * Changes members, each with an event. The rows are locked in the order of their ids, so that two transactions do not wait for each
 * other.
 *
 * @param which those that are changed, as `m`; $3 is who or what
 * @param set their columns from now on
 * @param changes the expression of the changes of the event, over `change`, which has the earlier values as `was_...`
 */
function changeStatement(name: string, which: string, set: string, changes: string): ChangeStatement {
  return auditedRowsStatement<ChangedMember, ChangedValues>(
    name,
    `UPDATE organization_members m SET ${set} FROM held WHERE m.organization_id = $1 AND m.id = held.id`,
    3,
    {
      with: `held AS MATERIALIZED (
        SELECT m.id, m.role, m.deactivated_at, m.deactivated_by FROM organization_members m
        WHERE m.organization_id = $1 AND m.user_id = ANY ($2::text[]) AND m.ended_at IS NULL AND ${which}
        ORDER BY m.id FOR NO KEY UPDATE)`,
      returning: `m.user_id, m.role, held.role AS was_role, held.deactivated_at AS was_deactivated_at,
        held.deactivated_by AS was_deactivated_by`,
      targetId: 'change.user_id',
      changes,
      answer: 'change.user_id AS "userId", change.role',
    },
  );
}

const WAS_STATUS = `CASE WHEN change.was_deactivated_at IS NULL THEN 'active' ELSE 'deactivated' END`;

/** Deactivates members: a directory no services, and an administrator also whom a directory has, which cannot bring them back then. */
export const DEACTIVATE_MEMBERS = changeStatement(
  'organization_members_deactivate',
  `(m.deactivated_at IS NULL AND ($3 = 'administrator' OR m.kind = 'person')
          OR m.deactivated_by = 'directory' AND $3 = 'administrator')`,
  `deactivated_at = least(m.deactivated_at, statement_timestamp()), deactivated_by = $3`,
  `jsonb_strip_nulls(jsonb_build_object(
      'status', CASE WHEN change.was_deactivated_at IS NULL
        THEN '{"before": "active", "after": "deactivated"}'::jsonb END,
      'deactivated_by', jsonb_build_object('before', change.was_deactivated_by, 'after', $3::text)))`,
);

/** Reactivates members: a directory only whom one has deactivated. */
export const REACTIVATE_MEMBERS = changeStatement(
  'organization_members_reactivate',
  `m.deactivated_at IS NOT NULL AND ($3 = 'administrator' OR m.deactivated_by = 'directory')`,
  'deactivated_at = NULL, deactivated_by = NULL',
  `jsonb_build_object(
      'status', '{"before": "deactivated", "after": "active"}'::jsonb,
      'deactivated_by', jsonb_build_object('before', change.was_deactivated_by))`,
);

/** Ends members, active or not: a directory no services. */
export const END_MEMBERS = changeStatement(
  'organization_members_end',
  `($3 = 'administrator' OR m.kind = 'person')`,
  `ended_at = statement_timestamp(), deactivated_at = least(m.deactivated_at, statement_timestamp()),
      deactivated_by = coalesce(m.deactivated_by, $3)`,
  `jsonb_build_object('status', jsonb_build_object('before', ${WAS_STATUS}, 'after', 'ended'))`,
);

export const CHANGE_MEMBER_ROLES = changeStatement(
  'organization_members_change_role',
  'm.role <> $3',
  'role = $3',
  `jsonb_build_object('role', jsonb_build_object('before', change.was_role, 'after', change.role))`,
);

/** Writes what the organization calls a member. */
export const DESCRIBE_MEMBER = statement<
  never,
  [
    organizationId: string,
    userId: string,
    name: string,
    email: string,
    emailKey: string,
    givenName: string | null,
    familyName: string | null,
  ]
>(
  'organization_member_describe',
  `UPDATE organization_members SET name = $3, email = $4, email_key = $5, given_name = $6, family_name = $7
    WHERE organization_id = $1 AND user_id = $2 AND ended_at IS NULL`,
);

/** The rows of members, in the transaction that changes them. */
@Injectable()
export class MembersRepository {
  constructor(private readonly statements: Statements) {}

  async find(organizationId: string, userId: string): Promise<MemberWithUser | undefined> {
    return this.statements.first(MEMBER_WITH_USER_BY_ID, [organizationId, userId]);
  }

  /** Finds a member and locks it against changes by others until the end of the transaction. */
  async lock(tx: Transaction, organizationId: string, userId: string): Promise<MemberWithUser | undefined> {
    return tx.first(LOCK_MEMBER_WITH_USER, [organizationId, userId]);
  }

  async all(organizationId: string): Promise<MemberWithUser[]> {
    return this.statements.rows(ALL_MEMBERS_WITH_USERS, [organizationId]);
  }

  async rename(tx: Transaction, organizationId: string, userId: string, name: string): Promise<void> {
    await tx.write(RENAME_MEMBER, [organizationId, userId, name]);
  }

  async insert(
    tx: Transaction,
    user: Omit<UserEntity, 'createdAt'>,
    member: Omit<OrganizationMemberEntity, 'createdAt'>,
  ): Promise<void> {
    await tx.write(INSERT_USER, INSERT_USER.values(user));
    await tx.write(INSERT_ORGANIZATION_MEMBER, INSERT_ORGANIZATION_MEMBER.values(member));
  }

  async eraseIdentity(tx: Transaction, organizationId: string, userId: string): Promise<void> {
    await tx.write(ERASE_MEMBER, [organizationId, userId]);
    await tx.write(ERASE_USER, [userId]);
  }

  /** @returns whether there is such an organization */
  async lockOrganization(tx: Transaction, organizationId: string): Promise<boolean> {
    return (await tx.first(LOCK_ORGANIZATION, [organizationId])) !== undefined;
  }

  /** @param emails as they are compared @returns those that are taken */
  async takenEmails(tx: Transaction, organizationId: string, emails: readonly string[]): Promise<string[]> {
    return (await tx.rows(TAKEN_EMAILS, [organizationId, emails])).map(({ email }) => email);
  }

  /** What becomes of keys of deactivated members until the transaction ends; undefined without such an organization. */
  async holdKeysSetting(tx: Transaction, organizationId: string): Promise<KeysOfDeactivatedMembers | undefined> {
    return (await tx.first(HOLD_KEYS_OF_DEACTIVATED_MEMBERS, [organizationId]))?.keysOfDeactivatedMembers;
  }

  /** @returns the members who were not deactivated, or not so firmly */
  async deactivate(tx: Transaction, actor: Actor, members: ChangedMemberStates): Promise<ChangedMember[]> {
    return change(tx, DEACTIVATE_MEMBERS, 'member.deactivate', actor, members, members.by);
  }

  /** @returns the members who are active again */
  async reactivate(tx: Transaction, actor: Actor, members: ChangedMemberStates): Promise<ChangedMember[]> {
    return change(tx, REACTIVATE_MEMBERS, 'member.reactivate', actor, members, members.by);
  }

  /** @returns the members who had not ended */
  async end(tx: Transaction, actor: Actor, members: ChangedMemberStates): Promise<ChangedMember[]> {
    return change(tx, END_MEMBERS, 'member.delete', actor, members, members.by);
  }

  /** @returns the members who had another role */
  async changeRole(tx: Transaction, actor: Actor, members: ChangedMemberRoles): Promise<ChangedMember[]> {
    return change(tx, CHANGE_MEMBER_ROLES, 'member.update', actor, members, members.role);
  }

  async describe(
    tx: Transaction,
    organizationId: string,
    userId: string,
    { name, email, emailKey, givenName, familyName }: MemberNames,
  ): Promise<void> {
    await tx.write(DESCRIBE_MEMBER, [organizationId, userId, name, email, emailKey, givenName, familyName]);
  }

  async isAdministrator(tx: Transaction, organizationId: string, userId: string): Promise<boolean> {
    return (await tx.first(IS_ADMINISTRATOR, [organizationId, userId])) !== undefined;
  }

  /** @returns the ids of the users */
  async lockActiveAdministrators(tx: Transaction, organizationId: string): Promise<string[]> {
    return (await tx.rows(LOCK_ACTIVE_ADMINISTRATORS, [organizationId])).map(({ userId }) => userId);
  }

  async hasActiveAdministrator(tx: Transaction, organizationId: string): Promise<boolean> {
    return (await tx.first(HAS_ACTIVE_ADMINISTRATOR, [organizationId])) !== undefined;
  }
}

function change(
  tx: Transaction,
  changing: ChangeStatement,
  action: string,
  actor: Actor,
  { organizationId, userIds }: { readonly organizationId: string; readonly userIds: readonly string[] },
  value: DeactivatedBy | MemberRole,
): Promise<ChangedMember[]> {
  const event = auditEventOf(organizationId, actor, { action });
  const values: BoundValues<ChangedValues> = changing.values([organizationId, userIds, value], event);
  return tx.rows(changing, values);
}
