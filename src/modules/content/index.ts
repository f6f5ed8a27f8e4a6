export { AnswerFilters } from './answers/answer-filters.js';
export { type AnswerJudge, type JudgedPiece, judgedInTurn } from './answers/answer-judge.js';
export { AnswerInspection, type WholeAnswerText } from './answers/answer-inspection.js';
export { holdsWholeText } from './answers/answer-policy.js';
export { AnswerRefused, AnswerText } from './answers/answer-text.js';
export {
  ANSWER_PLACES,
  appliesTo,
  BUILTIN_PLACEHOLDERS,
  type BuiltinSlug,
  DEFAULT_PLACES,
  FILTER_ACTIONS,
  FILTER_PLACES,
  type FilterAction,
  type FilterPlace,
  type Placement,
  placementOf,
  REQUEST_PLACES,
} from './content-filters.js';
export { ContentPolicy } from './content-policy.js';
export type {
  ContentResult,
  FilterName,
  Finding,
  OnTextMatch,
  Refusal,
  ScannedText,
  TextMatch,
} from './content-result.js';
export {
  ContentBlocked,
  ContentFilterUnavailable,
  errorOfRefusal,
  PromptInjectionDetected,
  TooManyContentScans,
} from './content.errors.js';
export { InspectorFailure, withinTime } from './inspectors/remote-inspection.js';
export { InspectionServers, REMOTE_QUEUE } from './inspectors/remote-request.js';
export { codeUnitsIn } from './inspectors/presidio/analyzer-answer.js';
export { piecesOf, type TextPiece } from './inspectors/text-pieces.js';
export { ContentModule } from './content.module.js';
export { ContentService } from './content.service.js';
export { PatternSearches } from './custom/pattern-searches.js';
