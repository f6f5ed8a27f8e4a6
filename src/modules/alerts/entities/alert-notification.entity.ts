import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { BelongsTo } from '../../../persistence/belongs-to.js';
import { Distributed } from '../../../persistence/distribution.js';

/** What an alert has notified, or has passed over because it notified something higher. Its key makes it happen once. */
@Entity({ name: 'alert_notifications' })
@Distributed('organization')
@BelongsTo('fk_alert_notifications_alert', 'AlertEntity', 'alertId')
export class AlertNotificationEntity {
  @PrimaryColumn({ type: 'text' })
  organizationId: string;

  @PrimaryColumn({ type: 'uuid' })
  alertId: string;

  /** Whose limit, expiry or pause it is, such as `workspace/<id>/monthly`, or `limit/<id>/<combination>`. */
  @PrimaryColumn({ type: 'text' })
  subject: string;

  /** The first moment of the window of a limit; when a key expires; what the pause of a destination began after. */
  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  windowStart: Date;

  /** The share of a limit, or the days before an expiry; 0 for a pause. */
  @PrimaryColumn({ type: 'double precision' })
  threshold: number;

  /** What receivers are told (`data` of docs/interface/alerts.md#webhook); null for a threshold that was passed over. */
  @Column({ type: 'jsonb', nullable: true })
  data: object | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}

/** The sending of a notification to one receiver. */
@Entity({ name: 'alert_deliveries' })
@Distributed('organization')
@Index('ix_alert_deliveries_due', ['organizationId', 'nextAt'], { where: 'next_at IS NOT NULL' })
@Check('ck_alert_deliveries_state', `state IN ('pending', 'sent', 'failed')`)
@Check('ck_alert_deliveries_next', `(state = 'pending') = (next_at IS NOT NULL)`)
@ForeignKey(
  'AlertNotificationEntity',
  ['organizationId', 'alertId', 'subject', 'windowStart', 'threshold'],
  ['organizationId', 'alertId', 'subject', 'windowStart', 'threshold'],
  { name: 'fk_alert_deliveries_notification', onDelete: 'CASCADE' },
)
export class AlertDeliveryEntity {
  @PrimaryColumn({ type: 'text' })
  organizationId: string;

  @PrimaryColumn({ type: 'uuid' })
  alertId: string;

  @PrimaryColumn({ type: 'text' })
  subject: string;

  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  windowStart: Date;

  @PrimaryColumn({ type: 'double precision' })
  threshold: number;

  /** `webhook` for the destination of the alert, else an e-mail address. */
  @PrimaryColumn({ type: 'text' })
  receiver: string;

  @Column({ type: 'text', default: 'pending' })
  state: 'pending' | 'sent' | 'failed';

  /** How often it was tried. */
  @Column({ type: 'integer', default: 0 })
  tries: number;

  /** Not tried before; while a process tries, when its lease ends. Null when it is done. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  nextAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
