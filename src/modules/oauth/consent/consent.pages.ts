import { html, type Html } from '../../../http/pages/html.js';
import type { Page } from '../../../http/pages/page.js';
import { FIXED_FIELDS } from './consent-request.js';
import type { ConsentQuestion } from './consent.service.js';

/** How often a limit starts again, as the page says it. */
const RESETS = [
  ['', 'never'],
  ['daily', 'every day'],
  ['weekly', 'every week'],
  ['monthly', 'every month'],
] as const;

const LABELS: Readonly<Record<string, string>> = {
  key_label: 'Name of the key',
  workspace_id: 'Workspace',
  limit: 'Limit',
  usage_limit_type: 'The limit starts again',
  expires_at: 'Expiry',
};

/** For a request whose application has made it wrong, so that nothing is sent to it. */
export function refusedPage(why: string): Page {
  return {
    title: 'This request is not valid',
    body: html`<p>An application has sent you here with a request that cannot be answered:</p>
      <p><strong>${why}</strong></p>
      <p>Nothing was allowed, and nothing was sent to the application. Tell those who make it.</p>`,
  };
}

/**
 * For a person who is not signed in.
 *
 * @param signInPath where they sign in, and come back from
 */
export function signInPage(signInPath: string): Page {
  return {
    title: 'Sign in first',
    body: html`<p>An application asks for an API key of yours. Sign in to see what it asks for.</p>
      <p class="actions"><a class="button" href="${signInPath}">Sign in</a></p>
      <p class="note">With a sign-in link, open that first, and then reload this page.</p>`,
  };
}

export const FORBIDDEN: Page = {
  title: 'You cannot allow this',
  body: html`<p>
    You have no workspace or no permission to create API keys in. Ask an administrator of your organization.
  </p>`,
};

export const ADMINISTRATORS_ONLY: Page = {
  title: 'You cannot allow this',
  body: html`<p>In your organization only administrators allow applications an API key. Ask one of them.</p>`,
};

export const STALE: Page = {
  title: 'This page is too old',
  body: html`<p>It was open for more than ten minutes, or you have signed in anew since. Nothing was allowed.</p>
    <p>Go back to the application and begin again.</p>`,
};

export const ANSWERED: Page = {
  title: 'You have answered this already',
  body: html`<p>The application has got its key. To give it another one, begin again there.</p>`,
};

export const DENIED: Page = {
  title: 'Nothing was allowed',
  body: html`<p>The application gets no key. You can close this page.</p>`,
};

/** For a session that was shown too many pages. */
export function tooManyPage(retryAfterSeconds: number): Page {
  return {
    title: 'Too many requests',
    body: html`<p>
      Applications have asked you too often within a minute. Try again in ${retryAfterSeconds} seconds.
    </p>`,
  };
}

/** Shows a code, which the person copies into a program. */
export function codePage(code: string): Page {
  return {
    title: 'Copy this code',
    body: html`<p>Paste it into the program that asked for it. It works once, and for ten minutes.</p>
      <pre>${code}</pre>
      <p class="note">Give it to nobody else: whoever has it, and the program that asked, gets the key.</p>`,
  };
}

/** Goes back to the application. A page and no redirect, because browsers hold the policy of a form against the redirects that follow it. */
export function returnPage(address: string, isAllowed: boolean): Page {
  return {
    title: isAllowed ? 'Allowed' : 'Denied',
    body: html`<p>
        ${isAllowed ? 'The application gets a key.' : 'The application gets no key.'} You are going back to it.
      </p>
      <p><a href="${address}">Continue</a></p>`,
    next: address,
  };
}

