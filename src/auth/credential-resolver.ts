import type { Principal } from './principal.js';
import type { RequestOrigin } from './request-origin.js';

/** What a credential turned out to be: a principal, or the reason why it is refused. */
export type Resolution =
  | { readonly principal: Exclude<Principal, { kind: 'anonymous' }> }
  | { readonly refusal: 'invalid_credential' | 'credential_disabled' | 'credential_expired' };

/** Knows whom a credential stands for. The module that keeps credentials provides it; authentication knows no module. */
export abstract class CredentialResolver {
  /**
   * @param credential what the caller sent after `Bearer`
   * @param origin becomes the principal's
   */
  abstract resolve(credential: string, origin: RequestOrigin): Promise<Resolution>;
}
