import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationEntity, OrganizationMemberEntity, UserEntity } from './entities/organization.entity.js';
import { OrganizationsController } from './organizations.controller.js';
import { OrganizationsRepository } from './organizations.repository.js';
import { OrganizationsService } from './organizations.service.js';

/** Organizations, users and their memberships, which all other modules build on. */
@Module({
  imports: [AuditModule, TypeOrmModule.forFeature([OrganizationEntity, OrganizationMemberEntity, UserEntity])],
  controllers: [OrganizationsController],
  providers: [OrganizationsRepository, OrganizationsService],
  exports: [OrganizationsService],
})
export class OrganizationsModule {}
