import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { SessionResolver } from '../../../auth/session-resolver.js';
import { Environment } from '../../../config/environment.js';
import { queryFields, readForm } from '../../../http/pages/page-form.js';
import { isFromOwnPage } from '../../../http/pages/origin.js';
import { type Page, sendPage } from '../../../http/pages/page.js';
import { Public } from '../../../http/public.decorator.js';
import type { GatehouseRequest } from '../../../http/request.js';
import {
  ADMINISTRATORS_ONLY,
  ANSWERED,
  codePage,
  DENIED,
  FORBIDDEN,
  questionPage,
  refusedPage,
  returnPage,
  signInPage,
  STALE,
  tooManyPage,
} from './consent.pages.js';
import { type ConsentAnswer, ConsentService } from './consent.service.js';

/** The paths of the page, which lie outside the interface, without a slash at the beginning. */
export const CONSENT_PATHS = ['auth'];

/** The page on which people allow applications to get an API key of theirs, or refuse it (docs/interface/consent.md). */
@Controller('auth')
@Public()
export class ConsentController {
  constructor(
    private readonly consent: ConsentService,
    private readonly sessions: SessionResolver,
    private readonly environment: Environment,
  ) {}

  /** Shows what an application asks for: 200; 400 for a wrong request, 401 without a session. */
  @Get()
  async showConsent(@Req() request: GatehouseRequest, @Res() response: Response): Promise<void> {
    const fields = queryFields(request);
    const refusal = this.consent.refusalOf(fields);
    if (refusal !== undefined) {
      sendPage(request, response, 400, refusedPage(refusal));
      return;
    }
    const person = await this.sessions.ofRequest(request, this.environment);
    if (person === undefined) {
      const back = encodeURIComponent(request.originalUrl);
      sendPage(request, response, 401, signInPage(`/auth/login?return_to=${back}`));
      return;
    }
    send(request, response, await this.consent.ask(person, fields));
  }

  /** Does what the person has decided: 200 with a page that goes on; 400, 401 or 403 with one that does not. */
  @Post()
  async answerConsent(@Req() request: GatehouseRequest, @Res() response: Response): Promise<void> {
    if (!isFromOwnPage(request, this.environment)) {
      sendPage(request, response, 403, STALE);
      return;
    }
    const fields = await readForm(request);
    const person = await this.sessions.ofRequest(request, this.environment);
    if (person === undefined) {
      sendPage(request, response, 401, STALE);
      return;
    }
    send(request, response, await this.consent.answer(person, fields));
  }
}

function send(request: GatehouseRequest, response: Response, answer: ConsentAnswer): void {
  const [status, page] = pageOf(answer);
  if (answer.kind === 'too_many') response.setHeader('Retry-After', String(answer.retryAfterSeconds));
  sendPage(request, response, status, page);
}

function pageOf(answer: ConsentAnswer): [status: number, page: Page] {
  switch (answer.kind) {
    case 'question':
      return [answer.question.issues.length === 0 ? 200 : 400, questionPage(answer.question)];
    case 'refused':
      return [400, refusedPage(answer.why)];
    case 'forbidden':
      return [403, FORBIDDEN];
    case 'administrators_only':
      return [403, ADMINISTRATORS_ONLY];
    case 'too_many':
      return [429, tooManyPage(answer.retryAfterSeconds)];
    case 'stale':
      return [400, STALE];
    case 'answered':
      return [400, ANSWERED];
    case 'return':
      return [200, returnPage(answer.address, answer.isAllowed)];
    case 'code':
      return [200, codePage(answer.code)];
    case 'denied':
      return [200, DENIED];
  }
}
