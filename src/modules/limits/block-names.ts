/**
 * Blocks (docs/budgets.md#blocks) are rows of `spend_reservations` beside those of requests, so that every sum of what is reserved counts
 * them too, and tells them apart by their ids.
 */
const PREFIX = 'block-';

/** The id of a block. @param createdAt the second whose windows it belongs to @param random text that no other block of this second has */
export function blockIdOf(createdAt: Date, random: string): string {
  return `${PREFIX}${Math.floor(createdAt.getTime() / 1000)}-${random}`;
}

/** Whether a reservation is a block, and not of a request. */
export function isBlock({ generationId }: { readonly generationId: string }): boolean {
  return generationId.startsWith(PREFIX);
}

/** An SQL condition that a reservation is a block. @param alias of `spend_reservations` */
export function isBlockIn(alias: string): string {
  return `starts_with(${alias}.generation_id, '${PREFIX}')`;
}
