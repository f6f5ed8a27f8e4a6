import { applyDecorators, SetMetadata, UseFilters } from '@nestjs/common';
import { EarlyRefusalFilter } from './early-refusal.filter.js';
import { RECORDED_OPERATION_METADATA, type RecordedOperation } from './recorded-operation.js';

/**
 * Gives an operation of inference records of requests that are refused before they reach its controller
 * (docs/interface/generations.md#early-refusals).
 */
export function RecordsEarlyRefusals(operation: RecordedOperation): MethodDecorator {
  return applyDecorators(SetMetadata(RECORDED_OPERATION_METADATA, operation), UseFilters(EarlyRefusalFilter));
}
