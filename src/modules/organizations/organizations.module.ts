import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationEntity, OrganizationMemberEntity, UserEntity } from './entities/organization.entity.js';
import { MemberAdministrationService } from './members/member-administration.service.js';
import { MemberErasureService } from './members/member-erasure.service.js';
import { MemberHooks } from './members/member-hooks.js';
import { MembersController } from './members/members.controller.js';
import { MembersRepository } from './members/members.repository.js';
import { MembersService } from './members/members.service.js';
import { OrganizationsController } from './organizations.controller.js';
import { OrganizationsRepository } from './organizations.repository.js';
import { OrganizationSettingsController } from './settings/organization-settings.controller.js';
import { OrganizationSettingsRepository } from './settings/organization-settings.repository.js';
import { OrganizationSettingsService } from './settings/organization-settings.service.js';
import { OrganizationsService } from './organizations.service.js';

/** Organizations, users and their memberships, which all other modules build on. */
@Module({
  imports: [AuditModule, TypeOrmModule.forFeature([OrganizationEntity, OrganizationMemberEntity, UserEntity])],
  controllers: [OrganizationsController, OrganizationSettingsController, MembersController],
  providers: [
    MemberAdministrationService,
    MemberErasureService,
    MemberHooks,
    MembersRepository,
    MembersService,
    OrganizationSettingsRepository,
    OrganizationSettingsService,
    OrganizationsRepository,
    OrganizationsService,
  ],
  exports: [MemberErasureService, MemberHooks, MembersService, OrganizationSettingsService, OrganizationsService],
})
export class OrganizationsModule {}
