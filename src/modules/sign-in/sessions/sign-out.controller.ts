import { Controller, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { RequestOrigin } from '../../../auth/principal.js';
import { Environment } from '../../../config/environment.js';
import { cookieOf, cookieOptions } from '../../../http/pages/cookies.js';
import { html } from '../../../http/pages/html.js';
import { isFromOwnPage, publicUrlOf } from '../../../http/pages/origin.js';
import { sendPage } from '../../../http/pages/page.js';
import { Public } from '../../../http/public.decorator.js';
import type { GatehouseRequest } from '../../../http/request.js';
import { SignInService } from '../oidc/sign-in.service.js';
import { REFUSED_REQUEST } from '../pages.js';
import { SessionsService } from './sessions.service.js';

/** The end of sessions by those who are signed in. */
@Controller('auth')
@Public()
export class SignOutController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly signIn: SignInService,
    private readonly environment: Environment,
  ) {}

  /**
   * Ends the session, if there is one, and then leads to the sign-out of the identity provider: a page with 200, since browsers let no form
   * of a page with a strict policy be answered by a redirect to another site. 403 for a request of another site.
   */
  @Post('logout')
  async signOut(@Req() request: GatehouseRequest, @Res() response: Response): Promise<void> {
    if (!isFromOwnPage(request, this.environment)) {
      sendPage(request, response, 403, REFUSED_REQUEST);
      return;
    }
    const publicUrl = publicUrlOf(request, this.environment);
    const name = this.sessions.cookieNameAt(publicUrl);
    const secret = cookieOf(request, name);
    const ended = secret === undefined ? undefined : await this.sessions.end(secret, new RequestOrigin(request));
    response.clearCookie(name, cookieOptions(publicUrl));
    const next =
      ended === undefined || ended.connectionId === null
        ? null
        : await this.signIn.signOutAddress(
            ended.organizationId,
            ended.connectionId,
            ended.idToken,
            `${publicUrl}/auth/login`,
          );
    sendPage(request, response, 200, {
      title: 'You are signed out',
      body: html`<p>
        <a href="${next ?? '/auth/login'}"
          >${next === null ? 'Sign in again' : 'Sign out at the identity provider, too'}</a
        >
      </p>`,
      ...(next !== null && { next }),
    });
  }
}
