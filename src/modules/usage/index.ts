export { ADD_USAGE, USED } from './totals/usage-additions.js';
export { UsageRollUpService } from './totals/usage-roll-up.service.js';
export { UsageModule } from './usage.module.js';
