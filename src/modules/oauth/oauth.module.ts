import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConstraintErrors } from '../../http/errors/constraint-errors.js';
import { AuditModule } from '../audit/audit.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { ConnectClientsController } from './clients/connect-clients.controller.js';
import { ConnectClientsRepository } from './clients/connect-clients.repository.js';
import { ConnectClientsService } from './clients/connect-clients.service.js';
import { AuthorizationCodesController } from './codes/authorization-codes.controller.js';
import { AuthorizationCodesRepository } from './codes/authorization-codes.repository.js';
import { AuthorizationCodesService } from './codes/authorization-codes.service.js';
import { ConsentController } from './consent/consent.controller.js';
import { ConsentRepository } from './consent/consent.repository.js';
import { ConsentService } from './consent/consent.service.js';
import { AuthorizationCodeEntity, OauthApplicationEntity } from './entities/authorization-code.entity.js';
import { ConnectClientEntity } from './entities/connect-client.entity.js';
import { OAUTH_CONSTRAINT_ERRORS } from './oauth.errors.js';

/**
 * Connect clients, the page on which people allow applications to get an API key of theirs (docs/interface/consent.md), and the way from
 * an authorization code to that key (docs/interface/keys-and-oauth.md).
 */
@Module({
  imports: [
    TypeOrmModule.forFeature([AuthorizationCodeEntity, ConnectClientEntity, OauthApplicationEntity]),
    AuditModule,
    KeysModule,
    OrganizationsModule,
    SignInModule,
    WorkspacesModule,
  ],
  controllers: [AuthorizationCodesController, ConnectClientsController, ConsentController],
  providers: [
    AuthorizationCodesRepository,
    AuthorizationCodesService,
    ConnectClientsRepository,
    ConnectClientsService,
    ConsentRepository,
    ConsentService,
  ],
  exports: [AuthorizationCodesService, ConnectClientsService],
})
export class OauthModule {
  constructor(errors: ConstraintErrors) {
    errors.add(OAUTH_CONSTRAINT_ERRORS);
  }
}
