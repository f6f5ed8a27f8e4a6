import { type DestinationConfig, isMaskOf, maskSetting, settingOf } from './credential-mask.js';
import { DESTINATION_SETTINGS, type Setting } from './destination-settings.js';
import type { DestinationType } from './destination-type.js';

/** A configuration with what holds for the settings that it leaves out. */
export function withDefaults(type: DestinationType, config: DestinationConfig): DestinationConfig {
  const defaults = Object.entries(DESTINATION_SETTINGS[type]).flatMap(([name, { default: fallback }]) =>
    fallback === undefined || Object.hasOwn(config, name) ? [] : [[name, fallback] as const],
  );
  return { ...config, ...Object.fromEntries(defaults) };
}

/**
 * A configuration with the settings that a request gives. What it leaves out stays; null takes back to the default, or
 * away. The headers are one setting: they are given all together. The mask of what is stored stands for what is stored.
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

/** Names of headers are the same in capitals or not. */
function unmaskedHeaders(headers: unknown, stored: unknown): unknown {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) return headers;
  const known = new Map(Object.entries(stored ?? {}).map(([name, value]) => [name.toLowerCase(), value as unknown]));
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, unmasked(value, known.get(name.toLowerCase()))]),
  );
}
