import { joinPath, type IssueWithReason } from '../../../http/errors/issue.js';
import { type DestinationConfig } from '../config-mask.js';
import { CREDENTIALS_REQUIRED } from '../observability.errors.js';
import { DESTINATION_SETTINGS, type DestinationType, type Setting } from '../destination-settings.js';
import { parsesAsUrl } from '../../../config/parses-as-url.js';

/**
 * Issues of a change that sends data to another origin (RFC 6454) without giving the credentials again. Without this rule a
 * user who may change a destination, but never saw its credentials, could have them sent to their own host.
 *
 * @param before the stored configuration
 * @param after the configuration that the change makes of it
 * @param given the settings of the request, in which a mask stands for what is stored
 */
export function newOriginIssues(
  type: DestinationType,
  before: DestinationConfig,
  after: DestinationConfig,
  given: DestinationConfig,
): IssueWithReason[] {
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
  ].map((path) => CREDENTIALS_REQUIRED.at(joinPath('config', path)));
}

/** Whether a change sends data to another address. @param before undefined if it is not known */
export function hasNewAddress(
  type: DestinationType,
  before: DestinationConfig | undefined,
  after: DestinationConfig,
): boolean {
  return Object.entries(DESTINATION_SETTINGS[type]).some(
    ([name, { address, decidesHost }]) => (address !== undefined || decidesHost) && before?.[name] !== after[name],
  );
}

/** The names whose value the request does not give itself. */
function keptNames(names: readonly string[], after: DestinationConfig, given: DestinationConfig): string[] {
  return names.filter(
    (name) => Object.hasOwn(after, name) && !(Object.hasOwn(given, name) && given[name] === after[name]),
  );
}

/** The part of a setting that decides the destination of data: of an address its scheme, host and port. */
function originOf({ address, decidesHost }: Setting, value: unknown): unknown {
  if (address === undefined) return decidesHost ? value : undefined;
  if (typeof value !== 'string') return value;
  const url = address === 'host' && !value.includes('://') ? `https://${value}` : value;
  if (!parsesAsUrl(url)) return value;
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

function headersOf({ headers }: DestinationConfig): DestinationConfig {
  return typeof headers === 'object' && headers !== null ? (headers as DestinationConfig) : {};
}
