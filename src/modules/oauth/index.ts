export { ConnectClientsService } from './clients/connect-clients.service.js';
export { CreateAuthKeysCodeRequest } from './codes/authorization-code.dto.js';
export { AuthorizationCodesService } from './codes/authorization-codes.service.js';
export { CODE_CHALLENGE_METHODS, type CodeChallengeMethod, codeChallengeOf } from './codes/code-challenge.js';
export { OauthModule } from './oauth.module.js';

/** The paths of the consent page, which lie outside the interface, without a slash at the beginning. */
export const CONSENT_PATHS = ['auth'];
