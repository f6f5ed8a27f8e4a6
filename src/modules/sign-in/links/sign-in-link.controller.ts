import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { RequestOrigin } from '../../../auth/principal.js';
import { Environment } from '../../../config/environment.js';
import { cookieOptions } from '../../../http/pages/cookies.js';
import { html } from '../../../http/pages/html.js';
import { isFromOwnPage, publicUrlOf } from '../../../http/pages/origin.js';
import { type Page, redirect, sendPage } from '../../../http/pages/page.js';
import { Public } from '../../../http/public.decorator.js';
import type { GatehouseRequest } from '../../../http/request.js';
import { CONSOLE_PATH } from '../paths.js';
import { REFUSED_REQUEST, sendTooManySignIns } from '../pages.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { SignInRate } from '../sign-in-rate.js';
import { type LinkedMember, SignInLinksService } from './sign-in-links.service.js';

const USED_UP: Page = {
  title: 'This sign-in link cannot be used',
  body: html`<p>It was used already, is older than ten minutes, or is not complete.</p>
    <p>An operator makes another one with <code>gatehouse sign-in-link</code>.</p>`,
};

/** The pages behind a sign-in link. Opening one changes nothing, because programs that preview links open them, too. */
@Controller('auth/link')
@Public()
export class SignInLinkController {
  constructor(
    private readonly links: SignInLinksService,
    private readonly sessions: SessionsService,
    private readonly environment: Environment,
    private readonly rate: SignInRate,
  ) {}

  /** Shows whom the link signs in. Answers a page: 200, or 400 for a link that cannot be used. */
  @Get(':secret')
  async showSignInLink(
    @Param('secret') secret: string,
    @Req() request: GatehouseRequest,
    @Res() response: Response,
  ): Promise<void> {
    const member = await this.links.memberOf(secret);
    if (member === undefined) sendPage(request, response, 400, USED_UP);
    else sendPage(request, response, 200, invitationOf(member));
  }

  /** Signs in and goes on to the console: 303, or a page with 400, 403 or 429. */
  @Post(':secret')
  async useSignInLink(
    @Param('secret') secret: string,
    @Req() request: GatehouseRequest,
    @Res() response: Response,
  ): Promise<void> {
    if (!isFromOwnPage(request, this.environment)) {
      sendPage(request, response, 403, REFUSED_REQUEST);
      return;
    }
    const origin = new RequestOrigin(request);
    const wait = await this.rate.count(origin.address);
    if (wait !== null) {
      sendTooManySignIns(request, response, wait);
      return;
    }
    const cookie = await this.links.signIn(secret, {
      userAgent: request.headers['user-agent'] ?? null,
      replacedCookie: this.sessions.cookieOf(request, this.environment),
      origin,
    });
    if (cookie === undefined) {
      sendPage(request, response, 400, USED_UP);
      return;
    }
    const publicUrl = publicUrlOf(request, this.environment);
    response.cookie(this.sessions.cookieNameAt(publicUrl), cookie, cookieOptions(publicUrl));
    redirect(request, response, 303, CONSOLE_PATH);
  }
}

function invitationOf({ userName, organizationName }: LinkedMember): Page {
  return {
    title: 'Sign in',
    body: html`<p>
        This link signs you in as <strong>${userName}</strong> of <strong>${organizationName}</strong>. It can be used
        once.
      </p>
      <form method="post" class="actions"><button type="submit">Sign in</button></form>`,
  };
}
