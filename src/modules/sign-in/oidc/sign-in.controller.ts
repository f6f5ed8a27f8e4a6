import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { RequestOrigin } from '../../../auth/principal.js';
import { Environment } from '../../../config/environment.js';
import { cookieNameOf, cookieOf, cookieOptions } from '../../../http/pages/cookies.js';
import { type FormFields, queryFields, readForm } from '../../../http/pages/page-form.js';
import { html } from '../../../http/pages/html.js';
import { publicUrlOf } from '../../../http/pages/origin.js';
import { type Page, redirect, sendPage } from '../../../http/pages/page.js';
import { Public } from '../../../http/public.decorator.js';
import { RequestRateLimit } from '../../../http/request-limits/request-rate-limit.js';
import type { GatehouseRequest } from '../../../http/request.js';
import { OrganizationsService } from '../../organizations/organizations.service.js';
import type { LinkQuestion } from '../linking/link-confirmations.service.js';
import { questionPage } from '../linking/linking.pages.js';
import { UNREADABLE_PARAMETERS } from '../pages.js';
import { LINKING_PATH, returnPathOf } from '../paths.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { attemptCookieName } from './attempt-secrets.js';
import { BrowserSignIns, redirectUriOf } from './browser-sign-ins.js';
import { SignInRefusal } from './sign-in-refusal.js';
import { SignInService } from './sign-in.service.js';

/** The pages that people sign in with (docs/interface/sign-in.md). */
@Controller('auth')
@Public()
export class SignInController {
  constructor(
    private readonly signIn: SignInService,
    private readonly browsers: BrowserSignIns,
    private readonly sessions: SessionsService,
    private readonly organizations: OrganizationsService,
    private readonly environment: Environment,
    private readonly rate: RequestRateLimit,
  ) {}

  /**
   * Begins a sign-in, where the parameters say with which identity provider, or the organization has only one: 302. Otherwise a page with
   * the choice.
   */
  @Get('login')
  async showSignIn(@Req() request: GatehouseRequest, @Res() response: Response): Promise<void> {
    await this.chooseBy(request, response, queryFields(request));
  }

  /**
   * Begins the sign-in for an identity provider or a portal that sends a form, whose fields may be in the query as well: 303
   * (OpenID Connect Core 1.0, section 4).
   */
  @Post('login')
  async beginSignIn(@Req() request: GatehouseRequest, @Res() response: Response): Promise<void> {
    const hasForm = request.headers['content-type'] !== undefined;
    const form = hasForm ? await readForm(request) : new Map<string, string>();
    await this.chooseBy(request, response, united(queryFields(request), form));
  }

  /** Ends a sign-in with what the identity provider answers: 302 to where the person wanted to go, or a page that says what is wrong. */
  @Get('callback')
  async finishSignIn(@Req() request: GatehouseRequest, @Res() response: Response): Promise<void> {
    this.rate.count();
    await this.browsers.orRefusal(request, response, () => this.finish(request, response));
  }

  /** @param fields undefined where one was sent twice, or the form is none */
  private async chooseBy(request: GatehouseRequest, response: Response, fields: FormFields | undefined): Promise<void> {
    this.rate.count();
    if (fields === undefined) {
      sendPage(request, response, 400, UNREADABLE_PARAMETERS);
      return;
    }
    if (fields.get('link') === 'true') {
      const back = new URLSearchParams({ return_to: returnPathOf(fields.get('return_to')) });
      redirect(request, response, request.method === 'POST' ? 303 : 302, `${LINKING_PATH}?${back.toString()}`);
      return;
    }
    await this.browsers.orRefusal(request, response, () => this.choose(request, response, fields));
  }

