import { createHash } from 'node:crypto';
import type { Response } from 'express';
import { pageHead, redirectHead } from '../json-head.js';
import type { GatehouseRequest } from '../request.js';
import { html, type Html } from './html.js';

const STYLE = `
:root { color-scheme: light dark; --text: #1b1f24; --muted: #57606a; --page: #f6f8fa; --card: #fff; --line: #d0d7de; --accent: #0a5cc2; --on-accent: #fff }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6edf3; --muted: #9aa5b1; --page: #0d1117; --card: #161b22; --line: #30363d; --accent: #6cb0ff; --on-accent: #0d1117 }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif }
main { max-width: 34rem; margin: 8vh auto; padding: 2rem; background: var(--card); border: 1px solid var(--line); border-radius: 8px; overflow-wrap: anywhere }
h1 { margin: 0 0 1rem; font-size: 1.35rem }
dl { display: grid; grid-template-columns: auto 1fr; gap: .35rem 1rem }
dt { color: var(--muted) }
dd { margin: 0 }
label { display: block; margin: .75rem 0 .25rem; font-weight: 600 }
input, select { width: 100%; padding: .5rem; font: inherit; color: inherit; background: var(--page); border: 1px solid var(--line); border-radius: 6px }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.25rem }
button, a.button { flex: 1; padding: .6rem 1rem; font: inherit; font-weight: 600; text-align: center; text-decoration: none; color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: 6px; cursor: pointer }
button.secondary, a.secondary { color: var(--text); background: transparent; border-color: var(--line) }
a { color: var(--accent) }
code, pre { font: .9em/1.4 ui-monospace, monospace }
pre { padding: .75rem; white-space: pre-wrap; background: var(--page); border: 1px solid var(--line); border-radius: 6px }
.note { color: var(--muted) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
`;

/**
 * No script and no file of another place; the one style is known by its digest. Forms may be sent to any place, because browsers hold that
 * rule against the redirect that answers a form as well, and the sign-in leads to the identity provider (Content Security Policy Level 3,
 * form-action). What is said of markup holds by itself: all text is escaped.
 */
const POLICY = `default-src 'none'; img-src data:; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; frame-ancestors 'none'`;

/** What a page for people shows. */
export interface Page {
  /** In the tab and as the heading. */
  readonly title: string;
  /** Everything below the heading. */
  readonly body: Html;
  /** An address that the browser goes to at once; the body should have it as a link as well. */
  readonly next?: string;
}

/**
 * Answers a page for people, which cannot be framed, is not stored, runs no script, and tells no other site where it was.
 *
 * @param status of HTTP
 */
export function sendPage(
  request: GatehouseRequest,
  response: Response,
  status: number,
  { title, body, next }: Page,
): void {
  const refresh = next === undefined ? undefined : html`<meta http-equiv="refresh" content="0;url=${next}" />`;
  const text = Buffer.from(
    html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} - Gatehouse</title>
<link rel="icon" href="data:,">
${refresh}<style>`.text +
      STYLE +
      html`</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`.text,
  );
  const head = pageHead(request.requestId, text.length, POLICY);
  response.writeHead(status, [...head, 'Cross-Origin-Opener-Policy', 'same-origin']);
  response.end(request.method === 'HEAD' ? undefined : text);
}

/**
 * Sends the browser to another page.
 *
 * @param status 302, or 303 for the answer to a form, so that the page is asked for with GET
 * @param location a path of this host, or an absolute address
 */
export function redirect(request: GatehouseRequest, response: Response, status: 302 | 303, location: string): void {
  response.writeHead(status, [...redirectHead(request.requestId, location), 'Cache-Control', 'no-store']);
  response.end();
}
