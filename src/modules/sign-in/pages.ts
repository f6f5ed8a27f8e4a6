import type { Response } from 'express';
import { html } from '../../http/pages/html.js';
import { type Page, sendPage } from '../../http/pages/page.js';
import type { GatehouseRequest } from '../../http/request.js';

/** For an address or a form that is not to be understood. */
export const UNREADABLE_PARAMETERS: Page = {
  title: 'This cannot be begun',
  body: html`<p>The address or the form that leads here has a parameter twice, or the form is none.</p>`,
};

/** For a form that was not sent from a page of this deployment. */
export const REFUSED_REQUEST: Page = {
  title: 'This request did not come from this site',
  body: html`<p>
    Open the page again and repeat what you did there. If that does not help, your browser does not say which page a
    request comes from, or PUBLIC_URL is not the address that you use.
  </p>`,
};

/** Refuses a sign-in of an address that has begun as many as it may: 429 with `Retry-After` (docs/limits.md#sign-ins). @param seconds to wait */
export function sendTooManySignIns(request: GatehouseRequest, response: Response, seconds: number): void {
  response.setHeader('Retry-After', String(seconds));
  sendPage(request, response, 429, {
    title: 'Too many sign-ins from your network',
    body: html`<p>
      Your address has begun as many sign-ins as it may in a minute. Try again in ${seconds} seconds. Where many people
      share one address, an operator allows more (<code>SIGN_INS_PER_MINUTE</code>).
    </p>`,
  });
}
