export { FILTERED } from './analytics/filtered-rows.js';
export { UNANSWERED } from './analytics/recorded-rows.js';
export { ADD_USAGE, USED } from './totals/usage-additions.js';
export { KeyLastUseRepository } from './last-use/key-last-use.repository.js';
export { UsageRollUpService } from './totals/usage-roll-up.service.js';
export { UsageModule } from './usage.module.js';
