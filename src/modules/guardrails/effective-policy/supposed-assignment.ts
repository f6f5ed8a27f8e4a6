import { type Statement, statement } from '../../../persistence/statement.js';

/** A key that does not exist: one of this member in this workspace. */
interface NewKey {
  /** Null for a new key without an owner. */
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

/** What follows the parameters of a statement about one key, under a supposition. */
type SuppositionValues = [guardrailOfKey: string | null, guardrailOfMember: string | null, newKey: string | null];

/** Where a statement has the key that it is about. */
interface AskedKey {
  /** An SQL expression for its id. */
  readonly id: string;
  /** How many parameters the statement has. */
  readonly parameters: number;
}

const SECOND_PARAMETER: AskedKey = { id: '$2', parameters: 2 };

/**
 * The rows that statements see under a supposition, by the names of the tables that have the real ones. So the statements of the
 * gate themselves are asked what they would find, and not others that might say something else.
 */
function supposedTables({ id, parameters }: AskedKey): string {
  const [ofKey, ofMember, newKey] = [1, 2, 3].map((position) => `$${parameters + position}`);
  return `WITH api_keys AS (
      SELECT k.* FROM api_keys k WHERE ${newKey}::jsonb IS NULL AND k.organization_id = $1 AND k.id = ${id}
      UNION ALL SELECT supposed.* FROM jsonb_populate_record(NULL::api_keys, ${newKey}::jsonb) AS supposed WHERE ${newKey}::jsonb IS NOT NULL
    ), guardrail_key_assignments AS (
      SELECT a.organization_id, a.key_id, a.guardrail_id FROM guardrail_key_assignments a
      WHERE ${ofKey}::uuid IS NULL AND a.organization_id = $1 AND a.key_id = ${id}
      UNION ALL SELECT k.organization_id, k.id, ${ofKey}::uuid FROM api_keys k WHERE ${ofKey}::uuid IS NOT NULL
    ), guardrail_member_assignments AS (
      SELECT a.organization_id, a.user_id, a.guardrail_id
      FROM api_keys k JOIN guardrail_member_assignments a ON a.organization_id = $1 AND a.user_id = k.user_id
      WHERE ${ofMember}::uuid IS NULL
      UNION ALL SELECT k.organization_id, k.user_id, ${ofMember}::uuid FROM api_keys k WHERE ${ofMember}::uuid IS NOT NULL
    )`;
}

/**
 * The same statement under a supposition, whose parameters ({@link suppositionValues}) follow those of the statement.
 *
 * @param name that of the statement under the supposition
 * @param asked about one key: its first parameter is the organization
 * @param key by default its second and last parameter
 */
export function supposingStatement<Row extends object, Values extends readonly unknown[]>(
  name: string,
  asked: Statement<Row, Values>,
  key = SECOND_PARAMETER,
): Statement<Row, [...Values, ...SuppositionValues]> {
  return statement(name, `${supposedTables(key)} SELECT * FROM (${asked.text}) AS asked`);
}

/** What follows the parameters of the statement. @param keyId of the key that exists, or any that no key has for a new one */
export function suppositionValues(
  organizationId: string,
  keyId: string,
  { guardrailOfKey, guardrailOfMember, newKey }: Supposition,
): SuppositionValues {
  const row = newKey === undefined ? null : JSON.stringify(rowOf(organizationId, keyId, newKey));
  return [guardrailOfKey, guardrailOfMember, row];
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
