export { availabilityField } from './availability.js';
export {
  countedExclusions,
  type EndpointNeeds,
  type Exclusion,
  EXCLUSION_BY_POLICY,
  EXCLUSIONS,
  EXCLUSIONS_IN_WORDS,
  exclusionsOf,
} from './endpoint-exclusion.js';
export { EndpointHealth, type OwnAttempts } from './endpoint-health.js';
export {
  type CandidateEndpoint,
  CONDITIONS,
  type EndpointCondition,
  orderedCandidates,
  type OrderRules,
  type PercentileBound,
  withOwnFirst,
} from './endpoint-order.js';
export { noEndpoints, NoEndpoints, PromptTooLong } from './routing.errors.js';
export { RoutingModule } from './routing.module.js';
export { type Conversation, StickyEndpoints } from './sticky-endpoints.js';
