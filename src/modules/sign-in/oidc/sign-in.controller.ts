import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { RequestOrigin } from '../../../auth/principal.js';
import { Environment } from '../../../config/environment.js';
import { cookieNameOf, cookieOf, cookieOptions } from '../../../http/pages/cookies.js';
import { type FormFields, queryFields, readForm } from '../../../http/pages/form-body.js';
import { html } from '../../../http/pages/html.js';
import { publicUrlOf } from '../../../http/pages/origin.js';
import { type Page, redirect, sendPage } from '../../../http/pages/page.js';
import { Public } from '../../../http/public.decorator.js';
import { RequestRateLimit } from '../../../http/request-limits/request-rate-limit.js';
import type { GatehouseRequest } from '../../../http/request.js';
import { OrganizationsService } from '../../organizations/index.js';
import { sendTooManySignIns } from '../pages.js';
import { returnPathOf } from '../paths.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { SignInRate } from '../sign-in-rate.js';
import { attemptCookieName } from './attempt-secrets.js';
import { refusalPage } from './refusal-page.js';
import { SignInRefusal } from './sign-in-refusal.js';
import { SignInService } from './sign-in.service.js';

/** How long a browser keeps the cookie of a sign-in, in milliseconds. */
const ATTEMPT_MS = 600_000;

const UNREADABLE_PARAMETERS: Page = {
  title: 'This sign-in cannot be begun',
  body: html`<p>The address or the form that leads here has a parameter twice, or the form is none.</p>`,
};

/** The pages that people sign in with (docs/interface/sign-in.md). */
@Controller('auth')
@Public()
export class SignInController {
  constructor(
    private readonly signIn: SignInService,
    private readonly sessions: SessionsService,
    private readonly organizations: OrganizationsService,
    private readonly environment: Environment,
    private readonly rate: RequestRateLimit,
    private readonly signIns: SignInRate,
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
   * The same for an identity provider or a portal that begins the sign-in with a form, whose fields may be in the query as well: 303
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
    await this.orRefusal(request, response, () => this.finish(request, response));
  }

  /** @param fields undefined where one was sent twice, or the form is none */
  private async chooseBy(request: GatehouseRequest, response: Response, fields: FormFields | undefined): Promise<void> {
    this.rate.count();
    if (fields === undefined) {
      sendPage(request, response, 400, UNREADABLE_PARAMETERS);
      return;
    }
    await this.orRefusal(request, response, () => this.choose(request, response, fields));
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
    const wait = await this.signIns.count(request.clientAddress);
    if (wait !== null) {
      sendTooManySignIns(request, response, wait);
      return;
    }
    const publicUrl = publicUrlOf(request, this.environment);
    const current = (await this.sessions.ofRequest(request, this.environment))?.session;
    const { location, state, cookie } = await this.signIn.begin({
      organizationId,
      connectionId: chosen.id,
      returnTo: returnPathOf(fields.get('return_to') ?? fields.get('target_link_uri')),
      isStepUp: fields.get('step_up') === 'true',
      linkedUserId: fields.get('link') === 'true' && current?.organizationId === organizationId ? current.userId : null,
      loginHint: fields.get('login_hint'),
      redirectUri: redirectUriOf(publicUrl),
    });
    const name = cookieNameOf(attemptCookieName(state), publicUrl);
    response.cookie(name, cookie, { ...cookieOptions(publicUrl), maxAge: ATTEMPT_MS });
    redirect(request, response, request.method === 'POST' ? 303 : 302, location);
  }

  private async finish(request: GatehouseRequest, response: Response): Promise<void> {
    const publicUrl = publicUrlOf(request, this.environment);
    const state = queryFields(request)?.get('state') ?? '';
    const name = cookieNameOf(attemptCookieName(state), publicUrl);
    const attempt = cookieOf(request, name);
    if (attempt === undefined) throw new SignInRefusal('attempt_over');
    response.clearCookie(name, cookieOptions(publicUrl));
    const { search } = new URL(request.originalUrl, publicUrl);
    const { cookie, returnTo } = await this.signIn.finish({
      url: new URL(redirectUriOf(publicUrl) + search),
      cookie: attempt,
      userAgent: request.headers['user-agent'] ?? null,
      replacedCookie: this.sessions.cookieOf(request, this.environment),
      origin: new RequestOrigin(request),
    });
    response.cookie(this.sessions.cookieNameAt(publicUrl), cookie, cookieOptions(publicUrl));
    redirect(request, response, 302, returnTo);
  }

  private async orRefusal(request: GatehouseRequest, response: Response, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof SignInRefusal)) throw error;
      const { status, page } = refusalPage(error);
      sendPage(request, response, status, page);
    }
  }
}

/** The parameters of a query and a form together. @returns undefined where one of them is not to be read, or a parameter is in both */
function united(query: FormFields | undefined, form: FormFields | undefined): FormFields | undefined {
  if (query === undefined || form === undefined || [...form.keys()].some((name) => query.has(name))) return undefined;
  return new Map([...query, ...form]);
}

/** Where identity providers send browsers back to. */
function redirectUriOf(publicUrl: string): string {
  return `${publicUrl}/auth/callback`;
}

/** The page that asks with which identity provider, or of which organization. */
function choiceOf(
  organizationId: string | undefined,
  offered: readonly { readonly id: string; readonly name: string }[],
  fields: FormFields,
): Page {
  const kept = ['return_to', 'login_hint', 'step_up', 'link'].flatMap((name) => {
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

/** The same bytes for an organization that does not exist and for one without an identity provider. */
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
