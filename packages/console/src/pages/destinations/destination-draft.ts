import type { Schema } from '../../api/types';
import { linesOf, pairsOf, textOfPairs } from '../../components/lines';
import { type Destination, type DestinationType, isSecret, settingsOf } from './destination-types';
import { type FilterRules, sentRules } from './filter-rules';

/** Where the headers are among the secrets: every type has them. */
export const HEADERS = 'headers';

export type DestinationRegion = Destination['regions'][number];

/** What stands in the form of a destination, but for its secrets. */
export interface DestinationDraft {
  readonly type: DestinationType;
  /** Empty for the default one. */
  readonly workspace: string;
  readonly name: string;
  /** By name, as texts. */
  readonly settings: Readonly<Record<string, string>>;
  readonly enabled: boolean;
  readonly isPrivate: boolean;
  readonly samplingRate: number | null;
  readonly hasCost: boolean;
  readonly hasIdentity: boolean;
  readonly hasContext: boolean;
  readonly regions: readonly DestinationRegion[];
  readonly keys: readonly string[];
  readonly rules: FilterRules | null;
}

/** What was typed of secrets, by the names of their settings: what is absent or empty stays, and null is taken away. Headers are one a line. */
export type Secrets = Readonly<Record<string, string | null>>;

/** A destination that nobody has filled in. */
export const NEW_DESTINATION: DestinationDraft = {
  type: 'otel-collector',
  workspace: '',
  name: '',
  settings: {},
  enabled: true,
  isPrivate: false,
  samplingRate: 1,
  hasCost: false,
  hasIdentity: false,
  hasContext: false,
  regions: ['global'],
  keys: [],
  rules: null,
};

/** The `config` of a destination, by name. */
export function configOf({ config }: Destination): Readonly<Record<string, unknown>> {
  return { ...config };
}

/** The headers of a destination as the form has them, with the masks of their values. */
export function headersOf({ config }: Destination): string {
  return textOfPairs(config.headers ?? {});
}

/** The draft of a destination as it is. */
export function draftOf(destination: Destination): DestinationDraft {
  const config = configOf(destination);
  const plain = settingsOf(destination.type).filter(([, form]) => !isSecret(form));
  return {
    type: destination.type,
    workspace: destination.workspace_id,
    name: destination.name ?? '',
    settings: Object.fromEntries(plain.map(([name]) => [name, textOf(config[name])])),
    enabled: destination.enabled,
    isPrivate: destination.privacy_mode,
    samplingRate: destination.sampling_rate,
    hasCost: destination.broadcast_generation_cost,
    hasIdentity: destination.broadcast_generation_identity,
    hasContext: destination.broadcast_generation_request_context,
    regions: destination.regions,
    keys: destination.api_key_hashes ?? [],
    rules: destination.filter_rules,
  };
}

/** The `config` of a new destination: what was filled in. */
export function newConfig({ type, settings }: DestinationDraft, secrets: Secrets): Record<string, unknown> {
  const given = settingsOf(type).flatMap(([name, form]) => {
    const text = (isSecret(form) ? (secrets[name] ?? '') : (settings[name] ?? '')).trim();
    return text === '' ? [] : [[name, text] as const];
  });
  const headers = secrets[HEADERS] ?? '';
  return { ...Object.fromEntries(given), ...(linesOf(headers).length > 0 && { [HEADERS]: pairsOf(headers) }) };
}

/** What a draft changes of the `config` of a destination: null restores a default or takes a setting away. */
function changedConfig({ settings }: DestinationDraft, secrets: Secrets, stored: Destination): Record<string, unknown> {
  const config = configOf(stored);
  const changes = settingsOf(stored.type).flatMap(([name, form]) => {
    const [before, typed] = [textOf(config[name]), isSecret(form) ? secrets[name] : settings[name]];
    if (typed === null) return [[name, null] as const];
    const text = (typed ?? '').trim();
    if (text === before || (text === '' && isSecret(form))) return [];
    return [[name, text === '' ? null : text] as const];
  });
  const headers = secrets[HEADERS] ?? headersOf(stored);
  return {
    ...Object.fromEntries(changes),
    ...(headers !== headersOf(stored) && { [HEADERS]: linesOf(headers).length === 0 ? null : pairsOf(headers) }),
  };
}

/** What the form of a destination that exists changes, as the interface takes it. */
export function toChanges(
  draft: DestinationDraft,
  secrets: Secrets,
  stored: Destination,
): Schema<'UpdateObservabilityDestinationRequest'> {
  const config = changedConfig(draft, secrets, stored);
  // What cannot be read any more can only be replaced as a whole, so it is left alone unless something of it is changed.
  return { ...toFields(draft), ...(Object.keys(config).length > 0 && { config }) };
}

/** The form of a new destination as the interface takes it. */
export function toRequest(draft: DestinationDraft, secrets: Secrets): Schema<'CreateObservabilityDestinationRequest'> {
  const { type, workspace } = draft;
  return {
    ...{ type, config: newConfig(draft, secrets), ...toFields(draft) },
    ...(workspace !== '' && { workspace_id: workspace }),
  };
}

function toFields(draft: DestinationDraft): Schema<'UpdateObservabilityDestinationRequest'> & { name: string } {
  return {
    name: draft.name.trim(),
    enabled: draft.enabled,
    privacy_mode: draft.isPrivate,
    sampling_rate: draft.samplingRate!,
    broadcast_generation_cost: draft.hasCost,
    broadcast_generation_identity: draft.hasIdentity,
    broadcast_generation_request_context: draft.hasContext,
    regions: [...draft.regions],
    api_key_hashes: draft.keys.length === 0 ? null : [...draft.keys],
    filter_rules: sentRules(draft.rules),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
