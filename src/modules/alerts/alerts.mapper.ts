import { shownTimes } from '../../persistence/rows/wire-fields.js';
import { ALERTS, type ShownAlert } from './alerts.repository.js';
import type { Alert } from './dto/alert.dto.js';

/** An alert as the interface shows it. */
export function toAlertResponse(alert: ShownAlert): Alert {
  const { limit_id: limitId, ...shown } = ALERTS.shown(alert);
  return {
    ...shown,
    ...(limitId !== null && { limit_id: limitId }),
    recipients: alert.recipients.map(({ email, confirmedAt }) => ({
      email,
      confirmed_at: confirmedAt === null ? null : new Date(confirmedAt).toISOString(),
    })),
    ...shownTimes(alert),
  };
}
