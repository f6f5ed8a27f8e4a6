import { pageOfOrganization } from '../../../persistence/page-statement.js';
import { CREATED_AND_UPDATED_NOW } from '../../../persistence/row-times.js';
import { AuditedRows } from '../../audit/audited-rows.js';
import { auditedStatement } from '../../audit/audit-trail.js';
import { FederationIssuerEntity } from '../entities/federation-issuer.entity.js';
import { FederationIssuerNotFound } from '../federation.errors.js';

/** A page of the issuers of an organization, oldest first. */
export const ISSUERS_PAGE = pageOfOrganization<FederationIssuerEntity>({
  name: 'federation_issuers_page',
  entity: FederationIssuerEntity,
});

/** Deletes an issuer that no policy names, and records it. It has to be locked, so that all policies that name it are seen. */
export const DELETE_ISSUER = auditedStatement<never, [organizationId: string, id: string]>(
  'federation_issuer_delete',
  `DELETE FROM federation_issuers i WHERE i.organization_id = $1 AND i.id = $2
    AND NOT EXISTS (SELECT FROM federation_policies p WHERE p.organization_id = $1 AND p.issuer_id = $2)`,
  2,
);

/** The issuers of organizations. */
export const ISSUERS = new AuditedRows({
  entity: FederationIssuerEntity,
  one: 'federation_issuer',
  notFound: FederationIssuerNotFound,
  quota: 'federation_issuers',
  fields: { name: {}, issuer: { fixed: true } },
  recorded: ({ jwksType: type, jwksUrl: url, jwksKeys: keys }) => ({ jwks: { type, url, keys } }),
  created: CREATED_AND_UPDATED_NOW,
  create: 'federation_issuer_create',
  lock: 'FOR UPDATE',
  delete: DELETE_ISSUER,
});
