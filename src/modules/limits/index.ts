export type { LimitHold } from './limit-hold.js';
export { type Enforcement, ENFORCEMENTS } from './limit-vocabulary.js';
export { LimitsModule } from './limits.module.js';
