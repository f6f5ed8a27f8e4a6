import { Module } from '@nestjs/common';
import { CatalogModule } from '../catalog/catalog.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { InstallationService } from './installation.service.js';

/** Sets up new deployments. */
@Module({
  imports: [CatalogModule, KeysModule, OrganizationsModule, WorkspacesModule],
  providers: [InstallationService],
  exports: [InstallationService],
})
export class InstallationModule {}
