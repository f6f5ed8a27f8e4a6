import { Injectable } from '@nestjs/common';
import { statement } from '../../persistence/statement.js';
import type { Transaction } from '../../persistence/statements.js';

/** An organization, which nothing is added to until the transaction ends. */
export const LOCK_ORGANIZATION_TO_REMOVE = statement<{ name: string }, [organizationId: string]>(
  'organization_removal_lock',
  'SELECT name FROM organizations WHERE id = $1 FOR UPDATE',
);

/** Whether something of an organization must not be lost. */
export interface OrganizationTraces {
  readonly hasGenerations: boolean;
  readonly hasCharges: boolean;
  readonly hasUsedKeys: boolean;
  /** Whether the trail has more than what was recorded when it was created: in the one transaction of that, and so at the same time. */
  readonly hasLaterEvents: boolean;
}

/** What an organization has left behind. */
export const ORGANIZATION_TRACES = statement<OrganizationTraces, [organizationId: string]>(
  'organization_removal_traces',
  `SELECT EXISTS (SELECT FROM generations g WHERE g.organization_id = $1) AS "hasGenerations",
      EXISTS (SELECT FROM key_spend s WHERE s.organization_id = $1)
        OR EXISTS (SELECT FROM spend_windows s WHERE s.organization_id = $1)
        OR EXISTS (SELECT FROM spend_reservations r WHERE r.organization_id = $1) AS "hasCharges",
      EXISTS (SELECT FROM usage_totals t WHERE t.organization_id = $1)
        OR EXISTS (SELECT FROM usage_additions a WHERE a.organization_id = $1) AS "hasUsedKeys",
      EXISTS (SELECT FROM audit_events e
        WHERE e.organization_id = $1 AND e.created_at <> (SELECT o.created_at FROM organizations o WHERE o.id = $1)) AS "hasLaterEvents"`,
);

export const USERS_OF_ORGANIZATION = statement<{ id: string }, [organizationId: string]>(
  'organization_removal_members',
  'SELECT user_id AS id FROM organization_members WHERE organization_id = $1',
);

/** Erases what users are called: other organizations of theirs have what they call them themselves. */
export const ERASE_USERS = statement<never, [ids: readonly string[]]>(
  'organization_removal_users',
  `UPDATE users SET name = '', email = '' WHERE id = ANY ($1::text[])`,
);

/** Deletes the keys of an organization, which hold its workspaces. */
export const DELETE_KEYS_OF_ORGANIZATION = statement<never, [organizationId: string]>(
  'organization_removal_keys',
  'DELETE FROM api_keys WHERE organization_id = $1',
);

/** Deletes an organization with all that it has but its audit trail. */
export const DELETE_ORGANIZATION = statement<never, [organizationId: string]>(
  'organization_removal',
  'DELETE FROM organizations WHERE id = $1',
);

/** The rows of an organization that is deleted. */
@Injectable()
export class OrganizationRemovalRepository {
  /** @returns its name; undefined if there is none */
  async lock(tx: Transaction, organizationId: string): Promise<string | undefined> {
    return (await tx.first(LOCK_ORGANIZATION_TO_REMOVE, [organizationId]))?.name;
  }

  async traces(tx: Transaction, organizationId: string): Promise<OrganizationTraces> {
    return (await tx.first(ORGANIZATION_TRACES, [organizationId]))!;
  }

  async remove(tx: Transaction, organizationId: string): Promise<void> {
    const users = await tx.rows(USERS_OF_ORGANIZATION, [organizationId]);
    await tx.write(ERASE_USERS, [users.map(({ id }) => id)]);
    await tx.write(DELETE_KEYS_OF_ORGANIZATION, [organizationId]);
    await tx.write(DELETE_ORGANIZATION, [organizationId]);
  }
}
