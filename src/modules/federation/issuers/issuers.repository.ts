import { Injectable } from '@nestjs/common';
import { type Page, pageOfOrganization, type PageRequest } from '../../../persistence/page-statement.js';
import { quotaStatement } from '../../../persistence/quota-statement.js';
import { locking, rowById } from '../../../persistence/row-statements.js';
import { CREATED_AND_UPDATED_NOW, UPDATED_NOW } from '../../../persistence/row-times.js';
import { type StatementRunner, Statements, type Transaction } from '../../../persistence/statements.js';
import { updateStatement } from '../../../persistence/update-statement.js';
import { type Actor, type AuditedEvent, auditedInsert, auditedStatement, auditEventOf } from '../../audit/index.js';
import { FederationIssuerEntity } from '../entities/federation-issuer.entity.js';

/** How many issuers an organization has, against its quota. */
export const ISSUERS_QUOTA = quotaStatement('federation_issuers_quota', 'federation_issuers', 'federation_issuers');

/** A page of the issuers of an organization, oldest first. */
export const ISSUERS_PAGE = pageOfOrganization<FederationIssuerEntity>({
  name: 'federation_issuers_page',
  entity: FederationIssuerEntity,
});

/** An issuer of an organization. */
export const ISSUER_BY_ID = rowById('federation_issuer_by_id', FederationIssuerEntity);

/** The same, for a transaction that changes it. */
export const LOCK_ISSUER = locking('federation_issuer_lock', ISSUER_BY_ID, 'FOR UPDATE');

/** Inserts an issuer and records it. */
export const INSERT_ISSUER = auditedInsert('federation_issuer_create', FederationIssuerEntity, CREATED_AND_UPDATED_NOW);

export const UPDATE_ISSUER = updateStatement('federation_issuer_update', FederationIssuerEntity, UPDATED_NOW);

/** Deletes an issuer that no policy names, and records it. */
export const DELETE_ISSUER = auditedStatement<never, [organizationId: string, id: string]>(
  'federation_issuer_delete',
  `DELETE FROM federation_issuers i WHERE i.organization_id = $1 AND i.id = $2
    AND NOT EXISTS (SELECT FROM federation_policies p WHERE p.organization_id = $1 AND p.issuer_id = $2)`,
  2,
);

/** The row of a new issuer, without the times that the database sets. */
export type NewIssuer = Omit<FederationIssuerEntity, 'createdAt' | 'updatedAt'>;

/** The rows of issuers. */
@Injectable()
export class IssuersRepository {
  constructor(private readonly statements: Statements) {}

  /** @param id in UUID form */
  async find(
    organizationId: string,
    id: string,
    runner: StatementRunner = this.statements,
  ): Promise<FederationIssuerEntity | undefined> {
    return runner.first(ISSUER_BY_ID, [organizationId, id]);
  }

  /** Locks an issuer against changes by others until the end of the transaction. */
  async lock(tx: Transaction, organizationId: string, id: string): Promise<FederationIssuerEntity | undefined> {
    return tx.first(LOCK_ISSUER, [organizationId, id]);
  }

  async page(organizationId: string, request: PageRequest): Promise<Page<FederationIssuerEntity>> {
    return this.statements.page(ISSUERS_PAGE, [organizationId], request);
  }

  /** @returns the times of the row */
  async insert(
    issuer: NewIssuer,
    actor: Actor,
    event: AuditedEvent,
  ): Promise<Pick<FederationIssuerEntity, 'createdAt' | 'updatedAt'>> {
    const values = INSERT_ISSUER.values(issuer, auditEventOf(issuer.organizationId, actor, event));
    return (await this.statements.first(INSERT_ISSUER, values))!;
  }

  /** Writes an issuer. @param tx holds it @returns when it was changed */
  async update(tx: Transaction, issuer: FederationIssuerEntity): Promise<Pick<FederationIssuerEntity, 'updatedAt'>> {
    return (await tx.first(UPDATE_ISSUER, UPDATE_ISSUER.values(issuer)))!;
  }

  /** @param tx holds it, so that all policies that name it are seen @returns whether it had none, and is deleted */
  async delete(
    tx: Transaction,
    organizationId: string,
    id: string,
    actor: Actor,
    event: AuditedEvent,
  ): Promise<boolean> {
    const values = DELETE_ISSUER.values([organizationId, id], auditEventOf(organizationId, actor, event));
    return (await tx.write(DELETE_ISSUER, values)) > 0;
  }
}
