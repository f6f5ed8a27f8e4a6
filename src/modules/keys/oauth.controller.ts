import { Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { Caller } from '../../auth/caller.decorator.js';
import type { ManagementPrincipal, Principal } from '../../auth/principal.js';
import { Input } from '../../http/input/input.decorator.js';
import { Answers } from '../../http/openapi/answers.decorator.js';
import { AuthorizationCodesService } from './authorization-codes.service.js';
import { CreateAuthKeysCodeRequest } from './dto/create-code-request.dto.js';
import { CreateAuthKeysCodeResponse } from './dto/create-code-response.dto.js';
import { ExchangeAuthCodeRequest } from './dto/exchange-code-request.dto.js';
import { ExchangeAuthCodeResponse } from './dto/exchange-code-response.dto.js';

/** The two steps of the authorization code grant that Gatehouse takes part in. */
@Controller('auth/keys')
@ApiTags('OAuth')
export class OauthController {
  constructor(private readonly codes: AuthorizationCodesService) {}

  @Post()
  @Authenticated('management_key', 'api_key', 'client_secret')
  @Answers({
    status: 200,
    type: ExchangeAuthCodeResponse,
    summary: 'Exchange an authorization code for an API key',
    description:
      'Completes the PKCE flow (RFC 7636). A code works once and for ten minutes; a refused attempt does not use it up.',
    unavailableStatus: 500,
    errors: [400, 403, 413],
    reasons: { 403: 'invalid_authorization_code' },
  })
  exchangeAuthCodeForAPIKey(
    @Caller() caller: Principal,
    @Input({ body: ExchangeAuthCodeRequest }) input: ExchangeAuthCodeRequest,
  ): Promise<ExchangeAuthCodeResponse> {
    return this.codes.exchange(caller, input);
  }

  @Post('code')
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: CreateAuthKeysCodeResponse,
    summary: 'Create an authorization code',
    description:
      "For the deployment's own consent page, once the user has agreed. A code for a callback URL that a Connect client has registered can be exchanged with that client's secret only.",
    errors: [400, 403, 409, 413],
    reasons: { 409: 'connect_client_deleted' },
  })
  createAuthKeysCode(
    @Caller() caller: ManagementPrincipal,
    @Input({ body: CreateAuthKeysCodeRequest }) input: CreateAuthKeysCodeRequest,
  ): Promise<CreateAuthKeysCodeResponse> {
    return this.codes.create(caller, input);
  }
}
