import { shownTimes } from '../../../persistence/rows/wire-fields.js';
import type { FederationIssuer } from '../dto/issuer.dto.js';
import type { FederationIssuerEntity } from '../entities/federation-issuer.entity.js';
import { ISSUERS } from './issuers.repository.js';

/** An issuer as the interface shows it. */
export function toIssuerResponse(issuer: FederationIssuerEntity): FederationIssuer {
  const { jwksType: type, jwksUrl: url, jwksKeys: keys } = issuer;
  return { ...ISSUERS.shown(issuer), jwks: { type, url, keys }, ...shownTimes(issuer) };
}
