export { InstallationModule } from './installation.module.js';
export { type Administrator, InstallationService, type NewOrganization } from './installation.service.js';
export { OrganizationRemovalService, type RemovalRefusal } from './organization-removal.service.js';
