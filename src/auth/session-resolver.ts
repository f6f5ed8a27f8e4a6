import type { Environment } from '../config/environment.js';
import { cookieOf } from '../http/pages/cookies.js';
import { publicUrlOf } from '../http/pages/origin.js';
import type { GatehouseRequest } from '../http/request.js';
import { RequestOrigin, type SessionPrincipal } from './principal.js';

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

  /** The value of the cookie that a request has, of a session or not. */
  cookieOf(request: GatehouseRequest, environment: Environment): string | undefined {
    return cookieOf(request, this.cookieNameAt(publicUrlOf(request, environment)));
  }

  /** Finds who is signed in by the cookie of a request. @returns the session with the value of its cookie; undefined without one */
  async ofRequest(
    request: GatehouseRequest,
    environment: Environment,
  ): Promise<{ readonly secret: string; readonly session: SessionPrincipal } | undefined> {
    const secret = this.cookieOf(request, environment);
    if (secret === undefined) return undefined;
    const session = await this.resolve(secret, new RequestOrigin(request));
    return session && { secret, session };
  }
}
