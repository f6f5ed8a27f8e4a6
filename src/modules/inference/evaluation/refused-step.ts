import { BadRequestError } from '../../../http/errors/bad-request-error.js';
import type { DomainError } from '../../../http/errors/domain-error.js';
import { ContentBlocked, ContentFilterUnavailable, PromptInjectionDetected } from '../../content/content.errors.js';
import { NoEndpoints } from '../../routing/routing.errors.js';
import { MET_LIMIT_REFUSALS } from '../../spend/spend.errors.js';
import {
  DataRegionNotAllowed,
  EndUserNotAllowed,
  InputNotScannable,
  InvalidModel,
  ModelMissing,
  PresetMissing,
  WrongEndpoint,
} from '../inference.errors.js';
import type { EvaluationStep } from './dto/guardrail-evaluation.dto.js';

type ErrorClass = abstract new (...values: never[]) => DomainError;

/** The steps that refuse a request by an error. */
type PreparationStep = Exclude<EvaluationStep, 'admission'>;

/** What each step refuses a request with. A body is malformed at this point only by its preset. */
const REFUSALS: Readonly<Record<PreparationStep, readonly ErrorClass[]>> = {
  subject: [EndUserNotAllowed],
  preset: [PresetMissing, BadRequestError as unknown as ErrorClass],
  models: [ModelMissing, InvalidModel, WrongEndpoint],
  limits: MET_LIMIT_REFUSALS,
  policy: [DataRegionNotAllowed],
  content: [InputNotScannable, ContentBlocked, PromptInjectionDetected, ContentFilterUnavailable],
  candidates: [NoEndpoints],
};

/** A refusal that a request would have got. */
export interface StepRefusal {
  readonly step: EvaluationStep;
  readonly error: DomainError;
}

/** The step of the preparation that has refused a request; undefined for other errors, such as too many requests at a time. */
export function stepRefusalOf(error: unknown): StepRefusal | undefined {
  for (const [step, classes] of Object.entries(REFUSALS) as [PreparationStep, readonly ErrorClass[]][]) {
    const refusing = classes.find((kind) => error instanceof kind);
    if (refusing !== undefined) return { step, error: error as DomainError };
  }
  return undefined;
}

/** What `error.message` of the refusal would say. */
export function messageOf(error: DomainError): string {
  return error instanceof BadRequestError ? error.explanation : (error.shownMessage ?? error.message);
}
