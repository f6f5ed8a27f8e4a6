/** An encrypted event. */
export interface SealedEvent {
  /** The event without its content. */
  readonly payload: Buffer;
  /** Its content; null for an event without any. */
  readonly content: Buffer | null;
}

/** A destination that gets a generation. */
export interface EnqueuedDestination {
  readonly id: string;
  readonly getsContent: boolean;
}

/** A generation for the outbox. */
export interface OutboxEntry extends SealedEvent {
  /** How large the event is when it is read, in bytes. */
  readonly bytes: number;
  /** At least one. */
  readonly destinations: readonly EnqueuedDestination[];
}

/** How much of memory an entry takes, in bytes. */
export function sizeOfEntry(entry: OutboxEntry | undefined): number {
  return entry === undefined ? 0 : entry.payload.length + (entry.content?.length ?? 0);
}

/** The parameters of {@link enqueueEvents}: columns of events, then columns of deliveries. */
export type EnqueuedValues = [
  ids: readonly string[],
  payloads: readonly Buffer[],
  contents: readonly (Buffer | null)[],
  bytes: readonly number[],
  deliveredIds: readonly string[],
  destinationIds: readonly string[],
  getContent: readonly boolean[],
];

/**
 * Common table expressions that write events to the outbox for those records that `generation (generation_id, key_id)` has inserted, so
 * that a record that is written twice is sent once. $1 is the organization; {@link EnqueuedValues} begin at a parameter.
 *
 * @param first the number of the first parameter
 */
export function enqueueEvents(first: number): string {
  const [ids, payloads, contents, bytes, deliveredIds, destinationIds, getContent] = Array.from(
    { length: 7 },
    (_, index) => `$${first + index}`,
  );
  return `broadcast_event AS (
      INSERT INTO broadcast_events (organization_id, generation_id, key_id, enqueued_at, bytes, payload, content)
      SELECT $1, generation.generation_id, generation.key_id, now(), given.bytes, given.payload, given.content
      FROM unnest(${ids}::text[], ${payloads}::bytea[], ${contents}::bytea[], ${bytes}::integer[])
        AS given (id, payload, content, bytes)
      JOIN generation ON generation.generation_id = given.id
      ON CONFLICT DO NOTHING
    ),
    broadcast_delivery AS (
      INSERT INTO broadcast_deliveries (organization_id, generation_id, destination_id, enqueued_at, gets_content)
      SELECT $1, generation.generation_id, given.destination_id, now(), given.gets_content
      FROM unnest(${deliveredIds}::text[], ${destinationIds}::uuid[], ${getContent}::boolean[])
        AS given (id, destination_id, gets_content)
      JOIN generation ON generation.generation_id = given.id
      ON CONFLICT DO NOTHING
    )`;
}

/** The values of the parameters for generations of which some have entries. */
export function enqueuedValues(
  generations: readonly { readonly id: string; readonly outbox?: OutboxEntry }[],
): EnqueuedValues {
  const events = generations.flatMap(({ id, outbox }) => (outbox === undefined ? [] : [{ id, ...outbox }]));
  const deliveries = events.flatMap(({ id, destinations }) =>
    destinations.map((destination) => ({ generationId: id, ...destination })),
  );
  return [
    events.map(({ id }) => id),
    events.map(({ payload }) => payload),
    events.map(({ content }) => content),
    events.map(({ bytes }) => bytes),
    deliveries.map(({ generationId }) => generationId),
    deliveries.map(({ id }) => id),
    deliveries.map(({ getsContent }) => getsContent),
  ];
}
