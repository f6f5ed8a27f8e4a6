/** A generation for the outbox. */
export interface OutboxEntry {
  /** The encrypted event. */
  readonly payload: Buffer;
  /** How large the event is when it is read, in bytes. */
  readonly bytes: number;
  /** The destinations that get it, at least one. */
  readonly destinationIds: readonly string[];
}

/** The parameters of {@link ENQUEUE_EVENTS}. */
export type EnqueuedValues = [
  ids: readonly string[],
  payloads: readonly Buffer[],
  bytes: readonly number[],
  deliveredIds: readonly string[],
  destinationIds: readonly string[],
];

/**
 * Common table expressions that write events to the outbox for those records that `generation (generation_id, key_id)` has inserted, so that a
 * record that is written twice is sent once. $1 is the organization; {@link EnqueuedValues} begin at a parameter.
 *
 * @param first the number of the first parameter
 */
export function enqueueEvents(first: number): string {
  return `broadcast_event AS (
      INSERT INTO broadcast_events (organization_id, generation_id, key_id, enqueued_at, bytes, payload)
      SELECT $1, generation.generation_id, generation.key_id, now(), given.bytes, given.payload
      FROM unnest($${first}::text[], $${first + 1}::bytea[], $${first + 2}::integer[]) AS given (id, payload, bytes)
      JOIN generation ON generation.generation_id = given.id
      ON CONFLICT DO NOTHING
    ),
    broadcast_delivery AS (
      INSERT INTO broadcast_deliveries (organization_id, generation_id, destination_id, enqueued_at)
      SELECT $1, generation.generation_id, given.destination_id, now()
      FROM unnest($${first + 3}::text[], $${first + 4}::uuid[]) AS given (id, destination_id)
      JOIN generation ON generation.generation_id = given.id
      ON CONFLICT DO NOTHING
    )`;
}

/** The values of the parameters for generations of which some have entries. */
export function enqueuedValues(
  generations: readonly { readonly id: string; readonly outbox?: OutboxEntry }[],
): EnqueuedValues {
  const values: [string[], Buffer[], number[], string[], string[]] = [[], [], [], [], []];
  for (const { id, outbox } of generations) {
    if (outbox === undefined) continue;
    values[0].push(id);
    values[1].push(outbox.payload);
    values[2].push(outbox.bytes);
    for (const destinationId of outbox.destinationIds) {
      values[3].push(id);
      values[4].push(destinationId);
    }
  }
  return values;
}
