import { entityTagOf } from '../../http/entity-tags.js';
import { shownTimes } from '../../persistence/rows/wire-fields.js';
import { type DestinationConfig, maskConfig, maskedForm } from './config-mask.js';
import { compiledFilter } from './delivery/selection/filter-rules.js';
import type { StoredDeliveries } from './delivery/sight/deliveries.repository.js';
import type { DeliveryState, DestinationDeliveries } from './dto/deliveries.dto.js';
import type { ObservabilityDestination } from './dto/destination.dto.js';
import { DESTINATION_FIELDS } from './destination-changes.js';
import type { DestinationEntity } from './entities/destination.entity.js';

/**
 * A destination as the interface shows it: every credential masked.
 *
 * @param config decrypted; undefined where that fails
 * @param state that of its queue; undefined where the destination is deleted meanwhile
 */
export function toDestinationResponse(
  destination: DestinationEntity,
  config: DestinationConfig | undefined,
  state: DeliveryState | undefined,
): ObservabilityDestination {
  return {
    id: destination.id,
    ...toAuditedFields(destination, config),
    delivery_state: shownState(destination, state),
    ...shownTimes(destination),
  };
}

/** The states in which nothing is tried. */
const UNTRIED: ReadonlySet<DeliveryState> = new Set(['gone', 'off']);

/** How deliveries to a destination go. */
export function toDeliveriesResponse(
  { filterRules }: Pick<DestinationEntity, 'filterRules'>,
  deliveries: StoredDeliveries,
): DestinationDeliveries {
  const { lastStatus, lastError, lastErrorAt, lastNote, lastNoteAt, nextAt } = deliveries;
  const problem = compiledFilter(filterRules).problem;
  return {
    state: shownState({ filterRules }, deliveries.state),
    waiting: deliveries.waiting,
    waiting_since: deliveries.waitingSince?.toISOString() ?? null,
    delivered: deliveries.delivered,
    dropped: deliveries.dropped,
    rejected_spans: deliveries.rejectedSpans,
    last_success_at: deliveries.lastSuccessAt?.toISOString() ?? null,
    last_failure:
      lastErrorAt === null
        ? null
        : { status: lastStatus, message: lastError ?? '', failed_at: lastErrorAt.toISOString() },
    last_partial_success:
      lastNoteAt === null ? null : { message: lastNote ?? '', delivered_at: lastNoteAt.toISOString() },
    next_try_at: nextAt.getTime() > Date.now() && !UNTRIED.has(deliveries.state) ? nextAt.toISOString() : null,
    filter_problem: problem ?? null,
  };
}

/** A destination whose rules cannot be evaluated gets nothing: it is paused too. */
function shownState(
  { filterRules }: Pick<DestinationEntity, 'filterRules'>,
  state: DeliveryState | undefined,
): DeliveryState {
  if (state === undefined) return 'off';
  return state !== 'off' && compiledFilter(filterRules).problem !== undefined ? 'paused' : state;
}

/** What the audit trail keeps of a destination: its credentials masked. @param config decrypted; undefined where that fails */
export function toAuditedFields(
  destination: DestinationEntity,
  config: DestinationConfig | undefined,
): Omit<ObservabilityDestination, 'id' | 'delivery_state' | 'created_at' | 'updated_at'> {
  const { name, ...fields } = DESTINATION_FIELDS.shown(destination);
  return {
    workspace_id: destination.workspaceId,
    name,
    type: destination.type,
    ...fields,
    config: config === undefined ? maskedForm(destination.type) : maskConfig(destination.type, config),
  };
}

/** The entity tag of a destination (docs/interface/conventions.md#conditional-requests). @param config as in {@link toAuditedFields} */
export function tagOfDestination(destination: DestinationEntity, config: DestinationConfig | undefined): string {
  return entityTagOf(destination.id, toAuditedFields(destination, config));
}
