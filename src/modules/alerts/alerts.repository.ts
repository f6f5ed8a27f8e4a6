import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../persistence/entity-columns.js';
import { insertRowsStatement } from '../../persistence/insert-statement.js';
import { pageOfOrganization, VIEW_BY_NAME } from '../../persistence/page-statement.js';
import { lockById } from '../../persistence/row-statements.js';
import { CREATED_AND_UPDATED_NOW } from '../../persistence/row-times.js';
import { statement } from '../../persistence/statement.js';
import { Statements, type Transaction } from '../../persistence/statements.js';
import { AuditedRows } from '../audit/audited-rows.js';
import { AlertNotFound } from './alerts.errors.js';
import { AlertConfirmationMailEntity, AlertEntity } from './entities/alert.entity.js';

/** An address of an alert as answers show it. */
export interface ShownRecipient {
  readonly email: string;
  /** As PostgreSQL writes it in JSON. */
  readonly confirmedAt: string | null;
}

/** An alert with what answers show beside its row. */
export type ShownAlert = AlertEntity & {
  /** SHA-256 in lowercase hex; null without a key as scope. */
  readonly keyHash: string | null;
  /** By address. */
  readonly recipients: readonly ShownRecipient[];
};

/** What answers show beside the row of an alert. @param key @param id the columns of the row */
const shownBeside = (key: string, id: string): string => `SELECT (
      SELECT encode(k.hash, 'hex') FROM api_keys k WHERE k.organization_id = $1 AND k.id = ${key}) AS "keyHash", (
      SELECT coalesce(json_agg(json_build_object('email', r.email, 'confirmedAt', r.confirmed_at) ORDER BY r.email), '[]')
      FROM alert_recipients r WHERE r.organization_id = $1 AND r.alert_id = ${id}) AS recipients`;

/** A page of the alerts of an organization, oldest first. */
export const ALERTS_PAGE = pageOfOrganization<ShownAlert>({
  name: 'alerts_page',
  entity: AlertEntity,
  beside: shownBeside('page."keyId"', 'page.id'),
  view: VIEW_BY_NAME,
});

export const ALERT_BY_ID = statement<ShownAlert, [organizationId: string, id: string]>(
  'alert_by_id',
  `SELECT ${columnsOf(AlertEntity, 'item')}, beside.* FROM alerts AS item
    CROSS JOIN LATERAL (${shownBeside('item.key_id', 'item.id')}) AS beside
    WHERE item.organization_id = $1 AND item.id = $2`,
);

/** The alerts of organizations. */
export const ALERTS = new AuditedRows({
  entity: AlertEntity,
  one: 'alert',
  notFound: AlertNotFound,
  quota: 'alerts',
  fields: {
    name: {},
    kind: { fixed: true },
    workspaceId: { fixed: true },
    guardrailId: { initial: null, fixed: true },
    keyHash: { initial: null, fixed: true },
    limitId: { initial: null, fixed: true },
    thresholds: {},
    daysBefore: {},
    enabled: { initial: true },
    destinationId: { initial: null },
  },
  recorded: ({ recipients }) => ({ emails: recipients.map(({ email }) => email) }),
  created: CREATED_AND_UPDATED_NOW,
  lock: lockById('alert_lock', AlertEntity, 'FOR NO KEY UPDATE'),
  find: ALERT_BY_ID,
});

/** What a request for an alert names, if the organization has it. */
export interface AlertReferences {
  readonly hasGuardrail: boolean;
  readonly keyId: string | null;
  readonly hasLimit: boolean;
  readonly hasWebhook: boolean;
}

/** What a request for an alert names; null for what it does not name. */
export interface NamedReferences {
  readonly guardrailId: string | null;
  /** In lowercase hex. */
  readonly keyHash: string | null;
  readonly limitId: string | null;
  readonly destinationId: string | null;
}

/** Looks up what a request names. */
export const ALERT_REFERENCES = statement<
  AlertReferences,
  [
    organizationId: string,
    guardrailId: string | null,
    keyHash: string | null,
    limitId: string | null,
    destinationId: string | null,
  ]
>(
  'alert_references',
  `SELECT EXISTS (SELECT FROM guardrails g WHERE g.organization_id = $1 AND g.id = $2::uuid) AS "hasGuardrail",
    (SELECT k.id FROM api_keys k WHERE k.organization_id = $1 AND k.hash = decode($3::text, 'hex')) AS "keyId",
    EXISTS (SELECT FROM limits l WHERE l.organization_id = $1 AND l.id = $4::uuid) AS "hasLimit",
    EXISTS (SELECT FROM observability_destinations d
      WHERE d.organization_id = $1 AND d.id = $5::uuid AND d.type = 'webhook') AS "hasWebhook"`,
);

/** Adds addresses, whose links are due; for one that is there already, a new link is due. */
export const ADD_RECIPIENTS = statement<never, [organizationId: string, alertId: string, emails: readonly string[]]>(
  'alert_recipients_add',
  `INSERT INTO alert_recipients (organization_id, alert_id, email, confirmation_due_at)
    SELECT $1, $2::uuid, added.email, now() FROM unnest($3::text[]) AS added (email)
    ON CONFLICT (organization_id, alert_id, email)
      DO UPDATE SET confirmation_due_at = excluded.confirmation_due_at, tries = 0`,
);

