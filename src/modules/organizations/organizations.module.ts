import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationEntity, OrganizationMemberEntity, UserEntity } from './entities/organization.entity.js';
import { MemberHooks } from './members/member-hooks.js';
import { MembersRepository } from './members/members.repository.js';
import { MembersService } from './members/members.service.js';
import { OrganizationsController } from './organizations.controller.js';
import { OrganizationsRepository } from './organizations.repository.js';
import { OrganizationsService } from './organizations.service.js';

/** Organizations, users and their memberships, which all other modules build on. */
@Module({
  imports: [AuditModule, TypeOrmModule.forFeature([OrganizationEntity, OrganizationMemberEntity, UserEntity])],
  controllers: [OrganizationsController],
  providers: [MemberHooks, MembersRepository, MembersService, OrganizationsRepository, OrganizationsService],
  exports: [MemberHooks, MembersService, OrganizationsService],
})
export class OrganizationsModule {}
