export { FederationModule } from './federation.module.js';
export { SigningKeys } from './signing/signing-keys.service.js';
