import type { RecordedType } from '../../../../telemetry/operations.js';
import type { RateHeaders } from '../rates/rate-headers.js';

/** The metadata key of a {@link RecordedOperation}. */
export const RECORDED_OPERATION_METADATA = 'gatehouse:recorded-operation';

/** What a record of an early refusal says of the operation, and how its clients are told of their rates. */
export interface RecordedOperation {
  readonly apiType: RecordedType;
  /** The headers that the clients of the operation read about limits per minute, besides those of every operation. */
  readonly rateHeaders?: RateHeaders | undefined;
}
