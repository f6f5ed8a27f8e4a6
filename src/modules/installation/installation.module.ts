import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { CatalogModule } from '../catalog/index.js';
import { KeysModule } from '../keys/index.js';
import { OrganizationsModule } from '../organizations/index.js';
import { WorkspacesModule } from '../workspaces/index.js';
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