/** Asks a person whether an application gets a key. */
export function questionPage({ request, issues, client, person, workspaces, ...more }: ConsentQuestion): Page {
  const { code, callbackUrl } = request;
  const name = nameOf(request.callbackUrl, code.key_label, client?.name);
  return {
    title: `Allow ${name}?`,
    body: html`${issues.length === 0 ? null : issueList(issues)}
      <p>
        <strong>${name}</strong> asks to create an API key that can spend the budget of
        <strong>${person.organizationName}</strong> on requests to models, in your name.
      </p>
      <dl>
        <dt>Application</dt>
        <dd>
          ${client === null ? html`${name} <strong>(not verified)</strong>` : html`${client.name} (registered by your organization)`}
        </dd>
        <dt>Goes back to</dt>
        <dd>
          ${callbackUrl === null ? 'nowhere: you copy a code' : html`<code>${new URL(callbackUrl).origin}</code>`}
        </dd>
        <dt>You are</dt>
        <dd>${person.userName} (${person.userEmail})</dd>
        <dt>Guardrails that will apply</dt>
        <dd>${guardrailsOf(person, workspaces)}</dd>
      </dl>
      ${callbackUrl !== null && hasForeignLetters(callbackUrl) ? FOREIGN_LETTERS : null}
      ${more.needsOpenExchange ? NEEDS_OPEN_EXCHANGE : null}
      <form method="post" action="/auth">
        ${FIXED_FIELDS.map((field) => hidden(field, request.fixed[field]))} ${hidden('token', more.token)}
        <label for="key_label">${LABELS['key_label']}</label>
        <input id="key_label" name="key_label" maxlength="100" value="${code.key_label ?? name.slice(0, 100)}" />
        <label for="workspace_id">${LABELS['workspace_id']}</label>
        <select id="workspace_id" name="workspace_id">
          ${workspaces.map(({ id, name: label, isDefault }) =>
            option(
              isDefault ? '' : id,
              label,
              isDefault ? code.workspace_id === undefined : id === code.workspace_id?.toLowerCase(),
            ),
          )}
        </select>
        <label for="limit">${LABELS['limit']} in US dollars (${limitHint(person.maximumLimit)})</label>
        <input id="limit" name="limit" inputmode="decimal" value="${shownLimit(code.limit, person.maximumLimit)}" />
        <label for="usage_limit_type">${LABELS['usage_limit_type']}</label>
        <select id="usage_limit_type" name="usage_limit_type">
          ${RESETS.map(([value, label]) => option(value, label, value === (code.usage_limit_type ?? '')))}
        </select>
        <label for="expires_at">${LABELS['expires_at']}, in UTC (empty: never)</label>
        <input id="expires_at" name="expires_at" type="datetime-local" value="${minuteOf(code.expires_at)}" />
        <p class="actions">
          <button name="decision" value="allow">Allow</button>
          <button name="decision" value="deny" class="secondary" formnovalidate>Deny</button>
        </p>
      </form>`,
  };
}

/** The guardrails of a key of the person, which depend on its workspace. */
function guardrailsOf({ guardrails }: ConsentQuestion['person'], workspaces: ConsentQuestion['workspaces']): Html {
  const everywhere = guardrails ?? [];
  const ofWorkspaces = workspaces.flatMap(({ name, guardrail, ownGuardrail }) =>
    [guardrail, ownGuardrail].flatMap((applied) => (applied === null ? [] : [{ name, applied }])),
  );
  if (everywhere.length === 0 && ofWorkspaces.length === 0) return html`none, in any of your workspaces`;
  return html`<ul>
    ${everywhere.map((applied) => html`<li><strong>${applied}</strong>, as to all of your keys</li>`)}
    ${ofWorkspaces.map(({ name, applied }) => html`<li><strong>${applied}</strong> in the workspace ${name}</li>`)}
  </ul>`;
}

function limitHint(maximum: number | null): string {
  return maximum === null ? 'empty: none of its own' : `at most ${maximum}`;
}

/** What is proposed as the limit: no more than the organization allows, and that where nothing is proposed. */
function shownLimit(proposed: number | undefined, maximum: number | null): number | string {
  if (maximum === null) return proposed ?? '';
  return Math.min(typeof proposed === 'number' ? proposed : maximum, maximum);
}

const FOREIGN_LETTERS = html`<p>
  <strong>The address has letters that look like others.</strong> It may be another site than it seems.
</p>`;

const NEEDS_OPEN_EXCHANGE = html`<p class="note">
  In this deployment the application needs a credential of its own to turn the code into a key. If it has none, an
  administrator sets <code>ANONYMOUS_OPERATIONS=exchangeAuthCodeForAPIKey</code>.
</p>`;

/** What an application is called. @param label what it proposes as the name of the key */
function nameOf(callbackUrl: string | null, label: string | undefined, registered: string | undefined): string {
  if (registered !== undefined) return registered;
  return callbackUrl === null ? (label ?? 'A command-line app') : new URL(callbackUrl).host;
}

function hasForeignLetters(callbackUrl: string): boolean {
  return /(?:^|\.)xn--/.test(new URL(callbackUrl).hostname);
}

function issueList(issues: ConsentQuestion['issues']): Html {
  return html`<p><strong>Nothing was allowed yet:</strong></p>
    <ul>
      ${issues.map(({ path, message }) => html`<li>${LABELS[path] ?? path} ${message}.</li>`)}
    </ul>`;
}

function hidden(name: string, value: string | undefined): Html | null {
  return value === undefined ? null : html`<input type="hidden" name="${name}" value="${value}" />`;
}

function option(value: string, label: string, isSelected: boolean): Html {
  return isSelected
    ? html`<option value="${value}" selected>${label}</option>`
    : html`<option value="${value}">${label}</option>`;
}

/** A time as the input for times has it. @returns empty for none, and for what is no time */
function minuteOf(time: string | null | undefined): string {
  const date = new Date(time ?? '');
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 16);
}
