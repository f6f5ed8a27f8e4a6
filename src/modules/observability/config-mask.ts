import { expressionOf } from '../../http/validation/constraints.js';
import { HIDDEN, maskCredential } from '../encryption/credential-mask.js';
import { DESTINATION_SETTINGS, type DestinationType, type Setting } from './destination-settings.js';

/** A destination's connection settings, by the contract's names. */
export type DestinationConfig = Readonly<Record<string, unknown>>;

/** Replaces a value in responses that require a format that a mask does not have. */
const UNREADABLE = 'unreadable';

/** The end of a masked address, in place of its path or query. */
const ADDRESS_MASK = /[/?]\*{4}$/;

/** Scheme and host, and all that follows. */
const ADDRESS = /^((?:[a-z][a-z0-9+.-]*:\/\/)?[^/?#]*)(.*)$/is;

/** What may follow the host in an address whose path may be a token: nothing, or the usual path of OTLP over HTTP. */
const PLAIN_PATHS = ['', '/', '/v1/traces'];

/**
 * Masks a configuration for responses and the audit trail: every credential, parts of addresses that may contain one,
 * and values of unknown settings.
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

/** Shows a configuration that cannot be decrypted: a mask for each required setting. */
export function maskedForm(type: DestinationType): DestinationConfig {
  const required = Object.entries(DESTINATION_SETTINGS[type]).filter(([, setting]) => setting.required);
  return Object.fromEntries(
    required.map(([name, { credential, pattern }]) => {
      const fits = credential || pattern === undefined || expressionOf(pattern).test(HIDDEN);
      return [name, fits ? HIDDEN : UNREADABLE];
    }),
  );
}

/** A setting of a type; undefined where the type has none of this name. */
export function settingOf(type: DestinationType, name: string): Setting | undefined {
  const settings = DESTINATION_SETTINGS[type];
  return Object.hasOwn(settings, name) ? settings[name] : undefined;
}

/** Masks the value of a setting, if necessary. */
export function maskSetting(setting: Setting, value: unknown): unknown {
  if (value === undefined || value === null) return value;
  if (typeof value !== 'string') return HIDDEN;
  if (setting.credential) return maskCredential(value);
  return setting.address === undefined ? value : maskAddress(value, setting.secretPath === true);
}

/** Whether a text has the form of a masked address. */
export function isAddressMask(text: string): boolean {
  return ADDRESS_MASK.test(text);
}

/** Masks the parts of an address that may contain a token: query and fragment, and with `secretPath` the path. */
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
