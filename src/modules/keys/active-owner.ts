/**
 * A common table expression `owner`, with one row if a user is an active member of an organization. The member is neither deactivated nor
 * reactivated until the transaction ends: a statement that inserts a key or a code from it is therefore either ahead of a deactivation, which
 * then finds what it has inserted, or finds no owner.
 *
 * @param organizationId the parameter of the organization, as `$1`
 * @param userId that of the user
 */
export function activeOwner(organizationId: string, userId: string): string {
  return `owner AS MATERIALIZED (
      SELECT user_id FROM organization_members
      WHERE organization_id = ${organizationId} AND user_id = ${userId} AND deactivated_at IS NULL FOR SHARE)`;
}
