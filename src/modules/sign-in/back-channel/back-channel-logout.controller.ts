import { Controller, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { isIssuerUnreachable } from '../../../http/addresses/issuer-transport.js';
import { jsonHead } from '../../../http/json-head.js';
import { readForm } from '../../../http/pages/page-form.js';
import { Public } from '../../../http/public.decorator.js';
import { RequestRateLimit } from '../../../http/request-limits/request-rate-limit.js';
import type { GatehouseRequest } from '../../../http/request.js';
import { BackChannelLogoutService } from './back-channel-logout.service.js';

/** How long an issuer may be away before its identity provider tries again, in seconds. */
const RETRY_AFTER_S = 5;

/** Where identity providers say that they have signed someone out (OpenID Connect Back-Channel Logout 1.0, section 2.8). */
@Controller('auth')
@Public()
export class BackChannelLogoutController {
  constructor(
    private readonly logout: BackChannelLogoutService,
    private readonly rate: RequestRateLimit,
  ) {}

  /** Ends the sessions of a logout token: 200, 400 for one that proves nothing, or 503 when the issuer's keys cannot be read. */
  @Post('backchannel-logout')
  async logOutByToken(@Req() request: GatehouseRequest, @Res() response: Response): Promise<void> {
    this.rate.count();
    const token = (await readForm(request))?.get('logout_token');
    try {
      const isDone = token !== undefined && (await this.logout.logOut(token));
      if (isDone) answer(request, response, 200, {});
      else answer(request, response, 400, { error: 'invalid_request' });
    } catch (error) {
      if (!isIssuerUnreachable(error)) throw error;
      response.setHeader('Retry-After', String(RETRY_AFTER_S));
      answer(request, response, 503, { error: 'temporarily_unavailable' });
    }
  }
}

function answer(request: GatehouseRequest, response: Response, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, jsonHead(request.requestId, Buffer.byteLength(text)));
  response.end(text);
}
