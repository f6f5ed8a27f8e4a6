import { entityTagOf } from '../../../http/entity-tags.js';
import type { FederationIssuer } from '../dto/issuer.dto.js';
import type { FederationIssuerEntity } from '../entities/federation-issuer.entity.js';

/** An issuer as the interface shows it. */
export function toIssuerResponse(issuer: FederationIssuerEntity): FederationIssuer {
  return {
    id: issuer.id,
    ...toAuditedIssuer(issuer),
    created_at: issuer.createdAt.toISOString(),
    updated_at: issuer.updatedAt.toISOString(),
  };
}

/** The fields of an issuer that the audit trail records, by their names in the interface. */
export function toAuditedIssuer(
  issuer: Pick<FederationIssuerEntity, 'name' | 'issuer' | 'jwksType' | 'jwksUrl' | 'jwksKeys'>,
): Pick<FederationIssuer, 'name' | 'issuer' | 'jwks'> {
  const { name, jwksType: type, jwksUrl: url, jwksKeys: keys } = issuer;
  return { name, issuer: issuer.issuer, jwks: { type, url, keys } };
}

/** The entity tag of an issuer (docs/interface/conventions.md#conditional-requests). */
export function tagOfIssuer(issuer: FederationIssuerEntity): string {
  return entityTagOf(issuer.id, toAuditedIssuer(issuer));
}
