export { decisionOf, type ObservingBudget, observingBudgets } from './admission-decision.js';
export { ADMISSION_STATE, admissionStateValues, dayOf, type Spender } from './admission-state.repository.js';
export type { AdmissionRequest, AmountsOfProcess } from './admission-request.js';
export { AdmissionService } from './admission.service.js';
export { BlockAdmissions } from './blocks/block-admissions.service.js';
export { type BlockRow, BLOCKS, BlocksRepository, blocksValues } from './blocks/blocks.repository.js';
export { IdleBlocks } from './blocks/idle-blocks.service.js';
export { budgetsOfKey, KEY_BUDGET_SCOPES, type KeyBudgetRow, type KeyBudgetScope } from './budgets-of-key.js';
export {
  countedDecisionOf,
  type CountedFit,
  type ForeseenCounter,
  foreseenCountersOf,
  type RequestCounters,
  type RequestedCounter,
} from './counted-decision.js';
export { DeadProcessesService } from './dead-processes.service.js';
export { largerOf, textOfUnits, unitsOf, withoutShare } from './decimal-amount.js';
export type { SpendReservationEntity } from './entities/spend-reservation.entity.js';
export { countedKeySpend, keySpendAt } from './key-totals.js';
export { limitName } from './limit-refusals.repository.js';
export { LIMIT_SUBJECTS, LIMITS_IN_FORCE, type LimitsInForce, type MetLimit, NO_LIMIT_MET } from './limits-of-key.js';
export { LIMITS_OF_ORGANIZATION } from './limits-of-organization.js';
export { CounterPlaces, type HeldCounter, OpenCounters } from './open-counters.js';
export { type OpenLimit, OpenLimits } from './open-limits.js';
export { ProcessLeaseService } from './process-lease.service.js';
export { byOrganization } from './reservation-rows.js';
export { endOfWindow, SPEND_INTERVALS, type SpendInterval, TODAY } from './spend-interval.js';
export {
  InsufficientBudget,
  MET_LIMIT_REFUSALS,
  refusalOf,
  type RefusingLimit,
  refusingLimitOf,
} from './spend.errors.js';
export { SpendModule } from './spend.module.js';
export { CHARGE_WINDOWS } from './window-charges.js';
export {
  type CandidatePrice,
  costAt,
  countedAmount,
  type FittingRequest,
  isFree,
  isWithin,
  overrunOf,
  type ReservedAmounts,
  type WorstCase,
  worstCaseAmounts,
} from './worst-case.js';
