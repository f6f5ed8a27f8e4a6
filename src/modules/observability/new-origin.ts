import { joinPath, type ReasonedIssue } from '../../http/errors/issue.js';
import { type DestinationConfig } from './credential-mask.js';
import { DESTINATION_SETTINGS, type Setting } from './destination-settings.js';
import type { DestinationType } from './destination-type.js';

/**
 * What a change lacks that sends data to another origin (RFC 6454): the credentials, given again. Otherwise somebody who may
 * change a destination, but was never told its credentials, could have them sent to a host of their own.
 *
 * @param before the stored configuration
 * @param after the configuration that the change makes of it
 * @param given the settings of the request, in which a mask stands for what is stored
 */
export function newOriginFaults(
  type: DestinationType,
  before: DestinationConfig,
  after: DestinationConfig,
  given: DestinationConfig,
): ReasonedIssue[] {
  const settings = Object.entries(DESTINATION_SETTINGS[type]);
  const isSame = settings.every(
    ([name, setting]) => originOf(setting, before[name]) === originOf(setting, after[name]),
  );
  if (isSame) return [];
  const credentials = settings.filter(([, { credential }]) => credential).map(([name]) => name);
  const [headers, givenHeaders] = [headersOf(after), headersOf(given)];
  return [
    ...keptNames(credentials, after, given),
    ...keptNames(Object.keys(headers), headers, givenHeaders).map((name) => joinPath('headers', name)),
  ].map((path) => ({
    path: joinPath('config', path),
    message: 'must be given again, because the change sends it to another host',
    reason: 'credentials_required_for_new_origin',
  }));
}

/** The names whose value the request does not give itself. */
function keptNames(names: readonly string[], after: DestinationConfig, given: DestinationConfig): string[] {
  return names.filter(
    (name) => Object.hasOwn(after, name) && !(Object.hasOwn(given, name) && given[name] === after[name]),
  );
}

/** What of a setting decides where data is sent to: of an address its scheme, host and port. */
function originOf({ address, decidesHost }: Setting, value: unknown): unknown {
  if (address === undefined) return decidesHost ? value : undefined;
  if (typeof value !== 'string') return value;
  const url = address === 'host' && !value.includes('://') ? `https://${value}` : value;
  if (!URL.canParse(url)) return value;
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

function headersOf({ headers }: DestinationConfig): DestinationConfig {
  return typeof headers === 'object' && headers !== null ? (headers as DestinationConfig) : {};
}
