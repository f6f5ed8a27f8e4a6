import { html } from '../../http/pages/html.js';
import type { Page } from '../../http/pages/page.js';

/** For a form that was not sent from a page of this deployment. */
export const REFUSED_REQUEST: Page = {
  title: 'This request did not come from this site',
  body: html`<p>
    Open the page again and repeat what you did there. If that does not help, your browser does not say which page a
    request comes from, or PUBLIC_URL is not the address that you use.
  </p>`,
};
