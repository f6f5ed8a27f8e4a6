import { entityTagOf } from '../../../http/entity-tags.js';
import type { SignInConnection } from '../dto/sign-in-connection.dto.js';
import type { SignInConnectionEntity } from '../entities/sign-in-connection.entity.js';

/** An identity provider as the interface shows it: without its secret. */
export function toSignInConnectionResponse(connection: SignInConnectionEntity): SignInConnection {
  return {
    id: connection.id,
    ...toAuditedFields(connection),
    created_at: connection.createdAt.toISOString(),
    updated_at: connection.updatedAt?.toISOString() ?? null,
  };
}

/** What the audit trail records of an identity provider. */
export function toAuditedFields(
  connection: Omit<SignInConnectionEntity, 'createdAt' | 'updatedAt'>,
): Omit<SignInConnection, 'id' | 'created_at' | 'updated_at'> {
  return {
    name: connection.name,
    issuer: connection.issuer,
    client_id: connection.clientId,
    has_client_secret: connection.encryptedClientSecret !== null,
    scopes: connection.scopes,
    external_id_claim: connection.externalIdClaim,
    creates_members: connection.createsMembers,
    role_claim: connection.roleClaim,
    admin_values: connection.adminValues,
    group_claim: connection.groupClaim,
    step_up_without_auth_time: connection.stepUpWithoutAuthTime,
    enabled: connection.enabled,
  };
}

/** The entity tag of an identity provider (docs/interface/conventions.md#conditional-requests). */
export function tagOfSignInConnection(connection: SignInConnectionEntity): string {
  return entityTagOf(connection.id, toAuditedFields(connection));
}
