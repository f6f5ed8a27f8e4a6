import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../persistence/entity-columns.js';
import { type Page, type PageRequest, pageStatement } from '../../persistence/page-statement.js';
import { quotaStatement } from '../../persistence/quota-statement.js';
import { locking } from '../../persistence/row-statements.js';
import { CREATED_AND_UPDATED_NOW, UPDATED_NOW } from '../../persistence/row-times.js';
import { statement } from '../../persistence/statement.js';
import { Statements, type Transaction } from '../../persistence/statements.js';
import { updateStatement } from '../../persistence/update-statement.js';
import { type Actor, auditedInsert, auditEventOf } from '../audit/audit-trail.js';
import type { AuditedEvent } from '../audit/audited-event.js';
import { ExternalUserEntity } from './entities/external-user.entity.js';

/** How many users an organization has registered, against its quota. */
export const EXTERNAL_USERS_QUOTA = quotaStatement('external_users_quota', 'external_users', 'external_users');

const LISTED = 'organization_id = $1 AND (is_active OR $2::boolean)';

/** A page of users, oldest first. One index has what is counted: there are as many as the quota says at most. */
export const EXTERNAL_USERS_PAGE = pageStatement<
  ExternalUserEntity,
  [organizationId: string, includesInactive: boolean]
>({
  name: 'external_users_page',
  entity: ExternalUserEntity,
  where: LISTED,
  parameters: 2,
  total: `(SELECT count(*) FROM external_users WHERE ${LISTED})`,
  order: ['createdAt', 'id'],
});

/** The user of a name. */
export const EXTERNAL_USER_BY_NAME = statement<ExternalUserEntity, [organizationId: string, externalUser: string]>(
  'external_user_by_name',
  `SELECT ${columnsOf(ExternalUserEntity, 'item')} FROM external_users AS item
    WHERE organization_id = $1 AND external_user = $2`,
);

/** An external user, locked for a transaction that changes it. */
export const LOCK_EXTERNAL_USER = locking('external_user_lock', EXTERNAL_USER_BY_NAME, 'FOR NO KEY UPDATE');

/** Inserts a user and records it. */
export const INSERT_EXTERNAL_USER = auditedInsert('external_user_create', ExternalUserEntity, CREATED_AND_UPDATED_NOW);

export const UPDATE_EXTERNAL_USER = updateStatement('external_user_update', ExternalUserEntity, UPDATED_NOW);

/** The row of a new user, without the times that the database sets. */
export type NewExternalUser = Omit<ExternalUserEntity, 'createdAt' | 'updatedAt'>;

/** The rows of users. */
@Injectable()
export class ExternalUsersRepository {
  constructor(private readonly statements: Statements) {}

  async page(
    organizationId: string,
    includesInactive: boolean,
    request: PageRequest,
  ): Promise<Page<ExternalUserEntity>> {
    return this.statements.page(EXTERNAL_USERS_PAGE, [organizationId, includesInactive], request);
  }

  async find(organizationId: string, externalUser: string): Promise<ExternalUserEntity | undefined> {
    return this.statements.first(EXTERNAL_USER_BY_NAME, [organizationId, externalUser]);
  }

  /** Locks a user against changes by others until the end of the transaction. */
  async lock(tx: Transaction, organizationId: string, externalUser: string): Promise<ExternalUserEntity | undefined> {
    return tx.first(LOCK_EXTERNAL_USER, [organizationId, externalUser]);
  }

  /** @returns the times of the row */
  async insert(
    user: NewExternalUser,
    actor: Actor,
    event: AuditedEvent,
  ): Promise<Pick<ExternalUserEntity, 'createdAt' | 'updatedAt'>> {
    const values = INSERT_EXTERNAL_USER.values(user, auditEventOf(user.organizationId, actor, event));
    return (await this.statements.first(INSERT_EXTERNAL_USER, values))!;
  }

  /** Writes a user. @param tx holds it @returns when it was changed */
  async update(tx: Transaction, user: ExternalUserEntity): Promise<Pick<ExternalUserEntity, 'updatedAt'>> {
    return (await tx.first(UPDATE_EXTERNAL_USER, UPDATE_EXTERNAL_USER.values(user)))!;
  }
}
