export { type ExceededRate, RATE_KINDS, type RateLevel, type RateSubject } from './rate-count.js';
export {
  changedRateLimits,
  hasRateLimits,
  NO_RATE_LIMITS,
  RATE_LIMITS_INPUT,
  RateLimits,
  RateLimitsInput,
  SHOWN_RATE_LIMITS,
  type StoredRateLimits,
  toRateLimits,
} from './rate-limits.js';
export { RATE_REFUSALS, rateRefusalOf } from './rates.errors.js';
export { RatesModule } from './rates.module.js';
export { RatesService } from './rates.service.js';
