import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { hasSignedInRecently } from '../../../auth/required-rights.js';
import type { SessionPrincipal } from '../../../auth/principal.js';
import { Environment } from '../../../config/environment.js';
import { type FormFields, queryFields, readForm } from '../../../http/pages/page-form.js';
import { type FormBinding, isFormToken, newFormToken } from '../../../http/pages/form-token.js';
import { isFromOwnPage } from '../../../http/pages/origin.js';
import { type Page, sendPage } from '../../../http/pages/page.js';
import { Public } from '../../../http/public.decorator.js';
import { RequestRateLimit } from '../../../http/request-limits/request-rate-limit.js';
import type { GatehouseRequest } from '../../../http/request.js';
import { BrowserSignIns } from '../oidc/browser-sign-ins.js';
import { SignInRefusal } from '../oidc/sign-in-refusal.js';
import { SignInService } from '../oidc/sign-in.service.js';
import { REFUSED_REQUEST, UNREADABLE_PARAMETERS } from '../pages.js';
import { LINKING_PATH, returnPathOf } from '../paths.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { LinkConfirmationsService } from './link-confirmations.service.js';
import { linkedPage, linkingPage, signInAgainPage, signInFirstPage } from './linking.pages.js';

/** Who answers a page. */
interface SignedIn {
  readonly session: SessionPrincipal;
  readonly secret: string;
}

/**
 * The pages on which people link a further account to themselves (docs/interface/sign-in.md#linking-an-account): a form begins it, and another
 * one, which shows account and member, ends it. Opening an address links nothing, because pages of other sites can have a browser do so.
 */
@Controller(LINKING_PATH.slice(1))
@Public()
export class LinkingController {
  constructor(
    private readonly signIn: SignInService,
    private readonly browsers: BrowserSignIns,
    private readonly confirmations: LinkConfirmationsService,
    private readonly sessions: SessionsService,
    private readonly environment: Environment,
    private readonly rate: RequestRateLimit,
  ) {}

  /** Shows whom an account would be linked to, and offers identity providers: 200; 401 without a session, 403 for one that is not fresh. */
  @Get()
  async showLinking(@Req() request: GatehouseRequest, @Res() response: Response): Promise<void> {
    this.rate.count();
    const fields = queryFields(request);
    const person = await this.personOf(request, response, fields);
    if (person === undefined) return;
    const [{ data }, offered] = await Promise.all([
      this.sessions.describe(person.session),
      this.signIn.offered(person.session.organizationId),
    ]);
    const returnTo = returnPathOf(fields?.get('return_to'));
    const page = linkingPage(data, offered, { token: newFormToken(bindingOf(person)), returnTo });
    sendPage(request, response, 200, page);
  }

  /** Goes to the identity provider that the form names: 303; a page with 400, 401 or 403 for a form that does not count. */
  @Post()
  async beginLinking(@Req() request: GatehouseRequest, @Res() response: Response): Promise<void> {
    this.rate.count();
    await this.answer(request, response, async (person, fields) => {
      if (!isFormToken(fields.get('token') ?? '', bindingOf(person))) throw new SignInRefusal('linking_over');
      const { organizationId, credentialId } = person.session;
      await this.browsers.begin(request, response, {
        organizationId,
        connectionId: fields.get('connection') ?? '',
        returnTo: returnPathOf(fields.get('return_to')),
        isStepUp: false,
        linkingSessionId: credentialId,
        loginHint: undefined,
      });
    });
  }

  /** Links the account that was shown: 200; a page with 400, 401 or 403 for a form that does not count. */
  @Post('confirm')
  async confirmLinking(@Req() request: GatehouseRequest, @Res() response: Response): Promise<void> {
    this.rate.count();
    await this.answer(request, response, async ({ session }, fields) => {
      const returnTo = await this.confirmations.confirm(session, fields.get('token') ?? '');
      const { data } = await this.sessions.describe(session);
      sendPage(request, response, 200, linkedPage(data, true, returnTo));
    });
  }

  /** Does what a form of an own page asks for, for the person who is signed in. */
  private async answer(
    request: GatehouseRequest,
    response: Response,
    work: (person: SignedIn, fields: FormFields) => Promise<void>,
  ): Promise<void> {
    if (!isFromOwnPage(request, this.environment)) {
      sendPage(request, response, 403, REFUSED_REQUEST);
      return;
    }
    const fields = await readForm(request);
    const person = await this.personOf(request, response, fields);
    if (person !== undefined) await this.browsers.orRefusal(request, response, () => work(person, fields!));
  }

  /** Who is signed in, and proved it a short time ago. @returns undefined where the answer says what is missing */
  private async personOf(
    request: GatehouseRequest,
    response: Response,
    fields: FormFields | undefined,
  ): Promise<SignedIn | undefined> {
    const person = fields && (await this.sessions.ofRequest(request, this.environment));
    const refusal = refusalOf(fields, person?.session);
    if (refusal !== undefined) sendPage(request, response, ...refusal);
    return refusal === undefined ? person : undefined;
  }
}

/** What is missing for a page of linking. @returns undefined where nothing is */
function refusalOf(
  fields: FormFields | undefined,
  session: SessionPrincipal | undefined,
): [status: number, page: Page] | undefined {
  const back = `return_to=${encodeURIComponent(LINKING_PATH)}`;
  if (fields === undefined) return [400, UNREADABLE_PARAMETERS];
  if (session === undefined) return [401, signInFirstPage(`/auth/login?${back}`)];
  if (hasSignedInRecently(session)) return undefined;
  return [403, signInAgainPage(`/auth/login?organization=${session.organizationId}&step_up=true&${back}`)];
}

function bindingOf({ session, secret }: SignedIn): FormBinding {
  const fixed = { organization_id: session.organizationId, user_id: session.userId };
  return { sessionSecret: secret, purpose: 'link an account', fixed };
}
