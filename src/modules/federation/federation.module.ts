import { Module } from '@nestjs/common';
import { ConfigurationModule } from '../configuration/configuration.module.js';
import { FederationIssuersConfiguration } from './issuers/issuers.configuration.js';
import { FederationPoliciesConfiguration } from './policies/policies.configuration.js';

import { TypeOrmModule } from '@nestjs/typeorm';
import { ConstraintErrors } from '../../http/errors/constraint-errors.js';
import { AuditModule } from '../audit/audit.module.js';
import { EncryptionModule } from '../encryption/encryption.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { FederationIssuerEntity } from './entities/federation-issuer.entity.js';
import { FederationPolicyEntity } from './entities/federation-policy.entity.js';
import { TokenSigningKeyEntity } from './entities/token-signing-key.entity.js';
import { IssuerKeys } from './exchange/issuer-keys.service.js';
import { OauthTokenController } from './exchange/oauth-token.controller.js';
import { TokenExchangeRate } from './exchange/token-exchange-rate.js';
import { TokenExchangeService } from './exchange/token-exchange.service.js';
import { FEDERATION_CONSTRAINT_ERRORS } from './federation.errors.js';
import { IssuersController } from './issuers/issuers.controller.js';
import { IssuersService } from './issuers/issuers.service.js';
import { PoliciesController } from './policies/policies.controller.js';
import { PoliciesRepository } from './policies/policies.repository.js';
import { PoliciesService } from './policies/policies.service.js';
import { AccessTokensService } from './signing/access-tokens.service.js';
import { SigningKeysRepository } from './signing/signing-keys.repository.js';
import { SigningKeys } from './signing/signing-keys.service.js';

/** The exchange of tokens of workloads for access tokens, which act as API keys (docs/interface/token-exchange.md). */
@Module({
  imports: [
    ConfigurationModule,
    TypeOrmModule.forFeature([FederationIssuerEntity, FederationPolicyEntity, TokenSigningKeyEntity]),
    AuditModule,
    EncryptionModule,
    KeysModule,
  ],
  controllers: [IssuersController, PoliciesController, OauthTokenController],
  providers: [
    FederationIssuersConfiguration,
    FederationPoliciesConfiguration,
    AccessTokensService,
    IssuerKeys,
    IssuersService,
    PoliciesRepository,
    PoliciesService,
    SigningKeys,
    SigningKeysRepository,
    TokenExchangeRate,
    TokenExchangeService,
  ],
  exports: [SigningKeys],
})
export class FederationModule {
  constructor(errors: ConstraintErrors) {
    errors.add(FEDERATION_CONSTRAINT_ERRORS);
  }
}
