import { ConstraintErrors } from '../../src/http/errors/constraint-errors.js';
import { sharedApplication } from '../support/application/shared-application.js';

/** Constraints that no request violates, by the reason. */
const EXEMPT: Readonly<Record<string, readonly string[]>> = {
  'organizations and users are never deleted while requests name them': [
    'fk_alert_confirmation_mails_org',
    'fk_idempotency_keys_organization',
    'fk_alerts_organization',
    'fk_broadcast_deliveries_organization',
    'fk_broadcast_events_organization',
    'fk_broadcast_queues_organization',
    'fk_cached_responses_organization',
    // An answer for a workspace that was deleted meanwhile is not kept.
    'fk_cached_responses_workspace',
    'fk_connect_clients_organization',
    'fk_external_users_organization',
    'fk_federation_issuers_organization',
    'fk_federation_policies_organization',
    'fk_generations_organization',
    'fk_guardrails_organization',
    'fk_inspectors_organization',
    'fk_limit_populations_organization',
    'fk_limit_refusals_organization',
    'fk_limits_organization',
    'fk_mcp_connections_organization',
    'fk_mcp_connections_user',
    'fk_mcp_servers_organization',
    'fk_mcp_tools_organization',
    'fk_mcp_tools_server',
    'fk_managed_objects_organization',
    'fk_applied_plans_organization',
    'fk_configuration_turns_organization',
    'fk_retired_key_hashes_organization',
    'fk_oauth_applications_organization',
    'fk_organization_members_organization',
    'fk_organization_members_user',
    'fk_private_endpoints_organization',
    'fk_private_providers_organization',
    'fk_provisioning_tokens_organization',
    'fk_replay_jobs_organization',
    'fk_scim_groups_organization',
    'fk_sign_in_connections_organization',
    'fk_scim_sync_jobs_organization',
    'fk_scim_users_member',
    'fk_spend_reservations_organization',
    'fk_rate_uses_organization',
    'fk_spend_windows_organization',
    'fk_usage_additions_organization',
    'fk_usage_totals_organization',
    'fk_workspaces_organization',
    'uq_organization_members_organization_user',
  ],
  'the transaction or the statement itself locks or makes the row that is referred to': [
    'fk_alert_deliveries_notification',
    'fk_alert_notifications_alert',
    'fk_alert_recipients_alert',
    'fk_authorization_codes_application',
    'fk_guardrail_key_assignments_guardrail',
    'fk_guardrail_key_assignments_key',
    'fk_guardrail_member_assignments_guardrail',
    'fk_guardrail_member_assignments_member',
    'fk_member_guardrails_guardrail',
    'fk_member_guardrails_member',
    'fk_key_spend_key',
    'fk_key_spend_totals_key',
    'fk_limit_counters_limit',
    'fk_mcp_connections_server',
    'fk_preset_versions_preset',
    'fk_scim_group_members_group',
    'fk_sessions_connection',
    'fk_sessions_member',
    'fk_sign_in_attempts_connection',
    'fk_sign_in_links_member',
    'fk_used_logout_tokens_connection',
    'fk_workspace_budgets_workspace',
    'fk_workspace_members_workspace',
  ],
  'ON CONFLICT takes the row that there is, or a lock puts writers in turn': [
    'uq_audit_links_event',
    'uq_guardrail_key_assignments_key',
    'uq_guardrail_member_assignments_member',
    'uq_member_guardrails_earlier',
    'uq_member_guardrails_of_none',
    'uq_member_guardrails_workspace',
    'uq_oauth_applications_organization_number',
    'uq_oauth_applications_organization_origin',
    'uq_preset_versions_preset_version',
    'uq_presets_workspace_slug',
    'uq_sign_in_connections_client',
    'uq_scim_sync_jobs_open',
    'uq_workspace_budgets_workspace_interval',
    'uq_mcp_connections_member',
    'uq_workspace_members_workspace_user',
  ],
  'only the first start and the command line make default workspaces': [
    'uq_workspaces_default',
    'uq_workspaces_default_guardrail',
  ],
  'an import locks the catalog': [
    'fk_image_endpoints_model',
    'fk_model_endpoints_model',
    'fk_model_endpoints_provider',
    'fk_model_names_model',
  ],
};

/** Ids are random, and hashes are digests of random secrets. */
const RANDOM = /_(id|hash)$/;

describe('the constraints of the schema', () => {
  const app = sharedApplication();

  it('are each mapped to an error by a module, or exempt for a stated reason', async () => {
    const rows = await app.rows<{ name: string }>(
      `SELECT conname AS name FROM pg_constraint
       WHERE contype IN ('f', 'u') AND connamespace = 'public'::regnamespace
       UNION SELECT indexrelid::regclass::text FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
       WHERE indisunique AND NOT indisprimary AND relnamespace = 'public'::regnamespace
       ORDER BY 1`,
    );
    const known = app.application.get(ConstraintErrors).constraints;
    const exempt = Object.values(EXEMPT).flat();
    const unexplained = rows
      .map(({ name }) => name)
      .filter((name) => !known.includes(name) && !exempt.includes(name) && !RANDOM.test(name));

    expect(unexplained).toEqual([]);
    expect([...known, ...exempt].filter((name) => !rows.some((row) => row.name === name))).toEqual([]);
  });
});
