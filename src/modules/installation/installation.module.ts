import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { CatalogModule } from '../catalog/catalog.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { InstallationService } from './installation.service.js';
import { OrganizationRemovalRepository } from './organization-removal.repository.js';
import { OrganizationRemovalService } from './organization-removal.service.js';

/** Sets up new deployments. */
@Module({
  imports: [AuditModule, CatalogModule, KeysModule, OrganizationsModule, WorkspacesModule],
  providers: [InstallationService, OrganizationRemovalRepository, OrganizationRemovalService],
  exports: [InstallationService, OrganizationRemovalService],
})
export class InstallationModule {}
