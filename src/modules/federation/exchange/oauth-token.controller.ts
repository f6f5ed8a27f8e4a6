import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal } from '../../../auth/current-principal.decorator.js';
import type { Principal } from '../../../auth/principal.js';
import { Operation } from '../../../http/openapi/operation.decorator.js';
import { OAuthJwks, TokenExchangeRequest, TokenExchangeResponse } from '../dto/token-exchange.dto.js';
import { IssuerKeysUnavailable, TooManyTokenExchanges } from '../federation.errors.js';
import { OAUTH_ERROR_WRITER } from './oauth-error.js';
import { TokenExchangeService } from './token-exchange.service.js';

/** The exchange of tokens, which workloads call without a credential of ours. */
@Controller('oauth')
@ApiTags('OAuth')
export class OauthTokenController {
  constructor(private readonly exchanges: TokenExchangeService) {}

  @Post('token')
  @Operation({
    type: TokenExchangeResponse,
    needsNoCredential: true,
    isSafe: true,
    errorWriter: OAUTH_ERROR_WRITER,
    summary: 'Exchange a token of a workload for an access token',
    description:
      'Exchanges a token of an issuer that a federation policy names, such as that of a job of a CI service, for an access token that acts as an API key (RFC 8693).',
    errors: [TooManyTokenExchanges, IssuerKeysUnavailable],
  })
  createOauthToken(@CurrentPrincipal() caller: Principal, @Body() input: TokenExchangeRequest) {
    return this.exchanges.exchange(caller, input);
  }

  @Get('jwks')
  @Operation({
    type: OAuthJwks,
    needsNoCredential: true,
    summary: 'List the public keys of access tokens',
    description: 'Returns the public keys that access tokens are signed with, as a JWK Set (RFC 7517).',
  })
  listOauthJwks() {
    return this.exchanges.keys();
  }
}
