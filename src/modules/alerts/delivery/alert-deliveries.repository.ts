import { Injectable } from '@nestjs/common';
import { statement } from '../../../persistence/statement.js';
import { Statements } from '../../../persistence/statements.js';
import type { AlertKind } from '../alert-kinds.js';

/** How long a process may take to send before another one tries, in seconds. */
const LEASE_S = 180;

/** Organizations for which something is due. */
export const ORGANIZATIONS_WITH_DUE = statement<{ organizationId: string }, [most: number]>(
  'alerts_organizations_due',
  `SELECT organization_id AS "organizationId" FROM alert_deliveries WHERE next_at <= now()
    UNION SELECT organization_id FROM alert_recipients WHERE confirmation_due_at <= now() LIMIT $1`,
);

/** The key of a delivery. */
export interface DeliveryKey {
  readonly alertId: string;
  readonly subject: string;
  readonly windowStart: Date;
  readonly threshold: number;
  readonly receiver: string;
}

/** A delivery that this process sends, until its lease ends. */
export interface ClaimedDelivery extends DeliveryKey {
  /** This try included. */
  readonly tries: number;
  readonly createdAt: Date;
}

/** Takes deliveries that are due, and sets when another process may take them. */
export const CLAIM_DELIVERIES = statement<ClaimedDelivery, [organizationId: string, most: number]>(
  'alert_deliveries_claim',
  `UPDATE alert_deliveries d SET tries = d.tries + 1, next_at = statement_timestamp() + interval '${LEASE_S} seconds'
    FROM (
      SELECT alert_id, subject, window_start, threshold, receiver FROM alert_deliveries
      WHERE organization_id = $1 AND next_at <= now() ORDER BY next_at LIMIT $2 FOR UPDATE SKIP LOCKED) AS due
    WHERE d.organization_id = $1 AND d.alert_id = due.alert_id AND d.subject = due.subject AND d.window_start = due.window_start
      AND d.threshold = due.threshold AND d.receiver = due.receiver
    RETURNING d.alert_id AS "alertId", d.subject, d.window_start AS "windowStart", d.threshold, d.receiver, d.tries,
      d.created_at AS "createdAt"`,
);

/** What is sent of a notification, as its alert is now. */
export interface OutgoingNotification {
  readonly name: string;
  readonly kind: AlertKind;
  readonly destinationId: string | null;
  /** Whether the address still is one of the alert that has confirmed. */
  readonly isConfirmed: boolean;
  readonly data: object;
}

type KeyValues = [
  organizationId: string,
  alertId: string,
  subject: string,
  windowStart: Date,
  threshold: number,
  receiver: string,
];

export const OUTGOING_NOTIFICATION = statement<OutgoingNotification, KeyValues>(
  'alert_notification_outgoing',
  `SELECT a.name, a.kind, a.destination_id AS "destinationId", n.data, EXISTS (
      SELECT FROM alert_recipients r
      WHERE r.organization_id = $1 AND r.alert_id = $2 AND r.email = $6 AND r.confirmed_at IS NOT NULL) AS "isConfirmed"
    FROM alerts a JOIN alert_notifications n ON n.organization_id = $1 AND n.alert_id = a.id AND n.subject = $3
      AND n.window_start = $4 AND n.threshold = $5
    WHERE a.organization_id = $1 AND a.id = $2`,
);

const OF_THIS_TRY = `organization_id = $1 AND alert_id = $2 AND subject = $3 AND window_start = $4 AND threshold = $5 AND receiver = $6
      AND tries = $7 AND state = 'pending'`;

/** Ends a delivery, unless another process has taken it since. */
export const END_DELIVERY = statement<never, [...KeyValues, tries: number, state: 'sent' | 'failed']>(
  'alert_delivery_end',
  `UPDATE alert_deliveries SET state = $8, next_at = NULL WHERE ${OF_THIS_TRY}`,
);

/** Puts a delivery off, unless another process has taken it since. */
export const POSTPONE_DELIVERY = statement<never, [...KeyValues, tries: number, seconds: number]>(
  'alert_delivery_postpone',
  `UPDATE alert_deliveries SET next_at = statement_timestamp() + $8 * interval '1 second' WHERE ${OF_THIS_TRY}`,
);

/** An address that this process sends a link, until its lease ends. */
export interface ClaimedConfirmation {
  readonly alertId: string;
  readonly email: string;
  readonly tries: number;
  readonly organizationName: string;
}

