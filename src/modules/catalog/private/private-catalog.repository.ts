import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../../persistence/entity-columns.js';
import { statement } from '../../../persistence/statement.js';
import { Statements } from '../../../persistence/statements.js';
import { PrivateEndpointEntity } from '../entities/private-endpoint.entity.js';
import type { PrivateProviderEntity } from '../entities/private-provider.entity.js';

/**
 * An SQL expression for the version of the active endpoints that the organization $1 has of its own; null without any. As with guardrails,
 * the version of a row is the transaction that wrote it, so that no request goes to an endpoint that was changed before the request came.
 */
export const PRIVATE_CATALOG_VERSION = `(
        SELECT md5(string_agg(e.id || ' ' || e.xmin || ' ' || p.xmin, ',' ORDER BY e.id)) FROM private_endpoints e
        JOIN private_providers p ON p.organization_id = $1 AND p.id = e.provider_id
        WHERE e.organization_id = $1 AND e.status = 'active'
      )`;

/** An endpoint beside the facts of its provider. */
export type PrivateEndpointRow = PrivateEndpointEntity & {
  readonly providerSlug: PrivateProviderEntity['slug'];
  readonly providerName: PrivateProviderEntity['name'];
  readonly providerBaseUrl: PrivateProviderEntity['baseUrl'];
};

/** An endpoint that is not stored yet. */
export type PlannedPrivateEndpoint = Omit<PrivateEndpointRow, 'createdAt' | 'updatedAt'>;

/** The columns of {@link PrivateEndpointRow}, from endpoints `e` and providers `p`. */
export const PRIVATE_ENDPOINT_COLUMNS = `${columnsOf(PrivateEndpointEntity, 'e')}, p.slug AS "providerSlug",
    p.name AS "providerName", p.base_url AS "providerBaseUrl"`;

/** The active endpoints of an organization, oldest first, with the version that they have together. */
export const ACTIVE_PRIVATE_ENDPOINTS = statement<
  PrivateEndpointRow & { readonly version: string },
  [organizationId: string]
>(
  'private_endpoints_active',
  `SELECT ${PRIVATE_ENDPOINT_COLUMNS}, ${PRIVATE_CATALOG_VERSION} AS "version"
    FROM private_endpoints e JOIN private_providers p ON p.organization_id = $1 AND p.id = e.provider_id
    WHERE e.organization_id = $1 AND e.status = 'active' ORDER BY e.created_at, e.id`,
);

/** Reads the endpoints that organizations have of their own. */
@Injectable()
export class PrivateCatalogRepository {
  constructor(private readonly statements: Statements) {}

  /** The active endpoints of an organization, oldest first. */
  async active(organizationId: string): Promise<(PrivateEndpointRow & { readonly version: string })[]> {
    return this.statements.rows(ACTIVE_PRIVATE_ENDPOINTS, [organizationId]);
  }
}
