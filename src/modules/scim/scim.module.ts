import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { SCIM_ENTITIES } from './entities/index.js';
import { ScimController } from './scim.controller.js';
import { ScimRepository } from './scim.repository.js';
import { ScimService } from './scim.service.js';

/** Groups that an identity provider pushes, and their mappings to workspaces. */
@Module({
  imports: [TypeOrmModule.forFeature(SCIM_ENTITIES), OrganizationsModule],
  controllers: [ScimController],
  providers: [ScimRepository, ScimService],
  exports: [ScimService],
})
export class ScimModule {}
