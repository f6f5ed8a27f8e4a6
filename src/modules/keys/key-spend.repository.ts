import { Injectable } from '@nestjs/common';
import { statement } from '../../persistence/statement.js';
import type { Transaction } from '../../persistence/statements.js';

/** Adds to what a key has spent on a day. Triggers add it to the key's totals in the same transaction. */
export const INCREASE_KEY_SPEND = statement<
  never,
  [organizationId: string, keyId: string, day: string, amountUsd: string, byokAmountUsd: string]
>(
  'key_spend_add',
  `INSERT INTO key_spend AS known (organization_id, key_id, day, amount_usd, byok_amount_usd)
    VALUES ($1, $2, $3::date, $4::numeric, $5::numeric)
    ON CONFLICT ON CONSTRAINT pk_key_spend DO UPDATE SET amount_usd = known.amount_usd + excluded.amount_usd,
      byok_amount_usd = known.byok_amount_usd + excluded.byok_amount_usd`,
);

/** A charge to a key. */
export interface KeyCharge {
  readonly organizationId: string;
  /** The key's id, not its hash. */
  readonly keyId: string;
  /** The day in UTC that the charge belongs to, as YYYY-MM-DD. */
  readonly day: string;
  /** US dollars, as decimal text so that nothing is rounded, spent through the gateway's own provider keys. */
  readonly amountUsd: string;
  /** US dollars, as decimal text, spent through the organization's own provider keys. */
  readonly byokAmountUsd: string;
}

/** What keys have spent, by day. */
@Injectable()
export class KeySpendRepository {
  /**
   * Adds a charge to what its key has spent. Charges of one key at the same time wait for each other; a transaction that
   * charges several keys takes them in the order of their ids, so that two never wait for one another.
   *
   * @param tx the transaction that settles the charge
   */
  async increase(tx: Transaction, charge: KeyCharge): Promise<void> {
    const { organizationId, keyId, day, amountUsd, byokAmountUsd } = charge;
    await tx.write(INCREASE_KEY_SPEND, [organizationId, keyId, day, amountUsd, byokAmountUsd]);
  }
}
