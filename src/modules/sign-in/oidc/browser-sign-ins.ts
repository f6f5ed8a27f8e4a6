import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Environment } from '../../../config/environment.js';
import { cookieNameOf, cookieOptions } from '../../../http/pages/cookies.js';
import { publicUrlOf } from '../../../http/pages/origin.js';
import { redirect, sendPage } from '../../../http/pages/page.js';
import type { GatehouseRequest } from '../../../http/request.js';
import { sendTooManySignIns } from '../pages.js';
import { SignInRate } from '../sign-in-rate.js';
import { attemptCookieName } from './attempt-secrets.js';
import { refusalPage } from './refusal-page.js';
import { SignInRefusal } from './sign-in-refusal.js';
import { type SignInRequest, SignInService } from './sign-in.service.js';

/** How long a browser keeps the cookie of a sign-in, in milliseconds. */
const ATTEMPT_MS = 600_000;

/** Sends browsers to identity providers, and shows people why that does not succeed. */
@Injectable()
export class BrowserSignIns {
  constructor(
    private readonly signIn: SignInService,
    private readonly environment: Environment,
    private readonly signIns: SignInRate,
  ) {}

  /**
   * Sends a browser to an identity provider: 302, or 303 as the answer to a form; a page with 429 for an address that begins too many.
   *
   * @throws SignInRefusal for a provider that is not offered or cannot be asked
   */
  async begin(
    request: GatehouseRequest,
    response: Response,
    wanted: Omit<SignInRequest, 'redirectUri'>,
  ): Promise<void> {
    const wait = await this.signIns.count(request.clientAddress);
    if (wait !== null) {
      sendTooManySignIns(request, response, wait);
      return;
    }
    const publicUrl = publicUrlOf(request, this.environment);
    const { location, state, cookie } = await this.signIn.begin({ ...wanted, redirectUri: redirectUriOf(publicUrl) });
    const name = cookieNameOf(attemptCookieName(state), publicUrl);
    response.cookie(name, cookie, { ...cookieOptions(publicUrl), maxAge: ATTEMPT_MS });
    redirect(request, response, request.method === 'POST' ? 303 : 302, location);
  }

  /** Does what a page is for, or shows the page that says why it does not succeed. */
  async orRefusal(request: GatehouseRequest, response: Response, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof SignInRefusal)) throw error;
      const { status, page } = refusalPage(error);
      sendPage(request, response, status, page);
    }
  }
}

/** Where identity providers send browsers back to. */
export function redirectUriOf(publicUrl: string): string {
  return `${publicUrl}/auth/callback`;
}
