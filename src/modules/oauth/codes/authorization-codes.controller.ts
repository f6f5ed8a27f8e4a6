import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated, KeepsToOwn } from '../../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../../auth/current-principal.decorator.js';
import type { ManagementPrincipal, Principal } from '../../../auth/principal.js';
import { Operation } from '../../../http/openapi/operation.decorator.js';
import { AuthorizationCodesService } from './authorization-codes.service.js';
import {
  CreateAuthKeysCodeRequest,
  CreateAuthKeysCodeResponse,
  ExchangeAuthCodeRequest,
  ExchangeAuthCodeResponse,
} from './authorization-code.dto.js';
import {
  AuthorizationCodeExpired,
  ConnectClientDeleted,
  InvalidAuthorizationCode,
  InvalidCodeVerifier,
} from '../oauth.errors.js';

/** The two steps of the authorization code grant that Gatehouse takes part in. */
@Controller('auth/keys')
@ApiTags('OAuth')
export class AuthorizationCodesController {
  constructor(private readonly codes: AuthorizationCodesService) {}

  @Post()
  @Authenticated(['management_key', 'api_key', 'client_secret'], 'none')
  @Operation({
    type: ExchangeAuthCodeResponse,
    summary: 'Exchange an authorization code for an API key',
    description:
      'Completes the PKCE flow (RFC 7636). A code works once and for ten minutes. A refused attempt does not use it up.',
    unavailableStatus: 500,
    errors: [InvalidAuthorizationCode, AuthorizationCodeExpired, InvalidCodeVerifier],
  })
  exchangeAuthCodeForAPIKey(@CurrentPrincipal() caller: Principal, @Body() input: ExchangeAuthCodeRequest) {
    return this.codes.exchange(caller, input);
  }

  @Post('code')
  @Authenticated(['management_key'], 'keys_write')
  @KeepsToOwn()
  @Operation({
    type: CreateAuthKeysCodeResponse,
    summary: 'Create an authorization code',
    description:
      "Called by the deployment's consent page after the user agreed. A code for a callback URL of a Connect client can be exchanged with that client's secret only.",
    errors: [ConnectClientDeleted],
  })
  createAuthKeysCode(@CurrentPrincipal() caller: ManagementPrincipal, @Body() input: CreateAuthKeysCodeRequest) {
    return this.codes.create(caller, input);
  }
}
