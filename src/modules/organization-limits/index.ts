export { LargeRows } from './large-rows.js';
export { TooManyLargeLists } from './organization-limits.errors.js';
export { OrganizationLimitsModule } from './organization-limits.module.js';
export { Quotas } from './quotas.js';
