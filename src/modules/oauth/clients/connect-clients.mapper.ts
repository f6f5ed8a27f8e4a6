import type { ConnectClientEntity } from '../entities/connect-client.entity.js';
import type { ConnectClient } from './connect-client.dto.js';

/** Maps a Connect client to the response. */
export function toConnectClientResponse(client: ConnectClientEntity): ConnectClient {
  return {
    id: client.id,
    name: client.name,
    callback_urls: client.callbackUrls,
    created_at: client.createdAt.toISOString(),
  };
}
