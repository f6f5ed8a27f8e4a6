import {
  BooleanField,
  EnumField,
  FreeObjectField,
  IntegerField,
  ObjectField,
  TextField,
  TimestampField,
} from '../../../http/validation/fields.js';
import { BODY_LIMITS, BodyLimit } from '../../../http/input/body-limit.js';
import { SchemaExample } from '../../../http/validation/dto-fields.js';
import { Rules } from '../../../http/validation/rules.js';
import { configOfItsType } from '../config-issues.js';
import type { DestinationConfig } from '../config-mask.js';
import { DESTINATION_TYPES, type DestinationType } from '../destination-settings.js';
import { QUEUE_STATES } from '../delivery/queue-state.js';

/** How deliveries to a destination go: as its queue says, or `off` where nothing is sent to it. */
export const DELIVERY_STATES = [...QUEUE_STATES, 'off'] as const;

export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** What a destination says of its deliveries (docs/interface/destinations.md#states). */
export const DELIVERY_STATE = {
  description:
    'How deliveries go: active; retrying after failures; paused until the receiver works again or the destination is changed; gone (410) until it is changed; off while the destination is disabled or its workspace does not broadcast.',
  example: 'active',
} as const;

/** The last failure of a destination. */
export class DeliveryFailure {
  @IntegerField({ description: 'The status of the answer; null without one.', example: 503, nullable: true })
  status: number | null;

  @TextField({
    description: 'What the receiver said, without credentials.',
    example: 'The receiver did not answer in time.',
  })
  message: string;

  @TimestampField({ description: 'When it failed.' })
  failed_at: string;
}

/** A delivery that the receiver has taken, and of which it says that it did not keep all. */
export class PartialDeliverySuccess {
  @TextField({
    description: 'What the receiver said, without credentials.',
    example: 'HTTP 200: 2 spans were not kept. attribute too long',
  })
  message: string;

  @TimestampField({ description: 'When it was delivered.' })
  delivered_at: string;
}

/** How deliveries to a destination go. */
export class DestinationDeliveries {
  @EnumField(DELIVERY_STATES, DELIVERY_STATE)
  state: DeliveryState;

  @IntegerField({ description: 'How many generations wait.', example: 0, minimum: 0 })
  waiting: number;

  @TimestampField({ description: 'Since when the oldest of them waits; null when none does.', nullable: true })
  waiting_since: string | null;

  @IntegerField({ description: 'How many generations the receiver has taken.', example: 1024, minimum: 0 })
  delivered: number;

  @IntegerField({ description: 'How many generations were given up.', example: 0, minimum: 0 })
  dropped: number;

  @IntegerField({
    description:
      'How many spans the receiver says that it did not keep of what it has taken (partial success of OTLP).',
    example: 0,
    minimum: 0,
  })
  rejected_spans: number;

  @ObjectField(() => PartialDeliverySuccess, {
    description:
      'The last delivery, since the destination was changed, of which the receiver did not keep all; null for none.',
    nullable: true,
  })
  last_partial_success: PartialDeliverySuccess | null;

  @TimestampField({ description: 'When the receiver has taken something last; null for never.', nullable: true })
  last_success_at: string | null;

  @ObjectField(() => DeliveryFailure, {
    description: 'The last failure since the destination was changed; null for none.',
    nullable: true,
  })
  last_failure: DeliveryFailure | null;

  @TimestampField({ description: 'When it is tried again; null when nothing holds it up.', nullable: true })
  next_try_at: string | null;

  @TextField({
    description: 'Why the filter rules cannot be evaluated, so that nothing is sent; null if they can.',
    example: null,
    nullable: true,
  })
  filter_problem: string | null;
}

/** The answer to getObservabilityDestinationDeliveries. */
export class GetObservabilityDestinationDeliveriesResponse {
  @ObjectField(() => DestinationDeliveries, { description: 'The deliveries of the destination.' })
  data: DestinationDeliveries;
}

/** What a receiver answered to a test. */
export class DestinationTestResult {
  @BooleanField({ description: 'Whether the receiver has taken the generation of the test.', example: true })
  delivered: boolean;

  @IntegerField({
    description: 'The status of the answer if it was no success; null without one.',
    example: null,
    nullable: true,
  })
  status: number | null;

  @TextField({ description: 'Why it was not taken; null if it was.', example: null, nullable: true })
  message: string | null;
}

/** The answer to the tests of destinations. */
export class TestObservabilityDestinationResponse {
  @ObjectField(() => DestinationTestResult, { description: 'What came back.' })
  data: DestinationTestResult;
}

/** The body of testNewObservabilityDestination. */
@BodyLimit(BODY_LIMITS.medium)
@Rules(configOfItsType)
@SchemaExample({ type: 'webhook', config: { url: 'https://hooks.example.com/traces' } })
export class TestNewObservabilityDestinationRequest {
  @EnumField(DESTINATION_TYPES, { description: 'The type.', example: 'webhook' })
  type: DestinationType;

  @FreeObjectField({
    description: 'Connection settings of the type, as for a new destination.',
    example: { url: 'https://hooks.example.com/traces' },
  })
  config: DestinationConfig;
}
