import { DESTINATION_SETTINGS, type Setting } from './destination-settings.js';
import type { DestinationType } from './destination-type.js';

/** A destination's connection settings, by the contract's names. */
export type DestinationConfig = Readonly<Record<string, unknown>>;

/** The shortest credential that is shown in part; a shorter one would be given away by its ends. */
const SHORTEST_SHOWN = 9;

/** What stands for a value of which nothing is shown. */
const HIDDEN = '****';

/** Stands where an answer needs a value of a form that the mask does not have. */
const UNREADABLE = 'unreadable';

/** The mask of a credential; three dots and the ellipsis (U+2026) are the same. */
const MASK = /^(?:\*{4}|.{4}(?:\.{3}|\u2026).{4})$/su;

/** The mask of an address ends in place of its path or its query. */
const ADDRESS_MASK = /[/?]\*{4}$/;

/** Scheme and host, and all that follows. */
const ADDRESS = /^((?:[a-z][a-z0-9+.-]*:\/\/)?[^/?#]*)(.*)$/is;

/** What may follow the host in an address whose path may be a token: nothing, or the usual path of OTLP over HTTP. */
const PLAIN_PATHS = ['', '/', '/v1/traces'];

/**
 * A configuration as answers and the audit trail show it: every credential masked, of addresses what may hold one, and
 * wholly whatever the type has no setting for.
 */
export function maskConfig(type: DestinationType, config: DestinationConfig): DestinationConfig {
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => {
      if (name === 'headers') return [name, maskEveryValue(value)];
      const setting = settingOf(type, name);
      return [name, setting === undefined ? HIDDEN : maskSetting(setting, value)];
    }),
  );
}

/** What is shown of a configuration that cannot be decrypted: that it has what its type requires. */
export function maskedForm(type: DestinationType): DestinationConfig {
  const required = Object.entries(DESTINATION_SETTINGS[type]).filter(([, setting]) => setting.required);
  return Object.fromEntries(
    required.map(([name, { credential, pattern }]) => {
      const fits = credential || pattern === undefined || new RegExp(pattern, 'u').test(HIDDEN);
      return [name, fits ? HIDDEN : UNREADABLE];
    }),
  );
}

/** A setting of a type; undefined where the type has none of this name. */
export function settingOf(type: DestinationType, name: string): Setting | undefined {
  const settings = DESTINATION_SETTINGS[type];
  return Object.hasOwn(settings, name) ? settings[name] : undefined;
}

/** `abcd...wxyz`, or `****` for what is too short for that. Characters are code points. */
export function maskCredential(credential: string): string {
  return masked(credential, '...');
}

/** Whether a value is what answers show of a credential, with three dots or with an ellipsis. */
export function isMaskOf(value: unknown, credential: string): boolean {
  return value === masked(credential, '...') || value === masked(credential, '\u2026');
}

/** Whether a text has the form of a mask of a credential, whatever it may be the mask of. */
export function isMask(text: string): boolean {
  return MASK.test(text);
}

/** What is shown of a setting's value. */
export function maskSetting(setting: Setting, value: unknown): unknown {
  if (value === undefined || value === null) return value;
  if (typeof value !== 'string') return HIDDEN;
  if (setting.credential) return maskCredential(value);
  return setting.address === undefined ? value : maskAddress(value, setting.secretPath === true);
}

/** Whether the value of an address has the form of what is shown in place of one. */
export function isAddressMask(text: string): boolean {
  return ADDRESS_MASK.test(text);
}

/** An address without what may be a token: its query and fragment, and where `secretPath` says so its path. */
function maskAddress(address: string, secretPath: boolean): string {
  const [, origin = '', rest = ''] = ADDRESS.exec(address) ?? [];
  if (origin.includes('@')) return HIDDEN;
  if (secretPath) return PLAIN_PATHS.includes(rest) ? address : `${origin}/${HIDDEN}`;
  const end = rest.search(/[?#]/);
  return end === -1 ? address : `${origin}${rest.slice(0, end)}?${HIDDEN}`;
}

function maskEveryValue(headers: unknown): unknown {
  if (headers === undefined || headers === null) return headers;
  if (typeof headers !== 'object' || Array.isArray(headers)) return HIDDEN;
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, maskHeader(value)]));
}

function maskHeader(value: unknown): unknown {
  if (value === undefined || value === null) return value;
  return typeof value === 'string' ? maskCredential(value) : HIDDEN;
}

function masked(credential: string, ellipsis: string): string {
  const characters = [...credential];
  if (characters.length < SHORTEST_SHOWN) return HIDDEN;
  return `${characters.slice(0, 4).join('')}${ellipsis}${characters.slice(-4).join('')}`;
}
