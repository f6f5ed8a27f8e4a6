import { entityTagOf } from '../../http/entity-tags.js';
import type { Alert } from './dto/alert.dto.js';
import type { ShownAlert } from './alerts.repository.js';

/** An alert as the interface shows it. */
export function toAlertResponse(alert: ShownAlert): Alert {
  return {
    id: alert.id,
    ...settingsOf(alert),
    recipients: alert.recipients.map(({ email, confirmedAt }) => ({
      email,
      confirmed_at: confirmedAt === null ? null : new Date(confirmedAt).toISOString(),
    })),
    created_at: alert.createdAt.toISOString(),
    updated_at: alert.updatedAt.toISOString(),
  };
}

/** The fields of an alert that the audit trail records, by their names in the interface. */
export function toAuditedFields(alert: ShownAlert): Readonly<Record<string, unknown>> {
  return { ...settingsOf(alert), emails: alert.recipients.map(({ email }) => email) };
}

/** What an alert is, but for its addresses. */
function settingsOf(alert: ShownAlert): Omit<Alert, 'id' | 'recipients' | 'created_at' | 'updated_at'> {
  return {
    name: alert.name,
    kind: alert.kind,
    workspace_id: alert.workspaceId,
    guardrail_id: alert.guardrailId,
    key_hash: alert.keyHash,
    thresholds: alert.thresholds,
    days_before: alert.daysBefore,
    enabled: alert.enabled,
    destination_id: alert.destinationId,
  };
}

/** The entity tag of an alert (docs/interface/conventions.md#conditional-requests). */
export function tagOfAlert(alert: ShownAlert): string {
  return entityTagOf(alert.id, toAuditedFields(alert));
}
