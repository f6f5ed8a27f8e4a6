/** Why a sign-in did not succeed, for the page that says so. */
export type RefusalReason =
  | 'attempt_over'
  | 'connection_gone'
  | 'provider_refused'
  | 'provider_unreachable'
  | 'issuer_differs'
  | 'not_verified'
  | 'user_info_unusable'
  | 'auth_time_missing'
  | 'auth_time_old'
  | 'unknown_person'
  | 'inactive'
  | 'email_missing'
  | 'email_unverified'
  | 'email_taken'
  | 'linked_to_other'
  | 'linking_over';

/** A sign-in that did not succeed. Nothing was changed. */
export class SignInRefusal extends Error {
  /**
   * @param reason for the page
   * @param details what an administrator or the person needs to know, by name; shown as text
   */
  constructor(
    readonly reason: RefusalReason,
    readonly details: Readonly<Record<string, string>> = {},
  ) {
    super(reason);
  }
}
