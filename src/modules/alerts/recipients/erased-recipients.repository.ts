import { Injectable } from '@nestjs/common';
import { statement } from '../../../persistence/statement.js';
import type { Transaction } from '../../../persistence/statements.js';

/** Forgets an address that alerts of an organization are sent to. */
export const ERASE_ALERT_RECIPIENT = statement<never, [organizationId: string, email: string]>(
  'alert_recipient_erase',
  'DELETE FROM alert_recipients WHERE organization_id = $1 AND lower(email) = lower($2)',
);

/** Forgets that a link to confirm was sent to an address. */
export const ERASE_CONFIRMATION_MAILS = statement<never, [organizationId: string, email: string]>(
  'alert_confirmation_mails_erase',
  'DELETE FROM alert_confirmation_mails WHERE organization_id = $1 AND lower(email) = lower($2)',
);

/** The addresses of a person who is erased. */
@Injectable()
export class ErasedRecipientsRepository {
  /** @returns how many alerts were sent to the address */
  async erase(tx: Transaction, organizationId: string, email: string): Promise<number> {
    await tx.write(ERASE_CONFIRMATION_MAILS, [organizationId, email]);
    return tx.write(ERASE_ALERT_RECIPIENT, [organizationId, email]);
  }
}
