import { entityTagOf } from '../../http/entity-tags.js';
import { type AuditedEvent, created } from '../audit/audited-event.js';
import { toRateLimits } from '../rates/rate-limits.js';
import type { NewKeyRow } from './new-key.js';

/** The hash that the interface and the audit trail name a key by: SHA-256 in lowercase hex. */
export function keyHashOf({ hash }: Pick<NewKeyRow, 'hash'>): string {
  return hash.toString('hex');
}

/** The fields of a key that are recorded, under their names in the interface. */
export function auditedFieldsOf(key: NewKeyRow): Record<string, unknown> {
  return {
    name: key.name,
    label: key.label,
    disabled: key.disabled,
    creator_user_id: key.userId,
    workspace_id: key.workspaceId,
    connect_client_id: key.connectClientId,
    limit: key.limitUsd,
    limit_reset: key.limitReset,
    include_byok_in_limit: key.includeByokInLimit,
    rate_limits: toRateLimits(key),
    expires_at: key.expiresAt?.toISOString() ?? null,
    external_user: key.externalUser,
    scopes: key.scopes,
    allowed_addresses: key.allowedAddresses,
    labels: key.labels,
    bound_user: key.boundUser,
    // Not its hash: a reader of the trail could test guesses of a weak secret.
    has_external_api_key: key.externalApiKeyHash === null ? null : true,
  };
}

/**
 * The event of a new key.
 *
 * @param origin further fields about its origin
 */
export function creationOf(key: NewKeyRow, origin: Readonly<Record<string, unknown>> = {}): AuditedEvent {
  return { action: 'key.create', targetId: keyHashOf(key), changes: created({ ...auditedFieldsOf(key), ...origin }) };
}

/** The entity tag of a key, which a rotation changes too (docs/interface/conventions.md#conditional-requests). */
export function tagOfKey(key: NewKeyRow): string {
  return entityTagOf(keyHashOf(key), auditedFieldsOf(key));
}

/** What the audit trail shows of a secret. */
export function shownSecretOf({ hash, label }: { hash: Buffer; label: string }): Record<string, string> {
  return { hash: keyHashOf({ hash }), label };
}
