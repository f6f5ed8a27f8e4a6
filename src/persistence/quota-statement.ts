import type { QuotaKind } from '../config/quota-variables.js';
import { type Statement, statement } from './statement.js';

/** A kind of object, and the statement that counts those of organization $1, up to $2. */
export interface Quota extends Statement<{ count: number }, [organizationId: string, limit: number]> {
  readonly kind: QuotaKind;
}

/** Builds the quota for objects in a table with a column `organization_id`. */
export function quotaStatement(name: string, kind: QuotaKind, table: string): Quota {
  const text = `SELECT count(*)::int AS count FROM (SELECT FROM ${table} WHERE organization_id = $1 LIMIT $2::bigint) AS counted`;
  return { ...statement<{ count: number }, [organizationId: string, limit: number]>(name, text), kind };
}
