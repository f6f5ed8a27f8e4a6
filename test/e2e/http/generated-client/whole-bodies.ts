/** A model of the starter catalog. */
export const MODEL = 'openai/gpt-5.4';

/** A model that makes images. */
const IMAGE_MODEL = 'openai/gpt-image-2';

/** Workspaces with every setting, and with none. */
export const WORKSPACE_BODIES = {
  settings: {
    name: 'Everything',
    slug: 'everything',
    description: 'All settings',
    default_text_model: MODEL,
    default_image_model: IMAGE_MODEL,
    default_provider_sort: 'price',
    io_logging_api_key_ids: [1, 2],
    disabled_server_tools: ['web_search'],
    io_logging_sampling_rate: 0.5,
    is_data_discount_logging_enabled: true,
    is_observability_broadcast_enabled: true,
    is_observability_io_logging_enabled: true,
  },
  cleared: {
    description: null,
    default_text_model: null,
    default_image_model: null,
    default_provider_sort: null,
    io_logging_api_key_ids: null,
    disabled_server_tools: null,
  },
};

/** What a guardrail can be made of. @param vendors the names of the fields of the four vendors */
export function guardrailBodies(vendors: readonly string[]) {
  /** One value for every rule about retention and training. */
  const flags = (value: boolean): object => ({
    enforce_zdr: value,
    ...Object.fromEntries(vendors.map((name) => [name, value])),
    enforce_zdr_other: value,
    enable_free_model_publication: value,
    enable_free_model_training: value,
    enable_paid_model_training: value,
  });
  const settings = {
    name: 'Everything',
    description: 'All settings',
    limit_usd: 12.5,
    reset_interval: 'monthly',
    include_byok_in_budgets: true,
    allowed_models: [MODEL],
    allowed_providers: ['openai'],
    ignored_models: [IMAGE_MODEL],
    ignored_providers: ['azure'],
    allowed_data_regions: ['global', 'europe', 'us'],
    enforce_zdr: false,
    ...Object.fromEntries(vendors.map((name, index) => [name, [true, false, null, true][index]])),
    enforce_zdr_other: false,
    enable_free_model_publication: true,
    enable_free_model_training: true,
    enable_paid_model_training: false,
  };
  const slugs = ['email', 'phone', 'ssn', 'credit-card', 'ip-address', 'secrets', 'person-name', 'address'];
  const filters = {
    content_filter_builtins: [
      ...slugs.map((slug, index) => ({ slug, action: ['redact', 'block', 'flag'][index % 3], label: 'Ignored' })),
      { slug: 'regex-prompt-injection', action: 'flag', scan_scope: 'user_only' },
    ],
    content_filters: [
      ...['redact', 'block', 'flag'].map((action, index) => ({
        pattern: `PROJECT-[0-9]{${index + 1}}`,
        action,
        label: index === 0 ? null : 'Project',
      })),
      {
        pattern: 'PROJECT-[0-9]+',
        action: 'block',
        label: null,
        applies_to: ['request', 'response', 'tool_call', 'tool_result'],
        holds_whole_text: true,
      },
    ],
  };
  const scope = { slug: 'regex-prompt-injection', action: 'block', scan_scope: 'all_messages' };
  const cleared = {
    ...Object.fromEntries(Object.keys(settings).map((field) => [field, null])),
    name: 'Cleared',
    include_byok_in_budgets: false,
    content_filter_builtins: null,
    content_filters: null,
  };
  return { flags, settings, filters, scope, cleared };
}

/** Destinations with every setting, and without those that can be taken away. @param hash of a key that they are limited to */
export function destinationBodies(hash: string) {
  const fields = 'model provider session_id user_id api_key_name finish_reason input output'.split(' ');
  const counts = 'total_cost total_tokens prompt_tokens completion_tokens'.split(' ');
  const onTexts = 'equals not_equals contains not_contains regex starts_with ends_with'.split(' ');
  const rules = [
    ...fields.map((field, index) => ({ field, operator: onTexts[index % onTexts.length], value: 'text' })),
    ...counts.map((field, index) => ({ field, operator: ['gt', 'lt', 'gte', 'lte'][index], value: 1 })),
    ...['exists', 'not_exists'].map((operator) => ({ field: 'user_id', operator })),
  ];
  const settings = {
    name: 'Everything',
    api_key_hashes: [hash],
    broadcast_generation_cost: true,
    broadcast_generation_identity: true,
    broadcast_generation_request_context: true,
    enabled: false,
    filter_rules: { enabled: true, groups: ['and', 'or'].map((logic) => ({ logic, rules })) },
    privacy_mode: true,
    regions: ['global', 'europe', 'us'],
    sampling_rate: 0.25,
  };
  const cleared = { api_key_hashes: null, filter_rules: null };
  return { settings, cleared };
}
