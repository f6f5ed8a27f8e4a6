import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../../persistence/entity-columns.js';
import { pageOfOrganization } from '../../../persistence/page-statement.js';
import { CREATED_AND_UPDATED_NOW } from '../../../persistence/row-times.js';
import { statement } from '../../../persistence/statement.js';
import { type StatementRunner, Statements } from '../../../persistence/statements.js';
import { AuditedRows } from '../../audit/audited-rows.js';
import { auditedStatement } from '../../audit/audit-trail.js';
import { PrivateProviderEntity } from '../../catalog/entities/private-provider.entity.js';
import { PrivateProviderNotFound } from '../private-models.errors.js';

/** A page of the providers that an organization has of its own, oldest first. */
export const PRIVATE_PROVIDERS_PAGE = pageOfOrganization<PrivateProviderEntity>({
  name: 'private_providers_page',
  entity: PrivateProviderEntity,
});

export const PRIVATE_PROVIDER_BY_SLUG = statement<PrivateProviderEntity, [organizationId: string, slug: string]>(
  'private_provider_by_slug',
  `SELECT ${columnsOf(PrivateProviderEntity, 'p')} FROM private_providers p WHERE p.organization_id = $1 AND p.slug = $2`,
);

/** Deletes a provider that neither endpoints nor provider keys name, and records it. */
export const DELETE_PRIVATE_PROVIDER = auditedStatement<never, [organizationId: string, slug: string]>(
  'private_provider_delete',
  `DELETE FROM private_providers p WHERE p.organization_id = $1 AND p.slug = $2
    AND NOT EXISTS (SELECT FROM private_endpoints e WHERE e.organization_id = $1 AND e.provider_id = p.id)
    AND NOT EXISTS (SELECT FROM provider_keys k WHERE k.organization_id = $1 AND k.provider = $2)`,
  2,
);

/** The providers that organizations have of their own, by their slugs. Who locks one locks where its endpoints are. */
export const PRIVATE_PROVIDERS = new AuditedRows({
  entity: PrivateProviderEntity,
  one: 'private_provider',
  notFound: PrivateProviderNotFound,
  quota: 'private_providers',
  fields: {
    slug: { fixed: true },
    name: { fixed: true },
    displayName: {},
    baseUrl: { initial: null },
    dataPolicy: { initial: null },
    datacenters: { initial: null },
    headquarters: { initial: null },
    privacyPolicyUrl: { initial: null },
  },
  created: CREATED_AND_UPDATED_NOW,
  create: 'private_provider_create',
  find: PRIVATE_PROVIDER_BY_SLUG,
  isKey: () => true,
  target: ({ slug }) => slug,
  lock: 'FOR UPDATE',
  delete: DELETE_PRIVATE_PROVIDER,
});

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

/** The rows of the providers that organizations have of their own. */
@Injectable()
export class PrivateProvidersRepository {
  constructor(private readonly statements: Statements) {}

  /** @param runner the transaction that holds the provider, if there is one */
  async useOf(organizationId: string, slug: string, runner: StatementRunner = this.statements): Promise<ProviderUse> {
    return (await runner.first(PRIVATE_PROVIDER_USE, [organizationId, slug]))!;
  }
}
