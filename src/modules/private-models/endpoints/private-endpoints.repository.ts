import { Injectable } from '@nestjs/common';
import { insertStatement } from '../../../persistence/insert-statement.js';
import { type Page, pageOfOrganization, type PageRequest } from '../../../persistence/page-statement.js';
import { quotaStatement } from '../../../persistence/quota-statement.js';
import { lockById } from '../../../persistence/row-statements.js';
import { CREATED_AND_UPDATED_NOW, UPDATED_NOW } from '../../../persistence/row-times.js';
import { statement } from '../../../persistence/statement.js';
import { type StatementRunner, Statements, type Transaction } from '../../../persistence/statements.js';
import { updateStatement } from '../../../persistence/update-statement.js';
import { type Actor, type AuditedEvent, auditedStatement, auditEventOf } from '../../audit/index.js';
import { PRIVATE_ENDPOINT_COLUMNS, PrivateEndpointEntity, type PrivateEndpointRow } from '../../catalog/index.js';

/** How many endpoints an organization has of its own, against its quota. */
export const PRIVATE_ENDPOINTS_QUOTA = quotaStatement(
  'private_endpoints_quota',
  'private_endpoints',
  'private_endpoints',
);

/** A page of the endpoints that an organization has of its own, oldest first. */
export const PRIVATE_ENDPOINTS_PAGE = pageOfOrganization<PrivateEndpointRow>({
  name: 'private_endpoints_page',
  entity: PrivateEndpointEntity,
  beside: `SELECT p.slug AS "providerSlug", p.name AS "providerName", p.base_url AS "providerBaseUrl"
    FROM private_providers p WHERE p.organization_id = $1 AND p.id = page."providerId"`,
});

export const PRIVATE_ENDPOINT_BY_ID = statement<PrivateEndpointRow, [organizationId: string, id: string]>(
  'private_endpoint_by_id',
  `SELECT ${PRIVATE_ENDPOINT_COLUMNS} FROM private_endpoints e
    JOIN private_providers p ON p.organization_id = $1 AND p.id = e.provider_id
    WHERE e.organization_id = $1 AND e.id = $2`,
);

export const LOCK_PRIVATE_ENDPOINT = lockById('private_endpoint_lock', PrivateEndpointEntity, 'FOR UPDATE');

export const INSERT_PRIVATE_ENDPOINT = insertStatement(
  'private_endpoint_insert',
  PrivateEndpointEntity,
  CREATED_AND_UPDATED_NOW,
);

export const UPDATE_PRIVATE_ENDPOINT = updateStatement('private_endpoint_update', PrivateEndpointEntity, UPDATED_NOW);

/** Deletes an endpoint and records it. */
export const DELETE_PRIVATE_ENDPOINT = auditedStatement<never, [organizationId: string, id: string]>(
  'private_endpoint_delete',
  'DELETE FROM private_endpoints WHERE organization_id = $1 AND id = $2',
  2,
);

type Times = Pick<PrivateEndpointEntity, 'createdAt' | 'updatedAt'>;

/** The rows of the endpoints that organizations have of their own. */
@Injectable()
export class PrivateEndpointsRepository {
  constructor(private readonly statements: Statements) {}

  /** @param id in UUID form @param runner the transaction that it is read in, if there is one */
  async find(
    organizationId: string,
    id: string,
    runner: StatementRunner = this.statements,
  ): Promise<PrivateEndpointRow | undefined> {
    return runner.first(PRIVATE_ENDPOINT_BY_ID, [organizationId, id]);
  }

  /** Locks an endpoint until the end of the transaction. */
  async lock(tx: Transaction, organizationId: string, id: string): Promise<PrivateEndpointRow | undefined> {
    const locked = await tx.first(LOCK_PRIVATE_ENDPOINT, [organizationId, id]);
    return locked === undefined ? undefined : this.find(organizationId, id, tx);
  }

  async page(organizationId: string, request: PageRequest): Promise<Page<PrivateEndpointRow>> {
    return this.statements.page(PRIVATE_ENDPOINTS_PAGE, [organizationId], request);
  }

  /** @param tx holds the provider @returns the times of the row */
  async insert(tx: Transaction, endpoint: Omit<PrivateEndpointEntity, keyof Times>): Promise<Times> {
    return (await tx.first(INSERT_PRIVATE_ENDPOINT, INSERT_PRIVATE_ENDPOINT.values(endpoint)))!;
  }

  /** @param tx holds it @returns when it was changed */
  async update(tx: Transaction, endpoint: PrivateEndpointRow): Promise<Pick<PrivateEndpointEntity, 'updatedAt'>> {
    return (await tx.first(UPDATE_PRIVATE_ENDPOINT, UPDATE_PRIVATE_ENDPOINT.values(endpoint)))!;
  }

  /** @param runner the transaction that holds it, if there is one @returns whether there was such an endpoint */
  async delete(
    organizationId: string,
    id: string,
    actor: Actor,
    event: AuditedEvent,
    runner: StatementRunner = this.statements,
  ): Promise<boolean> {
    const values = DELETE_PRIVATE_ENDPOINT.values([organizationId, id], auditEventOf(organizationId, actor, event));
    return (await runner.write(DELETE_PRIVATE_ENDPOINT, values)) > 0;
  }
}
