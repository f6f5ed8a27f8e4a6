import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SessionResolver } from '../../auth/session-resolver.js';
import { AuditModule } from '../audit/index.js';
import { OrganizationsModule } from '../organizations/index.js';
import {
  MemberIdentityEntity,
  SignInAttemptEntity,
  SignInConnectionEntity,
  UsedLogoutTokenEntity,
} from './entities/sign-in-connection.entity.js';
import { SessionEntity, SignInLinkEntity } from './entities/session.entity.js';
import { SignInLinkController } from './links/sign-in-link.controller.js';
import { SignInLinksRepository } from './links/sign-in-links.repository.js';
import { SignInLinksService } from './links/sign-in-links.service.js';
import { MemberSessionsHook } from './sessions/member-sessions.hook.js';
import { SessionController } from './sessions/session.controller.js';
import { SessionsRepository } from './sessions/sessions.repository.js';
import { SessionsService } from './sessions/sessions.service.js';

/** How people sign in with a browser (docs/interface/sign-in.md). */
@Module({
  imports: [
    TypeOrmModule.forFeature([
      MemberIdentityEntity,
      SessionEntity,
      SignInAttemptEntity,
      SignInConnectionEntity,
      SignInLinkEntity,
      UsedLogoutTokenEntity,
    ]),
    AuditModule,
    OrganizationsModule,
  ],
  controllers: [SignInLinkController, SessionController],
  providers: [
    MemberSessionsHook,
    SessionsRepository,
    SessionsService,
    SignInLinksRepository,
    SignInLinksService,
    { provide: SessionResolver, useExisting: SessionsService },
  ],
  exports: [SessionResolver, SignInLinksService],
})
export class SignInModule {}
