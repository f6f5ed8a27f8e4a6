import { Module } from '@nestjs/common';
import { CatalogModule } from '../catalog/index.js';
import { KeysModule } from '../keys/index.js';
import { OrganizationsModule } from '../organizations/index.js';
import { WorkspacesModule } from '../workspaces/index.js';
import { InstallationService } from './installation.service.js';

/** Sets up new deployments. */
@Module({
  imports: [CatalogModule, KeysModule, OrganizationsModule, WorkspacesModule],
  providers: [InstallationService],
  exports: [InstallationService],
})
export class InstallationModule {}
