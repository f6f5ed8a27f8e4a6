/**
 * An SQL expression for the id of a workspace, or of the default workspace of organization $1 if it is null. So a statement
 * needs no round trip before it that looks up the default workspace.
 *
 * @param workspace an expression of type uuid
 */
export function workspaceOrDefault(workspace: string): string {
  return `coalesce(${workspace}, (SELECT w.id FROM workspaces w WHERE w.organization_id = $1 AND w.is_default))`;
}
