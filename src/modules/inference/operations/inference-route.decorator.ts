import { applyDecorators } from '@nestjs/common';
import { Authenticated, ResolvedBy } from '../../../auth/authenticated.decorator.js';
import {
  Operation,
  type OperationDecorator,
  type OperationOptions,
} from '../../../http/openapi/operation.decorator.js';
import { HoldsSlotsInParts } from '../../../http/request-limits/request-slots.js';
import { OPERATIONS } from '../../../telemetry/operations.js';
import { REFUSALS_OF_EVERY_OPERATION } from '../inference.errors.js';
import { CallerContexts } from '../pipeline/context/caller-contexts.service.js';
import type { RecordedOperation } from '../pipeline/refusals/recorded-operation.js';
import type { InferenceOperation } from '../pipeline/request/operation.js';
import { RecordsEarlyRefusals } from '../pipeline/refusals/records-early-refusals.decorator.js';
import { LabelsHeader, ResponseCacheHeaders } from './documented-headers.decorator.js';
import { CHAT_ERROR_FORM } from './chat/chat-errors.js';

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
