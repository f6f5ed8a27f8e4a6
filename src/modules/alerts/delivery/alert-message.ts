import { v5 } from 'uuid';
import { limitWords } from '../../limits/limit-words.js';
import type { AlertKind } from '../alert-kinds.js';
import type {
  BudgetData,
  BudgetForecastData,
  DestinationPausedData,
  KeyExpiryData,
  LimitData,
  MembersDeactivatedData,
} from '../evaluation/notification-data.js';
import { oneLineOf } from './mailer.js';
import type { DeliveryKey, OutgoingNotification } from './alert-deliveries.repository.js';

/** The UUIDv5 namespace of the ids of notifications. */
const NOTIFICATIONS = '0a8f4c52-8b8f-4b1c-9a43-6f0d1f3f7a11';

/** What is sent to a webhook, as JSON (docs/interface/alerts.md#webhook). */
export interface AlertMessage {
  readonly type: `alert.${AlertKind}`;
  /** Equal for all attempts and receivers, which can tell a repeated one by it. */
  readonly id: string;
  /** When it was found, in ISO 8601. */
  readonly occurred_at: string;
  readonly alert: { readonly id: string; readonly name: string; readonly kind: AlertKind };
  readonly data: object;
}

/** The id of a notification: UUIDv5 of what makes it one, so that every attempt has the same. */
export function notificationIdOf(organizationId: string, key: Omit<DeliveryKey, 'receiver'>): string {
  const { alertId, subject, windowStart, threshold } = key;
  return v5([organizationId, alertId, subject, windowStart.toISOString(), threshold].join(' '), NOTIFICATIONS);
}

/** What a webhook is sent. @param createdAt when the notification was made */
export function alertMessageOf(
  organizationId: string,
  key: DeliveryKey & { readonly createdAt: Date },
  { name, kind, data }: OutgoingNotification,
): AlertMessage {
  return {
    type: `alert.${kind}`,
    id: notificationIdOf(organizationId, key),
    occurred_at: key.createdAt.toISOString(),
    alert: { id: key.alertId, name, kind },
    data,
  };
}

/** A mail about a notification. */
export interface MailText {
  readonly subject: string;
  readonly text: string;
}

/** What a mail says of a notification. */
export function alertMailOf({ type, occurred_at: occurredAt, alert, data }: AlertMessage): MailText {
  const name = oneLineOf(alert.name);
  const sentence = oneLineOf(SENTENCES[alert.kind](data));
  return {
    subject: `[${name}] ${sentence}`,
    text: [
      `${sentence}.`,
      '',
      ...detailsOf(data),
      '',
      `Alert: ${name} (${type}, ${alert.id})`,
      `Time: ${occurredAt}`,
      '',
    ].join('\n'),
  };
}

/**
 * What a mail with a confirmation link says (docs/interface/alerts.md#e-mail). It goes to an address that has agreed to nothing yet, from the
 * operator's own: so it repeats no text that a caller of the interface has written, such as the name of the alert.
 *
 * @param organizationName which the operator gives on the command line
 * @param days how long the link is valid
 */
export function confirmationMailOf(organizationName: string, link: string, days: number): MailText {
  const organization = oneLineOf(organizationName);
  return {
    subject: `Confirm that you want alerts of ${organization}`,
    text: [
      `The organization ${organization} wants to send alerts to this address.`,
      '',
      'To receive them, open this link:',
      link,
      '',
      `The link is valid for ${days} days, and can be used once. If you do not want alerts, ignore this mail: nothing else is sent to you.`,
      '',
    ].join('\n'),
  };
}

const SENTENCES: Readonly<Record<AlertKind, (data: object) => string>> = {
  budget: (data) => {
    const { share, refusing, ...budget } = data as BudgetData;
    const spent = `${Math.floor(share * 100)} % of the ${budgetWords(budget)} is spent`;
    return refusing ? `${spent}, and it refuses requests` : spent;
  },
  key_expiry: (data) => {
    const { key, expires_at: expiresAt } = data as KeyExpiryData;
    return `The key ${key.name} expires on ${timeOf(expiresAt)}`;
  },
  destination_paused: (data) => {
    const { destination, state } = data as DestinationPausedData;
    const name = destination.name ?? destination.id;
    return state === 'gone' ? `The destination ${name} is gone` : `The destination ${name} has paused`;
  },
  members_deactivated: (data) => {
    const { deactivated_members: deactivated, active_members: active } = data as MembersDeactivatedData;
    return `The directory has deactivated ${deactivated} members within an hour, and ${active} are active yet`;
  },
  limit: (data) => {
    const { share, refusing, ...limit } = data as LimitData;
    const words = wordsOfLimit(limit);
    if (share === null) return `The ${words} refuses requests`;
    const used = `${Math.floor(share * 100)} % of the ${words} is used`;
    return refusing ? `${used}, and it refuses requests` : used;
  },
  budget_forecast: (data) => {
    const forecast = data as BudgetForecastData;
    const words = 'limit' in forecast ? wordsOfLimit(forecast) : budgetWords(forecast);
    return `The ${words} will be met on ${timeOf(forecast.met_at)} at the present pace`;
  },
};

/** A limit of a workspace, key or guardrail in words. */
function budgetWords({ scope, limit_usd: limit, interval, ...named }: Omit<BudgetData, 'share' | 'refusing'>): string {
  const name = (named.guardrail ?? named.workspace ?? named.key)?.name;
  return `${interval} limit of ${dollarsOf(limit)} of ${scope} ${name ?? ''}`;
}

function wordsOfLimit({ limit, ...counted }: Omit<LimitData, 'share' | 'refusing'>): string {
  return `limit ${limitWords({ ...counted, name: limit.name })}`;
}

/** A time in words. @param iso in ISO 8601 */
function timeOf(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' at ')} UTC`;
}

/** The fields of a notification, a line each. */
function detailsOf(data: object, prefix = ''): string[] {
  return Object.entries(data as Record<string, unknown>).flatMap(([name, value]) => {
    if (value === null || value === undefined) return [];
    if (typeof value === 'object') return detailsOf(value, `${prefix}${name} `);
    const text = typeof value === 'string' ? oneLineOf(value) : JSON.stringify(value);
    return [`${prefix}${name.replaceAll('_', ' ')}: ${text}`];
  });
}

function dollarsOf(amount: number): string {
  return `$${amount >= 0.01 ? amount.toFixed(2) : String(amount)}`;
}
