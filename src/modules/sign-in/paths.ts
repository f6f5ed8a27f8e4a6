/** Where people go after they have signed in. */
export const CONSOLE_PATH = '/console';

/** Where people link further accounts to themselves. */
export const LINKING_PATH = '/auth/link-identity';

/** The paths of pages for people, which lie outside the interface, without a slash at the beginning. */
export const SIGN_IN_PATHS = [
  'auth/link/:secret',
  'auth/login',
  'auth/callback',
  LINKING_PATH.slice(1),
  `${LINKING_PATH.slice(1)}/confirm`,
  'auth/logout',
  'auth/backchannel-logout',
];

/**
 * The path that a person goes to after a sign-in: one of this host, or the console. Browsers read `//` and `/\` at the beginning as the
 * name of another host, and leave control characters out.
 *
 * @param requested what the request asks for
 */
export function returnPathOf(requested: string | undefined): string {
  const isOwn = requested !== undefined && requested.length <= 2_000 && /^\/(?![/\\])[\x21-\x7e]*$/.test(requested);
  return isOwn ? requested : CONSOLE_PATH;
}