/** Takes addresses that a link is due for, and sets when another process may take them. */
export const CLAIM_CONFIRMATIONS = statement<ClaimedConfirmation, [organizationId: string, most: number]>(
  'alert_confirmations_claim',
  `WITH claimed AS (
      UPDATE alert_recipients r
      SET tries = r.tries + 1, confirmation_due_at = statement_timestamp() + interval '${LEASE_S} seconds'
      FROM (
        SELECT alert_id, email FROM alert_recipients WHERE organization_id = $1 AND confirmation_due_at <= now()
        ORDER BY confirmation_due_at LIMIT $2 FOR UPDATE SKIP LOCKED) AS due
      WHERE r.organization_id = $1 AND r.alert_id = due.alert_id AND r.email = due.email
      RETURNING r.alert_id, r.email, r.tries)
    SELECT claimed.alert_id AS "alertId", claimed.email, claimed.tries, o.name AS "organizationName"
    FROM claimed JOIN organizations o ON o.id = $1`,
);

type ConfirmationValues = [organizationId: string, alertId: string, email: string, tries: number];

/** Stores the digest of the token that is about to be sent. */
export const STORE_TOKEN = statement<never, [...ConfirmationValues, tokenHash: Buffer, validS: number]>(
  'alert_recipient_store_token',
  `UPDATE alert_recipients SET token_hash = $5, token_expires_at = statement_timestamp() + $6 * interval '1 second'
    WHERE organization_id = $1 AND alert_id = $2 AND email = $3 AND tries = $4 AND confirmed_at IS NULL`,
);

/** Ends the sending of a link, or puts it off. @param seconds null when nothing more is to be sent */
export const END_CONFIRMATION = statement<never, [...ConfirmationValues, seconds: number | null]>(
  'alert_confirmation_end',
  `UPDATE alert_recipients SET confirmation_due_at = statement_timestamp() + $5::double precision * interval '1 second'
    WHERE organization_id = $1 AND alert_id = $2 AND email = $3 AND tries = $4 AND confirmed_at IS NULL`,
);

/** What alerts have to send. */
@Injectable()
export class AlertDeliveriesRepository {
  constructor(private readonly statements: Statements) {}

  /** Organizations for which something is due. @param most of them */
  async organizationsDue(most: number): Promise<string[]> {
    const rows = await this.statements.bulk.rows(ORGANIZATIONS_WITH_DUE, [most]);
    return rows.map(({ organizationId }) => organizationId);
  }

  /** Takes deliveries that are due. @param most of them */
  async claim(organizationId: string, most: number): Promise<ClaimedDelivery[]> {
    return this.statements.bulk.rows(CLAIM_DELIVERIES, [organizationId, most]);
  }

  /** @returns what is to be sent; undefined when the alert is deleted */
  async outgoing(organizationId: string, key: DeliveryKey): Promise<OutgoingNotification | undefined> {
    return this.statements.bulk.first(OUTGOING_NOTIFICATION, keyValues(organizationId, key));
  }

  async end(organizationId: string, delivery: ClaimedDelivery, state: 'sent' | 'failed'): Promise<void> {
    await this.statements.bulk.write(END_DELIVERY, [...keyValues(organizationId, delivery), delivery.tries, state]);
  }

  async postpone(organizationId: string, delivery: ClaimedDelivery, seconds: number): Promise<void> {
    const values = keyValues(organizationId, delivery);
    await this.statements.bulk.write(POSTPONE_DELIVERY, [...values, delivery.tries, seconds]);
  }

  /** Takes addresses that a link is due for. @param most of them */
  async claimConfirmations(organizationId: string, most: number): Promise<ClaimedConfirmation[]> {
    return this.statements.bulk.rows(CLAIM_CONFIRMATIONS, [organizationId, most]);
  }

  /**
   * Stores the digest of a token, before it is sent.
   *
   * @param validS how long it is valid, in seconds
   * @returns false when the address is not waiting for a link any more
   */
  async storeToken(
    organizationId: string,
    { alertId, email, tries }: ClaimedConfirmation,
    hash: Buffer,
    validS: number,
  ): Promise<boolean> {
    return (await this.statements.bulk.write(STORE_TOKEN, [organizationId, alertId, email, tries, hash, validS])) === 1;
  }

  /** @param seconds until the next try; null for none */
  async endConfirmation(
    organizationId: string,
    { alertId, email, tries }: ClaimedConfirmation,
    seconds: number | null,
  ): Promise<void> {
    await this.statements.bulk.write(END_CONFIRMATION, [organizationId, alertId, email, tries, seconds]);
  }
}

function keyValues(organizationId: string, key: DeliveryKey): KeyValues {
  return [organizationId, key.alertId, key.subject, key.windowStart, key.threshold, key.receiver];
}
