export { BoundedText } from './content/bounded-text.js';
export { EncryptedContents } from './content/encrypted-contents.js';
export {
  boundedInput,
  boundedText,
  type ContentError,
  type ContentInput,
  type ContentOutput,
} from './content/generation-content.js';
export { GenerationObservation } from './dto/generation.dto.js';
export { ExpiredReservationsService } from './expired-reservations.service.js';
export {
  type AnswerFilteringReport,
  type AppliedFilter,
  type ChargedKind,
  type Observation,
  OBSERVED_OUTCOMES,
  OBSERVED_REASONS,
  type ObservedGuardrail,
  type ObservedLimit,
  type ProviderAttempt,
  type RecordedExclusion,
  type RecordedJudgement,
  type UsageCharge,
  type RecordedMcpRequest,
} from './generation-details.js';
export { GenerationPartitionsService } from './generation-partitions.service.js';
export { timeOfGeneration } from './generation-time.js';
export { GenerationsModule } from './generations.module.js';
export { GenerationsService, type NewGeneration } from './generations.service.js';
export { shownFiltersOf } from './shown-filters.js';
