/** What a record says of its refusal. It is a part of the record of the interface, so that tests of the service can read this file alone. */
export interface RefusedRecord {
  readonly refusal: string | null;
  readonly workspace_id: string | null;
  readonly key_hash: string | null;
  readonly requested_model: string;
  readonly limited_by: { readonly subject: 'workspace' | 'key' | 'guardrail' | 'limit'; readonly id?: string } | null;
  readonly refusing_guardrail_ids?: readonly string[];
  readonly exclusions?: readonly { readonly reason: string; readonly guardrail_ids: readonly string[] }[];
  readonly guardrail_actions: readonly { readonly action: string; readonly guardrail_ids: readonly string[] }[];
  readonly inspector_actions?: readonly {
    readonly inspector_id: string;
    readonly name: string;
    readonly outcome: string;
    readonly observed?: boolean;
  }[];
  readonly attempts: readonly { readonly provider_name: string }[];
  readonly mcp?: { readonly server: string; readonly server_id?: string };
}

/** An object that refused a request, or has failed it, and the page that it is changed on. */
export interface RefusingObject {
  /** How a link names it; of a guardrail, which has a name of its own, what it is. */
  readonly label: string;
  readonly page: string;
  /** Set for a guardrail. */
  readonly guardrailId?: string;
}

type Find = (record: RefusedRecord) => readonly RefusingObject[];

const ofKey: Find = ({ key_hash: hash }) => (hash === null ? [] : [{ label: 'the key', page: `/keys/${hash}` }]);

/** Where no rule is known: the guardrails of a key are on its page. */
const guardrailsOfKey: Find = (record) =>
  ofKey(record).map((one) => ({ ...one, label: 'the guardrails that apply to the key' }));

const ofWorkspace: Find = ({ workspace_id: id }) =>
  id === null ? [] : [{ label: 'the workspace', page: `/workspaces/${encodeURIComponent(id)}` }];

const guardrails = (ids: readonly string[]): readonly RefusingObject[] =>
  [...new Set(ids)].map((id) => ({ label: 'a guardrail', page: `/guardrails/${id}`, guardrailId: id }));

/** The objects that are found, else others. */
function orElse(found: Find, others: Find): Find {
  return (record) => {
    const objects = found(record);
    return objects.length > 0 ? objects : others(record);
  };
}

/** The page of the limit that is named; of one of older records, where it is in a list. */
const ofLimit: Find = (record) => {
  const { limited_by: limit, workspace_id: workspace } = record;
  const query = workspace === null ? '' : `?workspace=${encodeURIComponent(workspace)}`;
  switch (limit?.subject) {
    case 'workspace':
      return [{ label: 'the budget of the workspace', page: `/budgets${query}` }];
    case 'key':
      return ofKey(record).map((one) => ({ ...one, label: 'the limit of the key' }));
    case 'guardrail':
      return limit.id === undefined ? [{ label: 'a guardrail', page: `/guardrails${query}` }] : guardrails([limit.id]);
    case 'limit':
      return [{ label: 'the limit', page: `/limits/${limit.id}` }];
    case undefined:
      return ofKey(record);
  }
};

const inspectors = ({ inspector_actions: actions = [] }: RefusedRecord, was: string): readonly RefusingObject[] =>
  actions
    .filter(({ outcome, observed }) => observed !== true && outcome === was)
    .map(({ inspector_id: id, name }) => ({ label: name, page: `/inspectors/${id}` }));

/** What has blocked a text, or had to judge one and could not. */
const ofContent: Find = orElse(
  (record) => [
    ...guardrails(
      record.guardrail_actions.filter(({ action }) => action === 'block').flatMap(({ guardrail_ids: ids }) => ids),
    ),
    ...inspectors(record, 'blocked'),
  ],
  // Texts go on behind an inspector that fails with `on_failure: pass`: it has refused only where nothing has blocked.
  orElse((record) => inspectors(record, 'failed'), guardrailsOfKey),
);

const ofRules: Find = orElse(({ refusing_guardrail_ids: ids = [] }) => guardrails(ids), guardrailsOfKey);

const ofModels: Find = ({ requested_model: model }) => [
  { label: 'the models', page: model === '' ? '/models' : `/models?q=${encodeURIComponent(model)}` },
];

/** What has left no endpoint: guardrails, providers that are not connected, limits that are met, else what the request asked for. */
const ofExclusions: Find = orElse((record) => {
  const { exclusions = [] } = record;
  const isAny = (...reasons: string[]): boolean => exclusions.some(({ reason }) => reasons.includes(reason));
  return [
    ...guardrails(exclusions.flatMap(({ guardrail_ids: ids }) => ids)),
    ...(isAny('not_connected', 'unknown_name') ? [{ label: 'the providers', page: '/providers' }] : []),
    ...(isAny('byok_only') ? [{ label: 'your own provider keys', page: '/providers/keys' }] : []),
    ...(isAny('spending_limit') ? ofKey(record) : []),
  ];
}, ofModels);

