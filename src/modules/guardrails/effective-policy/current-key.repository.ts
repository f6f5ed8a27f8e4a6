import { currentKeyStatement } from '../../keys/current-key-statement.js';
import { guardrailsOfMember } from '../../limits/member-guardrails.js';
import { ENFORCING } from './effective-guardrails.repository.js';

/**
 * The lists of regions of the guardrails that apply to a key and enforce: the default one of its workspace, its owner's for that workspace and its own. They
 * are the guardrails of `GET /guardrails/effective`. LIMIT 1 makes the planner look each one up by its id.
 */
const DATA_REGION_LISTS = `(
  SELECT json_agg(guardrail.allowed_data_regions)
  FROM (VALUES
    ((SELECT w.default_guardrail_id FROM workspaces w
      WHERE w.organization_id = $1 AND w.id = k."shownWorkspaceId")),
    ${guardrailsOfMember('k."userId"', 'k."shownWorkspaceId"')
      .map((id) => `(${id})`)
      .join(',\n    ')},
    ((SELECT a.guardrail_id FROM guardrail_key_assignments a
      WHERE a.organization_id = $1 AND a.key_id = k."id"))) AS applied (id)
  CROSS JOIN LATERAL (
    SELECT g.allowed_data_regions FROM guardrails g
    WHERE g.organization_id = $1 AND g.id = applied.id ${ENFORCING} LIMIT 1) AS guardrail
  WHERE guardrail.allowed_data_regions IS NOT NULL)`;

/** A key as its owner sees it. */
export const CURRENT_KEY = currentKeyStatement('current_key', DATA_REGION_LISTS);
