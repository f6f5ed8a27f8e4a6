import type { RequestOrigin, SessionPrincipal } from './principal.js';

/**
 * Finds who is signed in. The sign-in module provides the implementation, so that authentication depends on no module.
 */
export abstract class SessionResolver {
  /** The full name of the cookie. @param publicUrl where people reach the deployment */
  abstract cookieNameAt(publicUrl: string): string;

  /**
   * @param secret the value of the cookie
   * @param origin the origin of the request, which becomes part of the principal
   * @returns undefined for a session that is over, or never was
   */
  abstract resolve(secret: string, origin: RequestOrigin): Promise<SessionPrincipal | undefined>;
}