const ofProvider: Find = ({ attempts }) => {
  const name = attempts.at(-1)?.provider_name;
  return name === undefined
    ? [{ label: 'the providers', page: '/providers' }]
    : [{ label: name, page: `/providers?search=${encodeURIComponent(name)}` }];
};

/** The page of the MCP server that a record names; of an older record, which has no id of it, the list. */
export function pageOfServer({ server_id: id }: NonNullable<RefusedRecord['mcp']>): string {
  return id === undefined ? '/mcp-servers' : `/mcp-servers/${id}`;
}

const ofServer: Find = ({ mcp }) =>
  mcp === undefined ? [] : [{ label: `the server ${mcp.server}`, page: pageOfServer(mcp) }];

const ofPresets: Find = ({ workspace_id: id }) => [
  { label: 'the presets', page: id === null ? '/presets' : `/presets?workspace=${encodeURIComponent(id)}` },
];

/** Finds what refused a request, by the reason of the refusal. */
export const FINDS: Readonly<Record<string, Find>> = {
  workspace_budget_exceeded: ofLimit,
  key_limit_exceeded: ofLimit,
  guardrail_budget_exceeded: ofLimit,
  insufficient_budget: ofLimit,
  limit_exceeded: ofLimit,
  limit_value_missing: ofLimit,
  workspace_rate_limit_exceeded: ofWorkspace,
  key_rate_limit_exceeded: ofKey,
  end_user_not_allowed: ofKey,
  content_blocked: ofContent,
  prompt_injection_detected: ofContent,
  content_analyzer_unavailable: ofContent,
  input_not_scannable: ofRules,
  data_region_not_allowed: ofRules,
  mcp_arguments_not_allowed: ofRules,
  mcp_tool_not_found: (record) => [...ofRules(record), ...ofServer(record)],
  no_endpoints: ofExclusions,
  model_missing: ofWorkspace,
  model_not_found: ofModels,
  wrong_endpoint: ofModels,
  preset_not_found: ofPresets,
  provider_refused_request: ofProvider,
  provider_rate_limited: ofProvider,
  provider_unavailable: ofProvider,
  provider_timed_out: ofProvider,
  generation_failed: ofProvider,
  mcp_tool_not_approved: ofServer,
  mcp_server_failed: ofServer,
  mcp_server_timed_out: ofServer,
  mcp_session_not_found: ofServer,
  mcp_connection_required: () => [{ label: 'your connections to tools', page: '/mcp-connections' }],
};

const OF_REQUEST = 'The request itself is at fault: no rule of the organization has refused it.';
const OF_DEPLOYMENT =
  'The deployment protects itself so: its operator sets how much it takes. The same request may pass later.';

/** Why a refusal has no object that one could change, by its reason. */
export const WITHOUT_OBJECT: Readonly<Record<string, string>> = {
  invalid_parameters: OF_REQUEST,
  request_loop: OF_REQUEST,
  request_too_complex: OF_REQUEST,
  body_too_large: OF_REQUEST,
  unsupported_content_encoding: OF_REQUEST,
  too_many_content_scans: OF_DEPLOYMENT,
  too_many_open_inference_requests: OF_DEPLOYMENT,
  too_much_inference_memory: OF_DEPLOYMENT,
  too_many_concurrent_requests: OF_DEPLOYMENT,
  too_many_unfinished_bodies: OF_DEPLOYMENT,
  too_many_mcp_requests: OF_DEPLOYMENT,
  organization_request_rate: OF_DEPLOYMENT,
  answer_memory_exhausted: OF_DEPLOYMENT,
  service_stopping: 'The process was asked to stop. The same request reaches another one.',
  database_unavailable: 'The database of the deployment could not be used.',
  database_busy: 'The database of the deployment had too much to do.',
  reservation_expired: 'The process that answered it has died, so that its cost is not known.',
};

/** The status of a request that is itself at fault. */
const BAD_REQUEST = 400;

/** What refused a request, the first cause first; none where there is no object, or where it is not there any more. */
export function refusingObjectsOf(record: RefusedRecord): readonly RefusingObject[] {
  return FINDS[record.refusal ?? '']?.(record) ?? [];
}

/** Why a refusal has no object; undefined where it has one, and for a reason that is not known. */
export function whyNoObject({
  refusal,
  status,
}: Pick<RefusedRecord, 'refusal'> & { readonly status: number }): string | undefined {
  if (refusal === null || refusal in FINDS) return undefined;
  return WITHOUT_OBJECT[refusal] ?? (status === BAD_REQUEST ? OF_REQUEST : undefined);
}
