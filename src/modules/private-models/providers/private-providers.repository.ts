import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../../persistence/entity-columns.js';
import { type Page, pageOfOrganization, type PageRequest } from '../../../persistence/page-statement.js';
import { quotaStatement } from '../../../persistence/quota-statement.js';
import { locking } from '../../../persistence/row-statements.js';
import { CREATED_AND_UPDATED_NOW, UPDATED_NOW } from '../../../persistence/row-times.js';
import { statement } from '../../../persistence/statement.js';
import { type StatementRunner, Statements, type Transaction } from '../../../persistence/statements.js';
import { updateStatement } from '../../../persistence/update-statement.js';
import { type Actor, type AuditedEvent, auditedInsert, auditedStatement, auditEventOf } from '../../audit/index.js';
import { PrivateProviderEntity } from '../../catalog/index.js';

/** How many providers an organization has of its own, against its quota. */
export const PRIVATE_PROVIDERS_QUOTA = quotaStatement(
  'private_providers_quota',
  'private_providers',
  'private_providers',
);

/** A page of the providers that an organization has of its own, oldest first. */
export const PRIVATE_PROVIDERS_PAGE = pageOfOrganization<PrivateProviderEntity>({
  name: 'private_providers_page',
  entity: PrivateProviderEntity,
});

export const PRIVATE_PROVIDER_BY_SLUG = statement<PrivateProviderEntity, [organizationId: string, slug: string]>(
  'private_provider_by_slug',
  `SELECT ${columnsOf(PrivateProviderEntity, 'p')} FROM private_providers p WHERE p.organization_id = $1 AND p.slug = $2`,
);

/** A private provider, locked for a transaction that changes it or where its endpoints are. */
export const LOCK_PRIVATE_PROVIDER = locking('private_provider_lock', PRIVATE_PROVIDER_BY_SLUG, 'FOR UPDATE');

/** Inserts a provider and records it. */
export const INSERT_PRIVATE_PROVIDER = auditedInsert(
  'private_provider_create',
  PrivateProviderEntity,
  CREATED_AND_UPDATED_NOW,
);

export const UPDATE_PRIVATE_PROVIDER = updateStatement('private_provider_update', PrivateProviderEntity, UPDATED_NOW);

/** Deletes a provider that neither endpoints nor provider keys name, and records it. */
export const DELETE_PRIVATE_PROVIDER = auditedStatement<never, [organizationId: string, id: string, slug: string]>(
  'private_provider_delete',
  `DELETE FROM private_providers p WHERE p.organization_id = $1 AND p.id = $2
    AND NOT EXISTS (SELECT FROM private_endpoints e WHERE e.organization_id = $1 AND e.provider_id = $2)
    AND NOT EXISTS (SELECT FROM provider_keys k WHERE k.organization_id = $1 AND k.provider = $3)`,
  3,
);

/** Where the endpoints of a provider are. */
export interface ProviderUse {
  /** Whether there is a provider key for it, in whichever workspace. */
  readonly hasKeys: boolean;
  /** The addresses that its endpoints have of their own. */
  readonly addresses: readonly string[];
  /** Whether an active endpoint has the address of the provider. */
  readonly isActive: boolean;
}

export const PRIVATE_PROVIDER_USE = statement<ProviderUse, [organizationId: string, slug: string]>(
  'private_provider_use',
  `SELECT EXISTS (SELECT FROM provider_keys k WHERE k.organization_id = $1 AND k.provider = $2) AS "hasKeys",
      ARRAY(
        SELECT DISTINCT e.base_url FROM private_endpoints e
        JOIN private_providers p ON p.organization_id = $1 AND p.id = e.provider_id
        WHERE e.organization_id = $1 AND p.slug = $2 AND e.base_url IS NOT NULL
      ) AS addresses,
      EXISTS (
        SELECT FROM private_endpoints e JOIN private_providers p ON p.organization_id = $1 AND p.id = e.provider_id
        WHERE e.organization_id = $1 AND p.slug = $2 AND e.base_url IS NULL AND e.status = 'active'
      ) AS "isActive"`,
);

type NewProvider = Omit<PrivateProviderEntity, 'createdAt' | 'updatedAt'>;

/** The rows of the providers that organizations have of their own. */
@Injectable()
export class PrivateProvidersRepository {
  constructor(private readonly statements: Statements) {}

  async find(organizationId: string, slug: string): Promise<PrivateProviderEntity | undefined> {
    return this.statements.first(PRIVATE_PROVIDER_BY_SLUG, [organizationId, slug]);
  }

  /** Locks a provider, and with it where its endpoints are, until the end of the transaction. */
  async lock(tx: Transaction, organizationId: string, slug: string): Promise<PrivateProviderEntity | undefined> {
    return tx.first(LOCK_PRIVATE_PROVIDER, [organizationId, slug]);
  }

  async page(organizationId: string, request: PageRequest): Promise<Page<PrivateProviderEntity>> {
    return this.statements.page(PRIVATE_PROVIDERS_PAGE, [organizationId], request);
  }

  /** @param runner the transaction that holds the provider, if there is one */
  async useOf(organizationId: string, slug: string, runner: StatementRunner = this.statements): Promise<ProviderUse> {
    return (await runner.first(PRIVATE_PROVIDER_USE, [organizationId, slug]))!;
  }

  /** @returns the times of the row */
  async insert(
    provider: NewProvider,
    actor: Actor,
    event: AuditedEvent,
  ): Promise<Pick<PrivateProviderEntity, 'createdAt' | 'updatedAt'>> {
    const values = INSERT_PRIVATE_PROVIDER.values(provider, auditEventOf(provider.organizationId, actor, event));
    return (await this.statements.first(INSERT_PRIVATE_PROVIDER, values))!;
  }

  /** @param tx holds it @returns when it was changed */
  async update(tx: Transaction, provider: PrivateProviderEntity): Promise<Pick<PrivateProviderEntity, 'updatedAt'>> {
    return (await tx.first(UPDATE_PRIVATE_PROVIDER, UPDATE_PRIVATE_PROVIDER.values(provider)))!;
  }

  /** @param tx holds it @returns whether nothing named it, so that it is deleted */
  async delete(
    tx: Transaction,
    { organizationId, id, slug }: PrivateProviderEntity,
    actor: Actor,
    event: AuditedEvent,
  ): Promise<boolean> {
    const values = DELETE_PRIVATE_PROVIDER.values(
      [organizationId, id, slug],
      auditEventOf(organizationId, actor, event),
    );
    return (await tx.write(DELETE_PRIVATE_PROVIDER, values)) > 0;
  }
}
