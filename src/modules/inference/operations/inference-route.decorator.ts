import { applyDecorators, SetMetadata, UseFilters } from '@nestjs/common';
import { Authenticated, ResolvedBy } from '../../../auth/authenticated.decorator.js';
import {
  Operation,
  type OperationDecorator,
  type OperationOptions,
} from '../../../http/openapi/operation.decorator.js';
import { HoldsSlotsInParts } from '../../../http/request-limits/request-slots.js';
import { OPERATIONS } from '../../../telemetry/operations.js';
import { REFUSALS_OF_EVERY_OPERATION, ModelMissing, PresetMissing } from '../inference.errors.js';
import { CallerContexts } from '../pipeline/context/caller-contexts.service.js';
import { type RecordedOperation, RECORDED_OPERATION_METADATA } from '../pipeline/refusals/early-refusals.service.js';
import type { InferenceOperation } from '../pipeline/request/operation.js';
import { LabelsHeader, ResponseCacheHeaders } from './documented-headers.decorator.js';
import { EarlyRefusalFilter } from '../pipeline/refusals/early-refusal.filter.js';
import type { ErrorKind } from '../../../http/errors/domain-error.js';
import { chatErrorEnvelope } from '../../codecs/openai-chat/answer-encoder.js';
import { ChatErrorResponse } from '../dto/chat-error.dto.js';

/** What every operation that a chat answers can be refused with. */
export const CHAT_ERRORS: readonly ErrorKind[] = [...REFUSALS_OF_EVERY_OPERATION, ModelMissing, PresetMissing];

/** How operations in the dialects of OpenAI answer failures. */
export const CHAT_ERROR_FORM = { type: ChatErrorResponse, write: chatErrorEnvelope } as const;

/** An operation whose answers providers give; its failures have the form of OpenAI's unless it names another. */
interface InferenceRouteOptions<Answer extends object>
  extends Omit<OperationOptions<Answer>, 'isInference'>, Pick<RecordedOperation, 'rateHeaders'> {
  /** The description of the operation, whose name says the type of its records. */
  readonly operation: Pick<InferenceOperation<never>, 'name' | 'isCached'>;
}

/** Declares a method of a controller as an operation that providers answer and that keys of inference may call. */
export function InferenceRoute<Answer extends object>({
  operation: { name, isCached },
  rateHeaders,
  ...documented
}: InferenceRouteOptions<Answer>): OperationDecorator<Answer> {
  return (prototype, method, descriptor) => {
    Operation<Answer>({
      errorWriter: CHAT_ERROR_FORM,
      errors: REFUSALS_OF_EVERY_OPERATION,
      ...documented,
      isInference: true,
    })(prototype, method, descriptor);
    applyDecorators(
      ...(isCached ? [ResponseCacheHeaders()] : []),
      LabelsHeader(),
      RecordsEarlyRefusals({ apiType: OPERATIONS[name].record, rateHeaders }),
      ResolvedBy(CallerContexts),
      HoldsSlotsInParts(),
      Authenticated(['api_key']),
    )(prototype, method, descriptor);
  };
}

/**
 * Gives an operation of inference records of requests that are refused before they reach its controller
 * (docs/interface/generations.md#early-refusals).
 */
function RecordsEarlyRefusals(operation: RecordedOperation): MethodDecorator {
  return applyDecorators(SetMetadata(RECORDED_OPERATION_METADATA, operation), UseFilters(EarlyRefusalFilter));
}
