/**
 * An SQL condition: the destination of a row is there and off, because it is disabled or its workspace does not broadcast. What waits for it
 * is kept then (docs/interface/destinations.md#delivery).
 *
 * @param row the name of the row, which has `organization_id` and `destination_id`
 */
export function isOff(row: string): string {
  return `EXISTS (
        SELECT FROM observability_destinations o JOIN workspaces w ON w.organization_id = o.organization_id AND w.id = o.workspace_id
        WHERE o.organization_id = ${row}.organization_id AND o.id = ${row}.destination_id
          AND NOT (o.enabled AND w.is_observability_broadcast_enabled))`;
}
