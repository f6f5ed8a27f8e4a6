import { type Statement, statement } from '../../../persistence/statement.js';

/** A key that does not exist: one of this member in this workspace. */
interface NewKey {
  /** Null for a key of nobody in particular. */
  readonly userId: string | null;
  readonly workspaceId: string;
}

/** What a request is evaluated under that is not so: a guardrail is assigned, and perhaps there is a key more. */
export interface Supposition {
  /** The guardrail that the key has in place of its own; null if it keeps its own. */
  readonly guardrailOfKey: string | null;
  /** The guardrail that the member of the key has in place of its own; null if it keeps its own. */
  readonly guardrailOfMember: string | null;
  /** Undefined if the key exists. */
  readonly newKey?: NewKey;
}

/** The parameters of a statement about one key, under a supposition. */
export type SupposingValues = [
  organizationId: string,
  keyId: string,
  guardrailOfKey: string | null,
  guardrailOfMember: string | null,
  newKey: string | null,
];

/**
 * The rows that statements see under a supposition, by the names of the tables that have the real ones. So the statements of the
 * gate themselves are asked what they would find, and not others that might say something else.
 */
const SUPPOSED_TABLES = `WITH api_keys AS (
      SELECT k.* FROM api_keys k WHERE $5::jsonb IS NULL AND k.organization_id = $1 AND k.id = $2
      UNION ALL SELECT supposed.* FROM jsonb_populate_record(NULL::api_keys, $5::jsonb) AS supposed WHERE $5::jsonb IS NOT NULL
    ), guardrail_key_assignments AS (
      SELECT a.organization_id, a.key_id, a.guardrail_id FROM guardrail_key_assignments a
      WHERE $3::uuid IS NULL AND a.organization_id = $1 AND a.key_id = $2
      UNION ALL SELECT k.organization_id, k.id, $3::uuid FROM api_keys k WHERE $3::uuid IS NOT NULL
    ), guardrail_member_assignments AS (
      SELECT a.organization_id, a.user_id, a.guardrail_id
      FROM api_keys k JOIN guardrail_member_assignments a ON a.organization_id = $1 AND a.user_id = k.user_id
      WHERE $4::uuid IS NULL
      UNION ALL SELECT k.organization_id, k.user_id, $4::uuid FROM api_keys k WHERE $4::uuid IS NOT NULL
    )`;

/**
 * The same statement under a supposition.
 *
 * @param name that of the statement under the supposition
 * @param asked about one key: its parameters are the organization and the id of the key
 */
export function supposingStatement<Row extends object>(
  name: string,
  asked: Statement<Row, [organizationId: string, keyId: string]>,
): Statement<Row, SupposingValues> {
  return statement<Row, SupposingValues>(name, `${SUPPOSED_TABLES} SELECT * FROM (${asked.text}) AS asked`);
}

/** The parameters of such a statement. @param keyId of the key that exists, or any that no key has for a new one */
export function supposingValues(
  organizationId: string,
  keyId: string,
  { guardrailOfKey, guardrailOfMember, newKey }: Supposition,
): SupposingValues {
  return [
    organizationId,
    keyId,
    guardrailOfKey,
    guardrailOfMember,
    newKey === undefined ? null : JSON.stringify(rowOf(organizationId, keyId, newKey)),
  ];
}

/** What statements ask of a key besides who has it. Everything else is null, as in a key without limits; no key has its hash. */
function rowOf(organizationId: string, keyId: string, { userId, workspaceId }: NewKey): object {
  return {
    organization_id: organizationId,
    id: keyId,
    hash: '\\x',
    user_id: userId,
    workspace_id: workspaceId,
    include_byok_in_limit: false,
  };
}
