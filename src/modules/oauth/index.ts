export { ConnectClientsService } from './clients/connect-clients.service.js';
export { AuthorizationCodesService } from './codes/authorization-codes.service.js';
export { CODE_CHALLENGE_METHODS, type CodeChallengeMethod, codeChallengeOf } from './codes/code-challenge.js';
export { CONSENT_PATHS } from './consent/consent.controller.js';
export { OauthModule } from './oauth.module.js';
