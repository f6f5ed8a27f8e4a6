import type { DomainError } from '../http/errors/domain-error.js';
import type {
  CredentialDisabled,
  CredentialExpired,
  CredentialOfNewerRelease,
  CredentialSuspended,
  InvalidCredential,
  MemberDeactivated,
  MistypedCredential,
} from '../http/errors/request.errors.js';
import type { Principal, RequestOrigin, SessionPrincipal } from './principal.js';

/** The result of resolving a credential: a principal, or the error that refuses it. */
export type Resolution =
  | { readonly principal: Exclude<Principal, { kind: 'anonymous' }> }
  | {
      readonly refusal:
        | typeof InvalidCredential
        | typeof MistypedCredential
        | typeof CredentialDisabled
        | typeof CredentialOfNewerRelease
        | typeof CredentialSuspended
        | typeof MemberDeactivated
        | typeof CredentialExpired;
    }
  | { readonly refused: DomainError };

/**
 * Resolves credentials to principals. The keys module provides the implementation, so that authentication depends on no
 * module.
 */
export abstract class CredentialResolver {
  /**
   * @param credential what the caller sent after `Bearer`
   * @param origin the origin of the request, which becomes part of the principal
   * @param recognized is called, if at all, before the database has answered, with the organization of a credential that was accepted a
   *   moment ago; whether it is accepted now the resolution says
   */
  abstract resolve(
    credential: string,
    origin: RequestOrigin,
    recognized?: (organizationId: string) => void,
  ): Promise<Resolution>;

  /**
   * The principal of an API key whose owner has signed in, in place of its secret (docs/interface/sign-in.md#requests-of-inference). What
   * refuses the secret refuses this as well; a key of anybody else looks as if there were none.
   *
   * @param keyHash as the caller wrote it
   */
  abstract resolveOwn(session: SessionPrincipal, keyHash: string): Promise<Resolution>;
}
