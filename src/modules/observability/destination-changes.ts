import { withoutRepetition } from '../../http/request-values.js';
import { WireFields } from '../../persistence/rows/wire-fields.js';
import {
  regionsOf,
  type CreateObservabilityDestinationRequest,
  type UpdateObservabilityDestinationRequest,
} from './dto/destination.dto.js';
import type { DestinationEntity } from './entities/destination.entity.js';
import { isObject } from '../../http/validation/constraints.js';
import { isMaskOf } from '../encryption/credential-mask.js';
import { type DestinationConfig, maskSetting, settingOf } from './config-mask.js';
import { DESTINATION_SETTINGS, type DestinationType, type Setting } from './destination-settings.js';

/** The fields of a destination that requests set, except its type and configuration. */
export const DESTINATION_FIELDS = new WireFields<DestinationEntity, keyof DestinationFields>({
  name: { initial: '' },
  enabled: { initial: true },
  privacyMode: { initial: false },
  samplingRate: { initial: 1 },
  broadcastGenerationCost: { initial: false },
  broadcastGenerationIdentity: { initial: false },
  broadcastGenerationRequestContext: { initial: false },
  regions: { initial: ['global'] },
  apiKeyHashes: { initial: null },
  filterRules: { initial: null },
});

type DestinationFields = Omit<
  DestinationEntity,
  'id' | 'organizationId' | 'workspaceId' | 'type' | 'encryptedConfig' | 'createdAt' | 'updatedAt'
>;

/** Applies a request to the fields of a destination: an absent field keeps its value, null clears it. */
export function withInput<Fields extends DestinationFields>(
  fields: Fields,
  input: CreateObservabilityDestinationRequest | UpdateObservabilityDestinationRequest,
): Fields {
  return DESTINATION_FIELDS.changed(fields, {
    ...input,
    regions: input.regions === undefined ? undefined : regionsOf(input.regions),
    api_key_hashes: withoutRepetition(input.api_key_hashes),
  });
}

/** A configuration with the defaults of absent settings. */
export function withDefaults(type: DestinationType, config: DestinationConfig): DestinationConfig {
  const defaults = Object.entries(DESTINATION_SETTINGS[type]).flatMap(([name, { default: fallback }]) =>
    fallback === undefined || Object.hasOwn(config, name) ? [] : [[name, fallback] as const],
  );
  return { ...config, ...Object.fromEntries(defaults) };
}

/**
 * Applies the settings of a request to a configuration. Absent settings stay; null restores the default or removes the
 * setting. Headers are replaced as a whole. The mask of a stored value keeps that value.
 */
export function changedConfig(
  type: DestinationType,
  stored: DestinationConfig,
  changes: DestinationConfig,
): DestinationConfig {
  const changed = new Map(Object.entries(stored));
  for (const [name, value] of Object.entries(changes)) {
    const setting = settingOf(type, name);
    if (value === null && (setting !== undefined || name === 'headers')) {
      if (setting?.default === undefined) changed.delete(name);
      else changed.set(name, setting.default);
    } else if (name === 'headers') changed.set(name, unmaskedHeaders(value, stored[name]));
    else changed.set(name, unmaskedSetting(setting, value, stored[name]));
  }
  return Object.fromEntries(changed);
}

function unmaskedSetting(setting: Setting | undefined, value: unknown, stored: unknown): unknown {
  if (setting?.credential) return unmasked(value, stored);
  return setting?.address !== undefined && value === maskSetting(setting, stored) ? stored : value;
}

function unmasked(value: unknown, stored: unknown): unknown {
  return typeof stored === 'string' && isMaskOf(value, stored) ? stored : value;
}

/** Header names are compared without case. */
function unmaskedHeaders(headers: unknown, stored: unknown): unknown {
  if (!isObject(headers)) return headers;
  const known = new Map(Object.entries(stored ?? {}).map(([name, value]) => [name.toLowerCase(), value as unknown]));
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, unmasked(value, known.get(name.toLowerCase()))]),
  );
}
