import { pageOfOrganization } from '../../../persistence/page-statement.js';
import { lockById } from '../../../persistence/row-statements.js';
import { CREATED_AND_UPDATED_NOW } from '../../../persistence/row-times.js';
import { statement } from '../../../persistence/statement.js';
import { AuditedRows } from '../../audit/audited-rows.js';
import { PRIVATE_ENDPOINT_COLUMNS, type PrivateEndpointRow } from '../../catalog/private/private-catalog.repository.js';
import { PrivateEndpointEntity } from '../../catalog/entities/private-endpoint.entity.js';
import { PrivateEndpointNotFound } from '../private-models.errors.js';

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

/** The endpoints that organizations have of their own. */
export const PRIVATE_ENDPOINTS = new AuditedRows({
  entity: PrivateEndpointEntity,
  one: 'private_endpoint',
  notFound: PrivateEndpointNotFound,
  quota: 'private_endpoints',
  fields: {
    status: { fixed: true },
    modelPermaslug: { fixed: true },
    providerSlug: { fixed: true },
    baseUrl: { initial: null },
    upstreamModelId: {},
    declaredZdr: { initial: null },
    declaredRegion: { initial: null },
    pricing: { initial: null },
  },
  created: CREATED_AND_UPDATED_NOW,
  find: PRIVATE_ENDPOINT_BY_ID,
  lock: lockById('private_endpoint_lock', PrivateEndpointEntity, 'FOR UPDATE'),
});
