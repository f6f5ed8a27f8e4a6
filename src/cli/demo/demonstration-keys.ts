import type { INestApplicationContext } from '@nestjs/common';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { ConnectClientsService } from '../../modules/keys/connect-clients.service.js';
import { KeysService } from '../../modules/keys/keys.service.js';

/** Keys and a client as the operations make them. */
export interface DemonstrationKeys {
  /** A key with a limit that starts anew every month. */
  limited_key: { key: string; hash: string };
  disabled_key_hash: string;
  connect_client: { id: string; client_secret: string; callback_urls: string[] };
}

const CALLBACK_URLS = ['https://client.demonstration.example/callback', 'http://localhost:8080/callback'];

/** Makes a key with a limit, a disabled key and a Connect client. */
export async function makeKeys(
  context: INestApplicationContext,
  caller: ManagementPrincipal,
): Promise<DemonstrationKeys> {
  const keys = context.get(KeysService);
  const limits = { limit: 25, limit_reset: 'monthly', include_byok_in_limit: true } as const;
  const limited = await keys.create(caller, { name: 'Limited key', ...limits });
  const disabled = await keys.create(caller, { name: 'Disabled key' });
  await keys.update(caller, { hash: disabled.data.hash, disabled: true });
  const client = await context
    .get(ConnectClientsService)
    .create(caller, { name: 'Connected application', callback_urls: CALLBACK_URLS });
  return {
    limited_key: { key: limited.key, hash: limited.data.hash },
    disabled_key_hash: disabled.data.hash,
    connect_client: { id: client.data.id, client_secret: client.client_secret, callback_urls: CALLBACK_URLS },
  };
}
