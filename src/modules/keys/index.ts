export { MAXIMUM_ALLOWED_ADDRESSES, parseAllowedRange } from './allowed-addresses.js';
export { ConnectClientsService } from './connect-clients/connect-clients.service.js';
export { type AccessTokenReader, AccessTokens, type ReadAccessToken } from './credentials/access-tokens.js';
export { KeyCredentialResolver } from './credentials/key-credential-resolver.js';
export {
  issueSecret,
  organizationIdOf,
  organizationPartOf,
  readSecretInOrganization,
  type SecretInOrganization,
} from './credentials/key-format.js';
export { type KeyOwner, keyOwnerColumns } from './credentials/key-owner.js';
export { currentKeyStatement } from './current-key-statement.js';
export { KeyReferencesService } from './key-references.service.js';
export { type KeyRotationListener, KeyRotationListeners, type RotatedKey } from './key-rotation-listeners.js';
export { KeyNotFound, UNKNOWN_KEY } from './keys.errors.js';
export { KeysModule } from './keys.module.js';
export { KeyTransfersService } from './transfer/key-transfers.service.js';
export { CurrentKeyResponse, KeysService } from './keys.service.js';
export { CreateAuthKeysCodeRequest } from './oauth/authorization-code.dto.js';
export { AuthorizationCodesService, type CallbackClient } from './oauth/authorization-codes.service.js';
export { CODE_CHALLENGE_METHODS, type CodeChallengeMethod, codeChallengeOf } from './oauth/code-challenge.js';
