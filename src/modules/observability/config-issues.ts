import { type Issue, joinPath, type IssueWithReason } from '../../http/errors/issue.js';
import { jsonSizeIssues } from '../../http/input/size-rules.js';
import { isObject, textMessages } from '../../http/validation/constraints.js';
import { isMask } from '../encryption/credential-mask.js';
import { MASKED_CREDENTIAL } from '../encryption/encryption.errors.js';
import { type DestinationConfig, isAddressMask, settingOf } from './config-mask.js';
import { DESTINATION_SETTINGS, DESTINATION_TYPES, type DestinationType } from './destination-settings.js';

/** The name of a header (RFC 9110, section 5.1). */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Characters that a header value cannot contain (RFC 9110, section 5.5): they would begin another header. */
const CONTROL = /[^\P{Cc}\t]/u;

/** The maximum size of a configuration with headers, in bytes of JSON: enough for several keys in PEM form. */
const MAXIMUM_CONFIG_SIZE = 16_384;

/** Checks the form of a configuration, except where its addresses lead to. */
export function configIssues(type: DestinationType, config: unknown): IssueWithReason[] {
  if (!isObject(config)) return [{ path: 'config', message: 'must be object' }];
  const issues = settingIssues(type, config);
  const masks = maskIssues(type, config);
  const masked = new Set(masks.map(({ path }) => path));
  const parts = inConfig([
    // A mask does not have the form of its value; that is not a second issue.
    ...issues.filter(({ path }) => !masked.has(path)),
    ...masks,
    ...headerIssues(config),
  ]);
  return [...parts, ...jsonSizeIssues('config', config, MAXIMUM_CONFIG_SIZE)];
}

/** A rule: the configuration is one of the type that the request names. */
export function configOfItsType(body: Readonly<Record<string, unknown>>): IssueWithReason[] {
  const { type, config } = body;
  // The schema refuses an unknown type, and a configuration that is not an object.
  if (!DESTINATION_TYPES.some((known) => known === type) || !isObject(config)) return [];
  return configIssues(type as DestinationType, config);
}

function inConfig(issues: readonly IssueWithReason[]): IssueWithReason[] {
  return issues.map((issue) => ({ ...issue, path: joinPath('config', issue.path) }));
}

/** A mask must never be stored in place of a credential. */
function maskIssues(type: DestinationType, config: DestinationConfig): IssueWithReason[] {
  return textsOf(config).flatMap(([path, text]) =>
    isMask(text) || (settingOf(type, path)?.address !== undefined && isAddressMask(text))
      ? [MASKED_CREDENTIAL.at(path)]
      : [],
  );
}

/** What is wrong with headers that are sent with each request; paths begin with `headers`. */
export function issuesOfHeaders(headers: unknown): IssueWithReason[] {
  return [...headersFormIssues(headers), ...headerIssues({ headers })];
}

function headerIssues(config: DestinationConfig): IssueWithReason[] {
  const seen = new Set<string>();
  return headersOf(config).flatMap(([name, value]) => {
    const path = joinPath('headers', name.toWellFormed());
    const isRepeated = seen.has(name.toLowerCase());
    seen.add(name.toLowerCase());
    if (!HEADER_NAME.test(name)) return [{ path, message: 'is not the name of a header' }];
    if (isRepeated) return [{ path, message: 'is given more than once' }];
    return typeof value === 'string' && CONTROL.test(value) ? [{ path, message: 'must not contain a line break' }] : [];
  });
}

function textsOf(config: DestinationConfig): [path: string, text: string][] {
  const settings = Object.entries(config).filter(([name]) => name !== 'headers');
  const headers = headersOf(config).map(([name, value]) => [joinPath('headers', name), value] as const);
  return [...settings, ...headers].flatMap(([path, value]) => (typeof value === 'string' ? [[path, value]] : []));
}

function headersOf({ headers }: DestinationConfig): [name: string, value: unknown][] {
  return isObject(headers) ? Object.entries(headers) : [];
}

function settingIssues(type: DestinationType, config: DestinationConfig): Issue[] {
  const settings = DESTINATION_SETTINGS[type];
  const missing = Object.entries(settings).flatMap(([path, { required }]) =>
    required && config[path] === undefined ? [{ path, message: 'is required' }] : [],
  );
  const given = Object.entries(config).flatMap(([name, value]) => {
    if (name === 'headers') return headersFormIssues(value);
    const setting = Object.hasOwn(settings, name) ? settings[name] : undefined;
    if (setting === undefined) return [{ path: name.toWellFormed(), message: 'is not a known field' }];
    return textMessages(value, setting).map((message) => ({ path: name, message }));
  });
  return [...missing, ...given];
}

function headersFormIssues(headers: unknown): Issue[] {
  if (!isObject(headers)) return [{ path: 'headers', message: 'must be object' }];
  return Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [] : [{ path: joinPath('headers', name), message: 'must be string' }],
  );
}
