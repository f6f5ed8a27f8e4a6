/**
 * SQL queries for the guardrails that a member has for a workspace, each of which gives the id of one or none
 * (docs/interface/guardrails.md#assignments): that of the workspace, that of no workspace, and that which an earlier release has assigned. The
 * organization is $1.
 *
 * @param user an expression for the member's user
 * @param workspace an expression for the id of the workspace; null for none
 */
export function guardrailsOfMember(user: string, workspace: string): readonly string[] {
  const held = `SELECT held.guardrail_id FROM member_guardrails held WHERE held.organization_id = $1 AND held.user_id = ${user}`;
  return [
    `(${held} AND held.workspace_id = ${workspace} AND NOT held.applies_everywhere)`,
    `(${held} AND held.workspace_id IS NULL)`,
    `(${held} AND held.workspace_id IS NOT NULL AND held.applies_everywhere)`,
  ];
}

/**
 * The SQL condition that the guardrail of a row of `member_guardrails` is one of {@link guardrailsOfMember}.
 *
 * @param held the row
 * @param workspace as there
 */
export function isGuardrailOfMember(held: string, workspace: string): string {
  return `(${held}.applies_everywhere OR ${held}.workspace_id IS NULL OR ${held}.workspace_id = ${workspace})`;
}
