import { Injectable } from '@nestjs/common';
import type { IssueWithReason } from '../../../http/errors/issue.js';
import { newUuid } from '../../../persistence/identifiers.js';
import type { Transaction } from '../../../persistence/statements.js';
import { EMAIL_NOT_CONFIGURED, TooManyConfirmationMails } from '../alerts.errors.js';
import { AlertsRepository } from '../alerts.repository.js';
import { Mailer } from '../delivery/mailer.js';
import { storedTokenOf } from './confirmation-token.js';

/** How many confirmation mails an organization may ask for in 24 hours, and how many of them to one address. */
const MAILS_OF_ORGANIZATION = 100;
const MAILS_TO_ADDRESS = 5;

/** When one who is told to wait may try again, in seconds. */
const RETRY_AFTER_S = 3_600;

/** The addresses that alerts are sent to, which confirm by a link first (docs/interface/alerts.md#e-mail). */
@Injectable()
export class RecipientsService {
  constructor(
    private readonly repository: AlertsRepository,
    private readonly mailer: Mailer,
  ) {}

  /** The addresses of a request, as they are stored: in lower case, each once. */
  addressesOf(requested: readonly string[]): string[] {
    return [...new Set(requested.map((email) => email.toLowerCase()))];
  }

  /** The issues of new addresses: a deployment may send no e-mail. */
  issuesOf(emails: readonly string[]): IssueWithReason[] {
    return emails.length === 0 || this.mailer.isConfigured ? [] : [EMAIL_NOT_CONFIGURED.at('emails')];
  }

  /**
   * Makes some addresses those of an alert. Those that are new, or whose link has expired, are sent a link soon.
   *
   * @param tx holds the alert
   * @param emails of `addressesOf`
   * @throws TooManyConfirmationMails
   */
  async replace(tx: Transaction, organizationId: string, alertId: string, emails: readonly string[]): Promise<void> {
    const asked = await this.repository.replaceRecipients(tx, organizationId, alertId, emails);
    if (asked.length === 0) return;
    const { total, most } = await this.repository.countConfirmationMails(tx, organizationId, asked);
    if (total + asked.length > MAILS_OF_ORGANIZATION || most >= MAILS_TO_ADDRESS) {
      throw new TooManyConfirmationMails(RETRY_AFTER_S);
    }
    const requestedAt = new Date();
    const mails = asked.map((email) => ({ organizationId, id: newUuid(), email, requestedAt }));
    await this.repository.insertConfirmationMails(tx, mails);
    await this.repository.requestConfirmations(tx, organizationId, alertId, asked);
  }

  /** Confirms the address that was sent a link. @param token of the link @returns false for one that is wrong, used or expired */
  async confirm(token: string): Promise<boolean> {
    const stored = storedTokenOf(token);
    return stored !== undefined && (await this.repository.confirm(stored.organizationId, stored.hash));
  }
}
