import { html, type Html } from '../../../http/pages/html.js';
import type { Page } from '../../../http/pages/page.js';
import type { Session } from '../dto/session.dto.js';
import { LINKING_PATH } from '../paths.js';
import type { LinkQuestion } from './link-confirmations.service.js';

type Member = Pick<Session, 'user' | 'organization'>;

function shownMember({ user, organization }: Member): Html {
  return html`<strong>${user.name}</strong> (${user.email}) of <strong>${organization.name}</strong>`;
}

/** For a person who is not signed in. @param signInPath where they sign in, and come back from */
export function signInFirstPage(signInPath: string): Page {
  return {
    title: 'Sign in first',
    body: html`<p>To link another account to you, sign in in a way that works already.</p>
      <p class="actions"><a class="button" href="${signInPath}">Sign in</a></p>
      <p class="note">With a sign-in link, open that first, and then reload this page.</p>`,
  };
}

/** For a person who signed in too long ago. @param signInPath where they sign in again, and come back from */
export function signInAgainPage(signInPath: string): Page {
  return {
    title: 'Sign in again first',
    body: html`<p>
        You signed in more than 15 minutes ago. An account that is linked to you can sign in as you from then on, so
        prove first that you are still here.
      </p>
      <p class="actions"><a class="button" href="${signInPath}">Sign in again</a></p>
      <p class="note">A new sign-in link counts, too. Or an administrator links the account to you.</p>`,
  };
}

/** The page on which linking begins. */
export function linkingPage(
  member: Member,
  offered: readonly { readonly id: string; readonly name: string }[],
  { token, returnTo }: { readonly token: string; readonly returnTo: string },
): Page {
  const buttons = offered.map(
    ({ id, name }) => html`<button type="submit" name="connection" value="${id}">Continue with ${name}</button>`,
  );
  return {
    title: 'Link another account',
    body: html`<p>
        You are signed in as ${shownMember(member)}. With an account that you link you can sign in as this member, too.
      </p>
      ${
        offered.length === 0
          ? html`<p>There is no identity provider to sign in with here yet.</p>`
          : html`<form method="post" action="${LINKING_PATH}">
              <input type="hidden" name="token" value="${token}" />
              <input type="hidden" name="return_to" value="${returnTo}" />
              <p class="actions">${buttons}</p>
            </form>`
      }`,
  };
}

/** What follows the proof of an account: the question whether it is to be linked, or that it is already. */
export function questionPage(member: Member, question: LinkQuestion): Page {
  const { token, returnTo } = question;
  return token === null ? linkedPage(member, false, returnTo) : confirmationPage(member, question, token);
}

/** The page that shows account and member before the one is linked to the other. */
function confirmationPage(member: Member, { connectionName, account, returnTo }: LinkQuestion, token: string): Page {
  const facts = [
    ['Identity provider', connectionName],
    ['Issuer', account.issuer],
    ['Name', account.name],
    ['E-mail', account.email],
    ['Subject', account.subject],
  ] as const;
  return {
    title: 'Link this account?',
    body: html`<p>You have signed in at the identity provider with this account:</p>
      <dl>
        ${facts.map(
          ([label, value]) =>
            value !== null &&
            html`<dt>${label}</dt>
              <dd>${value}</dd>`,
        )}
      </dl>
      <p>
        If you link it, it signs in as ${shownMember(member)} from then on. If it is not your account, do not: its owner
        could act as you.
      </p>
      <form method="post" action="${LINKING_PATH}/confirm">
        <input type="hidden" name="token" value="${token}" />
        <p class="actions">
          <button type="submit">Link it</button>
          <a class="button secondary" href="${returnTo}">Do not link it</a>
        </p>
      </form>`,
  };
}

/** For an account that is linked now, or was already. */
export function linkedPage(member: Member, isNew: boolean, returnTo: string): Page {
  return {
    title: isNew ? 'The account is linked' : 'The account is linked already',
    body: html`<p>You can sign in with it as ${shownMember(member)}.</p>
      <p class="actions"><a class="button" href="${returnTo}">Continue</a></p>`,
  };
}