  private async choose(request: GatehouseRequest, response: Response, fields: FormFields): Promise<void> {
    const organizationId = fields.get('organization') ?? (await this.organizations.only())?.id;
    const offered = organizationId === undefined ? [] : await this.signIn.offered(organizationId);
    const wanted = fields.get('connection');
    const issuer = fields.get('iss');
    const chosen =
      offered.find(({ id, issuer: itsIssuer }) => id === wanted || itsIssuer === issuer) ??
      (offered.length === 1 && wanted === undefined && fields.has('organization') ? offered[0] : undefined);
    if (organizationId === undefined || chosen === undefined) {
      sendPage(request, response, 200, choiceOf(organizationId, offered, fields));
      return;
    }
    await this.browsers.begin(request, response, {
      organizationId,
      connectionId: chosen.id,
      returnTo: returnPathOf(fields.get('return_to') ?? fields.get('target_link_uri')),
      isStepUp: fields.get('step_up') === 'true',
      linkingSessionId: null,
      loginHint: fields.get('login_hint'),
    });
  }

  private async finish(request: GatehouseRequest, response: Response): Promise<void> {
    const publicUrl = publicUrlOf(request, this.environment);
    const state = queryFields(request)?.get('state') ?? '';
    const name = cookieNameOf(attemptCookieName(state), publicUrl);
    const attempt = cookieOf(request, name);
    if (attempt === undefined) throw new SignInRefusal('attempt_over');
    response.clearCookie(name, cookieOptions(publicUrl));
    const { search } = new URL(request.originalUrl, publicUrl);
    const ended = await this.signIn.finish({
      url: new URL(redirectUriOf(publicUrl) + search),
      cookie: attempt,
      userAgent: request.headers['user-agent'] ?? null,
      replacedCookie: this.sessions.cookieOf(request, this.environment),
      session: async () => (await this.sessions.ofRequest(request, this.environment))?.session,
      origin: new RequestOrigin(request),
    });
    if ('question' in ended) {
      await this.askToLink(request, response, ended.question);
      return;
    }
    const { cookie, returnTo } = ended;
    response.cookie(this.sessions.cookieNameAt(publicUrl), cookie, cookieOptions(publicUrl));
    redirect(request, response, 302, returnTo);
  }

  /** Shows the account that was proved and the member whom it is to be linked to: nothing is linked before the form there is sent. */
  private async askToLink(request: GatehouseRequest, response: Response, question: LinkQuestion): Promise<void> {
    const { data } = await this.sessions.describe(question.session);
    sendPage(request, response, 200, questionPage(data, question));
  }
}

/** The parameters of a query and a form together. @returns undefined where one of them is not to be read, or a parameter is in both */
function united(query: FormFields | undefined, form: FormFields | undefined): FormFields | undefined {
  if (query === undefined || form === undefined || [...form.keys()].some((name) => query.has(name))) return undefined;
  return new Map([...query, ...form]);
}

/** The page that asks with which identity provider, or of which organization. */
function choiceOf(
  organizationId: string | undefined,
  offered: readonly { readonly id: string; readonly name: string }[],
  fields: FormFields,
): Page {
  const kept = ['return_to', 'login_hint', 'step_up'].flatMap((name) => {
    const value = fields.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  if (offered.length === 0) return withoutProvider(organizationId, kept);
  const choices = offered.map(({ id, name }) => {
    const query = new URLSearchParams([
      ['organization', organizationId!],
      ['connection', id],
      ...kept.map(([...pair]) => pair),
    ]);
    return html`<a class="button" href="/auth/login?${query.toString()}">${name}</a>`;
  });
  return {
    title: 'Sign in',
    body: html`<p>Continue with:</p>
      <p class="actions">${choices}</p>`,
  };
}

/** The page has equal bytes for an organization that does not exist and for one without an identity provider. */
function withoutProvider(organizationId: string | undefined, kept: readonly (readonly [string, string])[]): Page {
  const hidden = kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`);
  return {
    title: 'Sign in',
    body: html`${organizationId !== undefined && html`<p>There is no identity provider to sign in with here yet.</p>`}
      <form method="get" action="/auth/login">
        ${hidden}<label for="organization">Organization</label>
        <input
          id="organization"
          name="organization"
          value="${organizationId}"
          placeholder="org_..."
          required
          maxlength="100"
          autocomplete="organization"
        />
        <p class="actions"><button type="submit">Continue</button></p>
      </form>
      <p class="note">
        Without an identity provider an operator makes a link that signs you in: <code>gatehouse sign-in-link</code>.
      </p>`,
  };
}
