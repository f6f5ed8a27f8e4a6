import { isObject } from '../../../http/validation/constraints.js';
import type { DestinationConfig } from '../config-mask.js';
import { DESTINATION_SETTINGS, type DestinationType, type Setting } from '../destination-settings.js';
import { parsesAsUrl } from '../../../config/parses-as-url.js';

/** A shorter text would also mask what has nothing to do with it. */
const MINIMUM_SECRET_LENGTH = 4;

/**
 * The texts that nothing that is shown or logged may contain: the credentials of a configuration, the values of its headers, the parts of
 * its addresses that may be a token, and each of them as receivers may repeat it, in percent encoding or base64.
 *
 * @param signingSecrets secrets that sign deliveries
 * @returns the longest first, so that one that contains another is masked as a whole (`withoutSecrets`)
 */
export function secretsOf(
  type: DestinationType,
  config: DestinationConfig,
  signingSecrets: readonly string[] = [],
): readonly string[] {
  const settings: Readonly<Record<string, Setting>> = DESTINATION_SETTINGS[type];
  const plain = Object.entries(config).flatMap(([name, value]): unknown[] => {
    if (name === 'headers') return isObject(value) ? Object.values(value) : [];
    const setting = Object.hasOwn(settings, name) ? settings[name] : undefined;
    if (typeof value !== 'string' || setting === undefined) return [];
    if (setting.credential === true) return [value, ...keyOfDsn(setting, value)];
    return setting.address === undefined ? [] : tokensOfAddress(value, setting.secretPath === true);
  });
  const texts = [...plain, ...signingSecrets].filter((text) => typeof text === 'string');
  const secrets = new Set([...texts, ...texts.map(schemeless), ...basicCredentials(type, config)].flatMap(formsOf));
  return [...secrets]
    .filter((secret) => secret.length >= MINIMUM_SECRET_LENGTH)
    .sort((one, other) => other.length - one.length);
}

function formsOf(secret: string): string[] {
  return [secret, encodeURIComponent(secret.toWellFormed()), Buffer.from(secret).toString('base64')];
}

/** `Bearer abc` also hides `abc`. */
function schemeless(header: string): string {
  return header.replace(/^[A-Za-z]+ +/, '');
}

function keyOfDsn({ address }: Setting, dsn: string): string[] {
  return address === 'dsn' ? (/^https?:\/\/([^:@/]+)/.exec(dsn)?.slice(1) ?? []) : [];
}

function tokensOfAddress(address: string, hasSecretPath: boolean): string[] {
  if (!parsesAsUrl(address)) return [];
  const { pathname, search } = new URL(address);
  const segments = hasSecretPath ? pathname.split('/').filter((segment) => !PLAIN_SEGMENTS.has(segment)) : [];
  return [search, ...new URLSearchParams(search).values(), ...segments];
}

/** Segments of the usual paths of receivers, which are in many messages. */
const PLAIN_SEGMENTS = new Set(['', 'v1', 'traces', 'otlp', 'hooks', 'webhook', 'webhooks', 'api']);

/** Pairs that are sent as one text of Basic authentication (RFC 7617). */
function basicCredentials(type: DestinationType, config: DestinationConfig): string[] {
  const pairs: Partial<Record<DestinationType, readonly [unknown, unknown]>> = {
    grafana: [config['instanceId'], config['apiKey']],
    langfuse: [config['publicKey'], config['secretKey']],
    weave: ['api', config['apiKey']],
  };
  const pair = pairs[type];
  return pair === undefined ? [] : [`${String(pair[0])}:${String(pair[1])}`];
}
