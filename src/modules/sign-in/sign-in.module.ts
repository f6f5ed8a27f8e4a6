import { Module } from '@nestjs/common';
import { ConfigurationModule } from '../configuration/configuration.module.js';
import { SignInConnectionsConfiguration } from './connections/sign-in-connections.configuration.js';

import { TypeOrmModule } from '@nestjs/typeorm';
import { SessionResolver } from '../../auth/session-resolver.js';
import { ConstraintErrors } from '../../http/errors/constraint-errors.js';
import { AuditModule } from '../audit/audit.module.js';
import { EncryptionModule } from '../encryption/encryption.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { ScimModule } from '../scim/scim.module.js';
import { BackChannelLogoutController } from './back-channel/back-channel-logout.controller.js';
import { BackChannelLogoutRepository } from './back-channel/back-channel-logout.repository.js';
import { BackChannelLogoutService } from './back-channel/back-channel-logout.service.js';
import { EncryptedClientSecrets } from './connections/encrypted-client-secrets.js';
import { IssuerTakeover } from './connections/issuer-takeover.service.js';
import { SignInConnectionsController } from './connections/sign-in-connections.controller.js';
import { SignInConnectionsRepository } from './connections/sign-in-connections.repository.js';
import { SignInConnectionsService } from './connections/sign-in-connections.service.js';
import {
  MemberIdentityEntity,
  SignInAttemptEntity,
  SignInConnectionEntity,
  UsedLogoutTokenEntity,
} from './entities/sign-in-connection.entity.js';
import { SessionEntity, SignInLinkEntity } from './entities/session.entity.js';
import { IdentityLinksService } from './identities/identity-links.service.js';
import { MemberIdentitiesController } from './identities/member-identities.controller.js';
import { MemberIdentitiesRepository } from './identities/member-identities.repository.js';
import { MemberIdentitiesService } from './identities/member-identities.service.js';
import { LinkConfirmationsRepository } from './linking/link-confirmations.repository.js';
import { LinkConfirmationsService } from './linking/link-confirmations.service.js';
import { LinkingController } from './linking/linking.controller.js';
import { SignInLinkController } from './links/sign-in-link.controller.js';
import { SignInLinksRepository } from './links/sign-in-links.repository.js';
import { SignInLinksService } from './links/sign-in-links.service.js';
import { BrowserSignIns } from './oidc/browser-sign-ins.js';
import { OidcClients } from './oidc/oidc-clients.js';
import { SignInAttemptsRepository } from './oidc/sign-in-attempts.repository.js';
import { SignInController } from './oidc/sign-in.controller.js';
import { SignInService } from './oidc/sign-in.service.js';
import { UserInfo } from './oidc/user-info.js';
import { MemberSessionsHook } from './sessions/member-sessions.hook.js';
import { SessionController } from './sessions/session.controller.js';
import { SessionsRepository } from './sessions/sessions.repository.js';
import { SessionsService } from './sessions/sessions.service.js';
import { SignOutController } from './sessions/sign-out.controller.js';
import { SIGN_IN_CONSTRAINT_ERRORS } from './sign-in.errors.js';
import { SignInRate } from './sign-in-rate.js';

/** How people sign in with a browser (docs/interface/sign-in.md). */
@Module({
  imports: [
    ConfigurationModule,
    TypeOrmModule.forFeature([
      MemberIdentityEntity,
      SessionEntity,
      SignInAttemptEntity,
      SignInConnectionEntity,
      SignInLinkEntity,
      UsedLogoutTokenEntity,
    ]),
    AuditModule,
    EncryptionModule,
    OrganizationsModule,
    ScimModule,
  ],
  controllers: [
    BackChannelLogoutController,
    SignInLinkController,
    SignInController,
    LinkingController,
    SignOutController,
    SessionController,
    SignInConnectionsController,
    MemberIdentitiesController,
  ],
  providers: [
    SignInConnectionsConfiguration,
    BackChannelLogoutRepository,
    BackChannelLogoutService,
    EncryptedClientSecrets,
    BrowserSignIns,
    IssuerTakeover,
    IdentityLinksService,
    LinkConfirmationsRepository,
    LinkConfirmationsService,
    MemberIdentitiesRepository,
    MemberIdentitiesService,
    MemberSessionsHook,
    SessionsRepository,
    SessionsService,
    OidcClients,
    SignInAttemptsRepository,
    SignInConnectionsRepository,
    SignInConnectionsService,
    SignInService,
    SignInLinksRepository,
    SignInLinksService,
    SignInRate,
    UserInfo,
    { provide: SessionResolver, useExisting: SessionsService },
  ],
  exports: [SessionResolver, SignInLinksService],
})
export class SignInModule {
  constructor(errors: ConstraintErrors) {
    errors.add(SIGN_IN_CONSTRAINT_ERRORS);
  }
}
