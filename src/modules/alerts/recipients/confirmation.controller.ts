import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { pageHead } from '../../../http/json-head.js';
import { Public } from '../../../http/public.decorator.js';
import type { GatehouseRequest } from '../../../http/request.js';
import { RecipientsService } from './recipients.service.js';

const CONFIRMED = page('Address confirmed', 'Alerts are sent to your address from now on. You can close this page.');

const INVALID = page(
  'Link not valid',
  'This link was used already, has expired, or is not complete. If your address is not confirmed yet, ask whoever set up the alert for a new link.',
);

/** The page behind the link that addresses of alerts confirm by; people open it in a browser, without a credential. */
@Controller('alerts')
@Public()
export class ConfirmationController {
  constructor(private readonly recipients: RecipientsService) {}

  /** Confirms an address. Answers a page: 200, or 400 for a link that is wrong, used or expired. */
  @Get('confirm')
  async confirm(@Req() request: GatehouseRequest, @Res() response: Response): Promise<void> {
    // HEAD comes from programs that look at links in mails.
    const token = request.method === 'GET' ? tokenOf(request.url) : '';
    const isConfirmed = await this.recipients.confirm(token);
    const text = isConfirmed ? CONFIRMED : INVALID;
    response.writeHead(isConfirmed ? 200 : 400, pageHead(request.requestId, text.length)).end(text);
  }
}

function tokenOf(url: string): string {
  const query = url.includes('?') ? url.slice(url.indexOf('?')) : '';
  return new URLSearchParams(query).get('token') ?? '';
}

/** Nothing of a request is in it. */
function page(title: string, text: string): Buffer {
  return Buffer.from(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p></body></html>\n`,
  );
}
