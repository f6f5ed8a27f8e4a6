import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BelongsTo, BelongsToOrganization } from '../../../persistence/belongs-to.js';
import { Distributed } from '../../../persistence/distribution.js';
import { OneOf } from '../../../persistence/one-of.js';
import { OrganizationRow } from '../../../persistence/organization-row.js';
import { ALERT_KINDS, type AlertKind } from '../alert-kinds.js';

/** What an organization wants to be told of, and where (docs/interface/alerts.md). */
@Entity({ name: 'alerts' })
@Distributed('organization')
@Index('ix_alerts_page', ['organizationId', 'createdAt', 'id'])
@Index('ix_alerts_workspace', ['organizationId', 'workspaceId'])
@Index('ix_alerts_guardrail', ['organizationId', 'guardrailId'])
@Index('ix_alerts_key', ['organizationId', 'keyId'])
@Index('ix_alerts_limit', ['organizationId', 'limitId'])
@Index('ix_alerts_destination', ['organizationId', 'destinationId'])
@OneOf('ck_alerts_kind', 'kind', ALERT_KINDS)
@Check('ck_alerts_scope', 'num_nonnulls(workspace_id, guardrail_id, key_id, limit_id) <= 1')
@Check('ck_alerts_thresholds', `(kind = 'budget') = (thresholds IS NOT NULL)`)
@Check('ck_alerts_days_before', `(kind = 'key_expiry') = (days_before IS NOT NULL)`)
@BelongsToOrganization('fk_alerts_organization')
@BelongsTo('fk_alerts_workspace', 'WorkspaceEntity', 'workspaceId')
@BelongsTo('fk_alerts_guardrail', 'GuardrailEntity', 'guardrailId')
@BelongsTo('fk_alerts_key', 'ApiKeyEntity', 'keyId')
@BelongsTo('fk_alerts_limit', 'LimitEntity', 'limitId')
export class AlertEntity extends OrganizationRow {
  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text' })
  kind: AlertKind;

  /** The scope: one of these four; all null for everything of the kind in the organization. */
  @Column({ type: 'uuid', nullable: true })
  workspaceId: string | null;

  @Column({ type: 'uuid', nullable: true })
  guardrailId: string | null;

  @Column({ type: 'uuid', nullable: true })
  keyId: string | null;

  /** A limit by condition and group. */
  @Column({ type: 'uuid', nullable: true })
  limitId: string | null;

  /** Shares of the limit, ascending; for budgets only. */
  @Column({ type: 'double precision', array: true, nullable: true })
  thresholds: number[] | null;

  /** Days before the expiry, descending; for keys that expire only. */
  @Column({ type: 'integer', array: true, nullable: true })
  daysBefore: number[] | null;

  @Column({ type: 'boolean' })
  enabled: boolean;

  /** A webhook; a trigger sets it to null when the destination is deleted. */
  @Column({ type: 'uuid', nullable: true })
  destinationId: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}

/** An address that an alert is sent to by e-mail, once it has confirmed. */
@Entity({ name: 'alert_recipients' })
@Distributed('organization')
@Index('ix_alert_recipients_token', ['organizationId', 'tokenHash'])
@Index('ix_alert_recipients_due', ['organizationId', 'confirmationDueAt'], { where: 'confirmation_due_at IS NOT NULL' })
@BelongsTo('fk_alert_recipients_alert', 'AlertEntity', 'alertId')
export class AlertRecipientEntity {
  @PrimaryColumn({ type: 'text' })
  organizationId: string;

  @PrimaryColumn({ type: 'uuid' })
  alertId: string;

  /** In lower case. */
  @PrimaryColumn({ type: 'text' })
  email: string;

  /** SHA-256 of the token in the confirmation link; null before one was sent, and after it was used. */
  @Column({ type: 'bytea', nullable: true })
  tokenHash: Buffer | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  tokenExpiresAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  confirmedAt: Date | null;

  /** When the confirmation link is to be sent; while it is being sent, when the lease on it ends. Null when there is nothing to send. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  confirmationDueAt: Date | null;

  /** How often it was tried to send the link. */
  @Column({ type: 'integer', default: 0 })
  tries: number;
}

/** A confirmation mail that was asked for, kept for a day, so that no one can be flooded with them. */
@Entity({ name: 'alert_confirmation_mails' })
@Distributed('organization')
@Index('ix_alert_confirmation_mails_requested', ['organizationId', 'requestedAt'])
@BelongsToOrganization('fk_alert_confirmation_mails_org')
export class AlertConfirmationMailEntity extends OrganizationRow {
  @Column({ type: 'text' })
  email: string;

  @Column({ type: 'timestamptz', precision: 3 })
  requestedAt: Date;
}
