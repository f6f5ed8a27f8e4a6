export { issueOfAddedPath } from './addresses/added-path.js';
export type { AnswerKind, Asker, ProviderClient } from './clients/provider-client.js';
export { ProviderClientsModule } from './clients/provider-clients.module.js';
export { ProviderClients } from './clients/provider-clients.service.js';
export {
  CONNECTION_PRESETS,
  CREDENTIAL_NAMES,
  type CredentialName,
  type PresetSettings,
} from './connections/connection-presets.js';
export { CONNECTION_EDITION } from './connections/connections.repository.js';
export { InvalidConnection, isProviderId } from './connections/connection-request.js';
export { problemOfTest } from './connections/connection-test.js';
export { ConnectionTestService } from './connections/connection-test.service.js';
export { ConnectionsModule } from './connections/connections.module.js';
export { ConnectionsService, isServed } from './connections/connections.service.js';
export { type ShownConnection } from './connections/shown-connection.js';
export { PRIVATE_PROTOCOL } from './connections/private-connection.js';
export { type ProviderConnection } from './connections/provider-connection.js';
export { type ConnectionSet, ProviderConnections } from './connections/provider-connections.js';
export { upstreamModelOf } from './connections/upstream-model.js';
export { type ProviderAddress, WELL_KNOWN_PROVIDERS } from './connections/well-known-providers.js';
export { OperatorConnectionsModule } from './operator-connections/operator-connections.module.js';
export type { CredentialScheme } from './credentials/credential-scheme.js';
export { issueOfOwnSecret } from './credentials/credential-secret.js';
export { CredentialsModule } from './credentials/credentials.module.js';
export { TokenCache } from './credentials/token-cache.js';
export { UpstreamAuthorization } from './credentials/upstream-authorization.js';
export { KeysOfOtherAddress } from './own-keys/own-keys.errors.js';
export { ServerSentEvents } from './upstream/server-sent-events.js';
export { ViaHeader } from './upstream/via-header.js';
export { OwnKeysModule } from './own-keys/own-keys.module.js';
export { NO_OWN_KEYS, type OwnKeys, OwnProviderKeys, type RestrictableKey } from './own-keys/own-provider-keys.js';
export { ReferenceImages } from './upstream/reference-images.js';
export {
  type ConnectProviderRequest,
  type ConnectProviderResponse,
  type DisconnectProviderResponse,
  type ListProviderConnectionsResponse,
  type TestProviderConnectionResponse,
} from './operator-connections/operator-connections.dto.js';
export { ProviderConnectionNotFound } from './operator-connections/operator-connections.errors.js';
export {
  toMadeConnection,
  toProviderConnection,
  toProviderConnectionTest,
} from './operator-connections/operator-connections.mapper.js';
