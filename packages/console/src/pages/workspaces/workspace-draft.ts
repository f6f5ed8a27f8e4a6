import type { Schema } from '../../api/types';
import { linesOf, pairOf, partsOf, textOfPairs } from '../../components/lines';

/** How any value of a label is written. */
const ANY = '*';

type Workspace = Schema<'Workspace'>;

/** What stands in the form of a workspace. */
export interface WorkspaceDraft {
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  readonly textModel: string;
  readonly imageModel: string;
  readonly providerSort: string;
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
  /** `name=value,value` or `name=*`, one a line. */
  readonly labels: string;
  readonly broadcasts: boolean;
  readonly logs: boolean;
  readonly samplingRate: number | null;
  readonly cache: string;
  /** One name a line. */
  readonly disabledTools: string;
}

/** What a workspace has; what a new one has at first without one. */
export function draftOf(workspace?: Workspace): WorkspaceDraft {
  return {
    name: workspace?.name ?? '',
    slug: workspace?.slug ?? '',
    description: workspace?.description ?? '',
    textModel: workspace?.default_text_model ?? '',
    imageModel: workspace?.default_image_model ?? '',
    providerSort: workspace?.default_provider_sort ?? '',
    requestsPerMinute: workspace?.rate_limits?.requests_per_minute ?? null,
    tokensPerMinute: workspace?.rate_limits?.tokens_per_minute ?? null,
    labels: textOfPairs(workspace?.allowed_labels ?? {}),
    broadcasts: workspace?.is_observability_broadcast_enabled ?? false,
    logs: workspace?.is_observability_io_logging_enabled ?? false,
    samplingRate: workspace?.io_logging_sampling_rate ?? 1,
    cache: workspace?.is_response_cache_enabled == null ? '' : String(workspace.is_response_cache_enabled),
    disabledTools: (workspace?.disabled_server_tools ?? []).join('\n'),
  };
}

/** The request of a draft: what is empty is cleared. */
export function toRequest(draft: WorkspaceDraft): Schema<'CreateWorkspaceRequest'> {
  const labels = allowedLabels(draft.labels);
  const disabledTools = linesOf(draft.disabledTools);
  return {
    name: draft.name.trim(),
    slug: draft.slug.trim(),
    description: draft.description.trim() || null,
    default_text_model: draft.textModel.trim() || null,
    default_image_model: draft.imageModel.trim() || null,
    default_provider_sort: draft.providerSort || null,
    rate_limits: { requests_per_minute: draft.requestsPerMinute, tokens_per_minute: draft.tokensPerMinute },
    allowed_labels: labels.size === 0 ? null : Object.fromEntries(labels),
    is_observability_broadcast_enabled: draft.broadcasts,
    is_observability_io_logging_enabled: draft.logs,
    io_logging_sampling_rate: draft.samplingRate ?? 1,
    is_response_cache_enabled: draft.cache === '' ? null : draft.cache === 'true',
    disabled_server_tools: disabledTools.length === 0 ? null : disabledTools,
  };
}

/** The values of each name, which may stand in several lines; any value takes in all others. */
function allowedLabels(text: string): ReadonlyMap<string, typeof ANY | string[]> {
  const labels = new Map<string, typeof ANY | string[]>();
  for (const line of linesOf(text)) {
    const [name, values] = pairOf(line);
    const before = labels.get(name) ?? [];
    labels.set(name, before === ANY || values === ANY ? ANY : [...new Set([...before, ...partsOf(values)])]);
  }
  return labels;
}