/** Removes all addresses of an alert but some. */
export const REMOVE_OTHER_RECIPIENTS = statement<
  never,
  [organizationId: string, alertId: string, kept: readonly string[]]
>(
  'alert_recipients_remove_others',
  'DELETE FROM alert_recipients WHERE organization_id = $1 AND alert_id = $2 AND email <> ALL ($3::text[])',
);

/** Which of some addresses of an alert have been sent no link that is still valid, and have not confirmed. */
export const RECIPIENTS_WITHOUT_LINK = statement<
  { email: string },
  [organizationId: string, alertId: string, emails: readonly string[]]
>(
  'alert_recipients_without_link',
  `SELECT asked.email FROM unnest($3::text[]) AS asked (email)
    WHERE NOT EXISTS (
      SELECT FROM alert_recipients r WHERE r.organization_id = $1 AND r.alert_id = $2 AND r.email = asked.email
        AND (r.confirmed_at IS NOT NULL OR r.confirmation_due_at IS NOT NULL OR r.token_expires_at > now()))`,
);

// Requests of an organization for confirmation mails take turns, so that each sees those of the others.
export const LOCK_CONFIRMATION_MAILS = statement<object, [organizationId: string]>(
  'alert_confirmation_mails_take_turns',
  "SELECT pg_advisory_xact_lock(hashtextextended('alert_confirmation_mails/' || $1::text, 0))",
);

/** How many confirmation mails were asked for in the last 24 hours: in all, and to that of some addresses that had the most. */
export const COUNT_CONFIRMATION_MAILS = statement<
  { total: number; most: number },
  [organizationId: string, emails: readonly string[]]
>(
  'alert_confirmation_mails_count',
  `SELECT coalesce(sum(by_email.mails), 0)::int AS total,
      coalesce(max(by_email.mails) FILTER (WHERE by_email.email = ANY ($2::text[])), 0)::int AS most
    FROM (SELECT email, count(*) AS mails FROM alert_confirmation_mails
      WHERE organization_id = $1 AND requested_at > now() - interval '24 hours' GROUP BY email) AS by_email`,
);

export const INSERT_CONFIRMATION_MAILS = insertRowsStatement(
  'alert_confirmation_mails_insert',
  AlertConfirmationMailEntity,
);

/** Confirms the address that was sent a link, once, and before it expires. */
export const CONFIRM_RECIPIENT = statement<{ email: string }, [organizationId: string, tokenHash: Buffer]>(
  'alert_recipient_confirm',
  `UPDATE alert_recipients SET confirmed_at = now(), token_hash = NULL, token_expires_at = NULL, confirmation_due_at = NULL
    WHERE organization_id = $1 AND token_hash = $2 AND token_expires_at > now() AND confirmed_at IS NULL
    RETURNING email`,
);

/** The rows of alerts and of the addresses that they are sent to. */
@Injectable()
export class AlertsRepository {
  constructor(private readonly statements: Statements) {}

  /** Looks up what a request names. */
  async references(
    organizationId: string,
    { guardrailId, keyHash, limitId, destinationId }: NamedReferences,
  ): Promise<AlertReferences> {
    const values = [organizationId, guardrailId, keyHash, limitId, destinationId] as const;
    return (await this.statements.first(ALERT_REFERENCES, [...values]))!;
  }

  /**
   * Makes some addresses those of an alert: others are removed, with what is still to be sent to them.
   *
   * @param emails in lower case, each once
   * @returns those that have to be sent a link
   */
  async replaceRecipients(
    tx: Transaction,
    organizationId: string,
    alertId: string,
    emails: readonly string[],
  ): Promise<string[]> {
    await tx.write(REMOVE_OTHER_RECIPIENTS, [organizationId, alertId, emails]);
    const without = await tx.rows(RECIPIENTS_WITHOUT_LINK, [organizationId, alertId, emails]);
    return without.map(({ email }) => email);
  }

  /** Has links sent to addresses, which become addresses of the alert where they are not. */
  async requestConfirmations(
    tx: Transaction,
    organizationId: string,
    alertId: string,
    emails: readonly string[],
  ): Promise<void> {
    await tx.write(ADD_RECIPIENTS, [organizationId, alertId, emails]);
  }

  /**
   * Counts the confirmation mails of the last 24 hours, those that are asked for at the same time included: until the end of the transaction
   * no other can ask for any.
   *
   * @returns how many there were in all, and to the one of some addresses that had the most
   */
  async countConfirmationMails(
    tx: Transaction,
    organizationId: string,
    emails: readonly string[],
  ): Promise<{ readonly total: number; readonly most: number }> {
    await tx.rows(LOCK_CONFIRMATION_MAILS, [organizationId]);
    return (await tx.first(COUNT_CONFIRMATION_MAILS, [organizationId, emails]))!;
  }

  async insertConfirmationMails(tx: Transaction, mails: readonly AlertConfirmationMailEntity[]): Promise<void> {
    await tx.write(INSERT_CONFIRMATION_MAILS, INSERT_CONFIRMATION_MAILS.values(mails));
  }

  /** Confirms the address that was sent a link. @returns whether there is one to which a valid link with this token was sent */
  async confirm(organizationId: string, tokenHash: Buffer): Promise<boolean> {
    return (await this.statements.first(CONFIRM_RECIPIENT, [organizationId, tokenHash])) !== undefined;
  }
}
