import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../../persistence/entity-columns.js';
import { insertStatement } from '../../../persistence/insert-statement.js';
import { statement } from '../../../persistence/statement.js';
import { Statements, type Transaction } from '../../../persistence/statements.js';
import { type Actor, type AuditedEvent, auditedStatement, auditEventOf } from '../../audit/index.js';
import { MemberIdentityEntity } from '../entities/sign-in-connection.entity.js';

/** Whom an identity belongs to, and that he has signed in now. */
export const USE_MEMBER_IDENTITY = statement<
  { userId: string },
  [organizationId: string, issuer: string, subject: string]
>(
  'member_identity_use',
  `UPDATE member_identities SET last_sign_in_at = now() WHERE organization_id = $1 AND issuer = $2 AND subject = $3
    RETURNING user_id AS "userId"`,
);

/** The identities of a member, oldest first. */
export const MEMBER_IDENTITIES = statement<MemberIdentityEntity, [organizationId: string, userId: string]>(
  'member_identities',
  `SELECT ${columnsOf(MemberIdentityEntity, 'i')} FROM member_identities i
    WHERE i.organization_id = $1 AND i.user_id = $2 ORDER BY i.created_at, i.id LIMIT 100`,
);

/** Whether an organization has a member. */
export const IS_MEMBER_FOR_IDENTITY = statement<{ userId: string }, [organizationId: string, userId: string]>(
  'member_identities_member',
  'SELECT user_id AS "userId" FROM organization_members WHERE organization_id = $1 AND user_id = $2',
);

/** Inserts an identity. */
export const INSERT_MEMBER_IDENTITY = insertStatement('member_identity_insert', MemberIdentityEntity, {
  createdAt: 'now()',
});

/** Deletes an identity of a member and records it. */
export const DELETE_MEMBER_IDENTITY = auditedStatement<never, [organizationId: string, userId: string, id: string]>(
  'member_identity_delete',
  'DELETE FROM member_identities WHERE organization_id = $1 AND user_id = $2 AND id = $3',
  3,
);

/** Deletes every identity of a member. */
export const DELETE_MEMBER_IDENTITIES = statement<never, [organizationId: string, userId: string]>(
  'member_identities_delete',
  'DELETE FROM member_identities WHERE organization_id = $1 AND user_id = $2',
);

/** The rows that say who members are at identity providers. */
@Injectable()
export class MemberIdentitiesRepository {
  constructor(private readonly statements: Statements) {}

  /** @returns the member's id; undefined for who is not known */
  async use(tx: Transaction, organizationId: string, issuer: string, subject: string): Promise<string | undefined> {
    return (await tx.first(USE_MEMBER_IDENTITY, [organizationId, issuer, subject]))?.userId;
  }

  /** @returns undefined where the organization has no such member */
  async of(organizationId: string, userId: string): Promise<MemberIdentityEntity[] | undefined> {
    const member = await this.statements.first(IS_MEMBER_FOR_IDENTITY, [organizationId, userId]);
    return member && this.statements.rows(MEMBER_IDENTITIES, [organizationId, userId]);
  }

  async insert(tx: Transaction, identity: Omit<MemberIdentityEntity, 'createdAt'>): Promise<MemberIdentityEntity> {
    const [found] = await tx.rows(INSERT_MEMBER_IDENTITY, INSERT_MEMBER_IDENTITY.values(identity));
    return { ...identity, ...found! };
  }

  /** @returns how many there were */
  async deleteAllOf(tx: Transaction, organizationId: string, userId: string): Promise<number> {
    return tx.write(DELETE_MEMBER_IDENTITIES, [organizationId, userId]);
  }

  /** @returns whether the member had it */
  async delete(
    organizationId: string,
    userId: string,
    id: string,
    actor: Actor,
    event: AuditedEvent,
  ): Promise<boolean> {
    const row = auditEventOf(organizationId, actor, event);
    const values = DELETE_MEMBER_IDENTITY.values([organizationId, userId, id], row);
    return (await this.statements.write(DELETE_MEMBER_IDENTITY, values)) > 0;
  }
}
