import { html, type Html } from '../../../http/pages/html.js';
import type { Page } from '../../../http/pages/page.js';
import { LINKING_PATH } from '../paths.js';
import type { RefusalReason, SignInRefusal } from './sign-in-refusal.js';

type Details = SignInRefusal['details'];

/** What a page about a sign-in that did not succeed says. */
interface Explanation {
  readonly status: number;
  readonly title: string;
  readonly text: (details: Details) => Html;
}

const AGAIN = html`<p class="actions"><a class="button" href="/auth/login">Sign in again</a></p>`;

const EXPLANATIONS: Readonly<Record<RefusalReason, Explanation>> = {
  attempt_over: {
    status: 400,
    title: 'This sign-in is over',
    text: () =>
      html`<p>
          It took longer than ten minutes, was finished already, or was begun in another browser, or this browser keeps
          no cookies.
        </p>
        ${AGAIN}`,
  },
  connection_gone: {
    status: 400,
    title: 'This way to sign in does not exist',
    text: () =>
      html`<p>The identity provider was removed or switched off. Ask an administrator of your organization.</p>
        ${AGAIN}`,
  },
  provider_refused: {
    status: 400,
    title: 'The identity provider refused the sign-in',
    text: ({ error, description }) =>
      html`<p>It says:</p>
        <pre>${error}${description && `\n${description}`}</pre>
        <p>If it says that this application or its redirect address is not known, an administrator adds them there.</p>
        ${AGAIN}`,
  },
  provider_unreachable: {
    status: 503,
    title: 'The identity provider cannot be reached',
    text: () =>
      html`<p>
          It gave no answer in time. Try again in a moment; if that does not help, an administrator checks the issuer of
          the identity provider, and whether this service can reach it.
        </p>
        ${AGAIN}`,
  },
  issuer_differs: {
    status: 400,
    title: 'The identity provider is another one',
    text: ({ stated }) =>
      html`<p>
          Its discovery document states another issuer than the one that was entered. An administrator removes the
          identity provider and adds it with this one, if it is the right one:
        </p>
        <pre>${stated}</pre>`,
  },
  not_verified: {
    status: 400,
    title: 'The sign-in could not be verified',
    text: ({ code }) =>
      html`<p>
          The identity provider answered something that proves nothing (<code>${code}</code>). An administrator checks
          the issuer, the client ID and the client secret, and that the clocks are right.
        </p>
        ${AGAIN}`,
  },
  user_info_unusable: {
    status: 400,
    title: 'The identity provider did not say who you are',
    text: ({ reason }) =>
      html`<p>
          Its ID token lacks a claim that is needed (your e-mail address, or the id that the directory gives you), and
          its UserInfo endpoint did not say it either: ${reason}. An administrator has the provider put the claim into
          the ID token, or answer there with JSON.
        </p>
        ${AGAIN}`,
  },
  auth_time_missing: {
    status: 400,
    title: 'The identity provider did not say when you signed in',
    text: () =>
      html`<p>
          What you want to do needs a sign-in of the last 15 minutes, and the answer of the identity provider lacks
          <code>auth_time</code>, which says when you proved who you are. Signing out and in again does not change that.
        </p>
        <p>
          An administrator has the provider add <code>auth_time</code> to its ID tokens, or, where it cannot (Google),
          lets a new sign-in count without it (<code>step_up_without_auth_time</code> of the identity provider). A
          management key with all permissions can do so, and so can who signs in with a link of an operator (<code
            >gatehouse sign-in-link</code
          >).
        </p>`,
  },
  auth_time_old: {
    status: 400,
    title: 'The identity provider did not ask you again',
    text: () =>
      html`<p>
          What you want to do needs a sign-in of the last 15 minutes, and the identity provider says that yours is
          older. Sign out there, and then sign in again here.
        </p>
        ${AGAIN}`,
  },
  unknown_person: {
    status: 403,
    title: 'You are not a member here yet',
    text: ({ issuer, subject }) =>
      html`<p>
          You have signed in, but no member of the organization is linked to you. Nobody is linked by an e-mail address,
          because anyone can have it elsewhere.
        </p>
        <p>Send this to an administrator, who adds it to your member:</p>
        <dl>
          <dt>Issuer</dt>
          <dd><code>${issuer}</code></dd>
          <dt>Subject</dt>
          <dd><code>${subject}</code></dd>
        </dl>
        <p class="note">
          With a directory that provisions members by SCIM, or if new people may become members, that is not needed
          (<code>external_id_claim</code>, <code>creates_members</code>).
        </p>`,
  },
  inactive: {
    status: 403,
    title: 'Your membership is not active',
    text: () =>
      html`<p>You were deactivated in your organization. An administrator, or the directory, can reactivate you.</p>`,
  },
  email_missing: {
    status: 403,
    title: 'The identity provider did not say your e-mail address',
    text: () =>
      html`<p>
        A new member needs one. An administrator adds the scope <code>email</code>, or makes a member for you.
      </p>`,
  },
  email_unverified: {
    status: 403,
    title: 'Your e-mail address is not verified',
    text: ({ email }) =>
      html`<p>
          The identity provider says that it has not verified <strong>${email}</strong>
          (<code>email_verified</code>), and a new member has only an address that is verified.
        </p>
        <p>Verify the address there and sign in again, or ask an administrator to make a member for you and link it.</p>
        ${AGAIN}`,
  },
  email_taken: {
    status: 403,
    title: 'A member with your e-mail address exists already',
    text: ({ email }) =>
      html`<p>
        Nobody is linked by an e-mail address. An administrator links the member with <strong>${email}</strong> to you,
        or you sign in there in another way first and link <a href="${LINKING_PATH}">this account</a> yourself.
      </p>`,
  },
  linking_over: {
    status: 400,
    title: 'This linking is over',
    text: () =>
      html`<p>
          It took longer than ten minutes, was answered already, or you have signed in or out since. Nothing was linked.
        </p>
        <p class="actions"><a class="button" href="${LINKING_PATH}">Begin again</a></p>`,
  },
  linked_to_other: {
    status: 403,
    title: 'This account is linked to another member',
    text: () => html`<p>An administrator takes it away there first.</p>`,
  },
};

/** The page that says why a sign-in did not succeed, and what a person or an administrator does about it. */
export function refusalPage({ reason, details }: SignInRefusal): { readonly status: number; readonly page: Page } {
  const { status, title, text } = EXPLANATIONS[reason];
  return { status, page: { title, body: text(details) } };
}
