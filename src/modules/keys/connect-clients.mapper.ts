import type { ConnectClient } from './dto/connect-client.dto.js';
import type { ConnectClientEntity } from './entities/connect-client.entity.js';

/** A Connect client as the interface shows it. */
export function toConnectClientResponse(client: ConnectClientEntity): ConnectClient {
  return {
    id: client.id,
    name: client.name,
    callback_urls: client.callbackUrls,
    created_at: client.createdAt.toISOString(),
  };
}
