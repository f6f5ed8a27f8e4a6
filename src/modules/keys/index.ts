export { activeOwner } from './active-owner.js';
export { MAXIMUM_ALLOWED_ADDRESSES, parseAllowedRange } from './allowed-ranges.js';
export { type AccessTokenReader, AccessTokens, type ReadAccessToken } from './credentials/access-tokens.js';
export { KeyCredentialResolver } from './credentials/key-credential-resolver.js';
export { ExpiryRepository } from './credentials/expiry.repository.js';
export {
  composeSecret,
  type IssuedSecret,
  issueSecret,
  organizationIdOf,
  organizationPartOf,
  readAuthorizationCode,
  readSecretInOrganization,
  type SecretInOrganization,
  type SecretReference,
} from './credentials/key-format.js';
export { EXPIRES_AT, LIMIT_RESETS, type LimitReset, RotateRequest } from './dto/key.dto.js';
export { type KeyOwner, keyOwnerColumns } from './credentials/key-owner.js';
export { currentKeyStatement } from './current-key-statement.js';
export { creationOf } from './key-events.js';
export { KeyReferencesService } from './key-references.service.js';
export { type KeyRotationListener, KeyRotationListeners, type RotatedKey } from './key-rotation-listeners.js';
export { KeyNotFound, UNKNOWN_KEY } from './keys.errors.js';
export { KeysModule } from './keys.module.js';
export { KEYS_QUOTA } from './keys.repository.js';
export { KEY_INSERT, newKeyRow, type NewKeyRow } from './new-key.js';
export { KeyTransfersService } from './transfer/key-transfers.service.js';
export type { KnownKey, IssuedCredential } from './keys.service.js';
export { CurrentKeyResponse, KeysService } from './keys.service.js';
export {
  type CreateManagementKeyRequest,
  type IssuedManagementKeyResponse,
} from './management-keys/management-key.dto.js';
export { type TransferKeyRequest, type TransferredKeysResponse } from './transfer/key-transfer.dto.js';
