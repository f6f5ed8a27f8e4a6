import type { INestApplicationContext } from '@nestjs/common';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { Statements } from '../../database/statements.js';
import { ConnectClientsService } from '../../modules/keys/connect-clients.service.js';
import { KeysService } from '../../modules/keys/keys.service.js';

/** Keys and a client as the operations make them. */
export interface DemonstrationKeys {
  /** A key with a limit that starts anew every month. */
  limited_key: { key: string; hash: string };
  disabled_key_hash: string;
  /** A key that has spent 4 of the 10 US dollars of its limit. */
  spending_key: { key: string; hash: string };
  /** A key for a user of a partner. */
  partner_key: { key: string; hash: string; external_user: string };
  connect_client: { id: string; client_secret: string; callback_urls: string[] };
}

const CALLBACK_URLS = ['https://client.demonstration.example/callback', 'http://localhost:8080/callback'];

const SPENDING_LIMIT_USD = 10;

/** A user by the name that a partner has for it. */
const PARTNER_USER = 'customer-4711';

/** US dollars of days in UTC: of today, and of one that is past. */
const SPENT = [
  { daysAgo: 0, amountUsd: '2.5', byokAmountUsd: '0.5' },
  { daysAgo: 40, amountUsd: '1.5', byokAmountUsd: '0' },
];

const DAY_MS = 24 * 60 * 60 * 1000;

/** Makes a key with a limit, a disabled key, one that has spent something, one for a partner, and a Connect client. */
export async function makeKeys(
  context: INestApplicationContext,
  caller: ManagementPrincipal,
): Promise<DemonstrationKeys> {
  const keys = context.get(KeysService);
  const limits = { limit: 25, limit_reset: 'monthly', include_byok_in_limit: true } as const;
  const limited = await keys.create(caller, { name: 'Limited key', ...limits });
  const disabled = await keys.create(caller, { name: 'Disabled key' });
  await keys.update(caller, { hash: disabled.data.hash, disabled: true });
  const partner = await keys.create(caller, { name: 'Partner key', external: { user: PARTNER_USER } });
  const client = await context
    .get(ConnectClientsService)
    .create(caller, { name: 'Connected application', callback_urls: CALLBACK_URLS });
  return {
    limited_key: { key: limited.key, hash: limited.data.hash },
    disabled_key_hash: disabled.data.hash,
    spending_key: await makeSpendingKey(context, caller),
    partner_key: { key: partner.key, hash: partner.data.hash, external_user: PARTNER_USER },
    connect_client: { id: client.data.id, client_secret: client.client_secret, callback_urls: CALLBACK_URLS },
  };
}

/** A key with days in the ledger. */
async function makeSpendingKey(
  context: INestApplicationContext,
  caller: ManagementPrincipal,
): Promise<DemonstrationKeys['spending_key']> {
  const { organizationId } = caller;
  const keys = context.get(KeysService);
  const { key, data } = await keys.create(caller, { name: 'Spending key', limit: SPENDING_LIMIT_USD });
  const known = await keys.byHashes(context.get(Statements), organizationId, [data.hash]);
  const keyId = known.get(data.hash)!.id;
  for (const { daysAgo, amountUsd, byokAmountUsd } of SPENT) {
    const day = new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);
    await keys.charge(context.get(Statements), { organizationId, keyId, day, amountUsd, byokAmountUsd });
  }
  return { key, hash: data.hash };
}
