export { blockIdOf, isBlock, isBlockIn } from './block-names.js';
export { overflowOf } from './combination.js';
export type { AskedCounter, CompiledLimit, CounterPlace } from './compiled-limit.js';
export { UpdateLimitRequest } from './dto/limit.dto.js';
export type { RequestAttributes } from './limit-attributes.js';
export {
  ADD_POPULATIONS,
  ALL_KEYS,
  chargeCounters,
  COUNTER_STATES,
  type CounterAddition,
  type CounterState,
  counterStatesValues,
  type CounterUse,
  DELETE_EXPIRED_COUNTERS,
  type LimitHold,
  MAXIMUM_COMBINATIONS,
  RESERVE_COUNTERS,
} from './limit-counters.js';
export {
  type CombinationValues,
  countsByok,
  type Enforcement,
  ENFORCEMENTS,
  LIMIT_MEASURES,
  LIMIT_WINDOWS,
  type LimitMeasure,
  type LimitWindow,
} from './limit-vocabulary.js';
export { counterExpiryOf, windowEndOf, windowStartOf } from './limit-windows.js';
export { limitWords } from './limit-words.js';
export { LimitsInForce } from './limits-in-force.service.js';
export {
  COUNTER_REFUSALS,
  LimitNotFound,
  MISSING_GROUP_VALUE,
  missingValueOf,
  type RefusingCounter,
  refusingCounterIn,
  refusingCounterOf,
  SpendLimitExceeded,
  UsageLimitExceeded,
} from './limits.errors.js';
export { LimitsModule } from './limits.module.js';
export { LIMITS_VERSION } from './limits.repository.js';
export { LimitsService } from './limits.service.js';
export { windowForecast } from './window-forecast.js';
export { guardrailsOfMember, isGuardrailOfMember } from './member-guardrails.js';
