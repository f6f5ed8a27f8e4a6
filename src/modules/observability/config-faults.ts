import { joinPath, type ReasonedIssue } from '../../http/errors/issue.js';
import { jsonSizeFaults } from '../../http/input/size-rules.js';
import type { JsonSchema } from '../../http/schema/json-schema.js';
import { SchemaValidator } from '../../http/schema/schema-validator.js';
import { type DestinationConfig, isAddressMask, isMask, settingOf } from './credential-mask.js';
import { DESTINATION_SETTINGS, type Setting } from './destination-settings.js';
import { DESTINATION_TYPES, type DestinationType } from './destination-type.js';

/** The name of a header (RFC 9110, section 5.1). */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** What a header cannot carry (RFC 9110, section 5.5): it would end the header and begin another. */
const CONTROL = /[^\P{Cc}\t]/u;

/** The largest configuration, its headers included, in bytes of JSON: room for several keys in PEM form. */
const MAXIMUM_CONFIG_SIZE = 16_384;

const validator = new SchemaValidator(Object.fromEntries(DESTINATION_TYPES.map((type) => [type, schemaOf(type)])));

/** What is wrong with the form of a configuration: everything but where its addresses lead to. */
export function configFaults(type: DestinationType, config: unknown): ReasonedIssue[] {
  const faults = validator.check({ name: type }, config);
  if (typeof config !== 'object' || config === null || Array.isArray(config)) return inConfig(faults);
  const masks = maskFaults(type, config as DestinationConfig);
  const masked = new Set(masks.map(({ path }) => path));
  const parts = inConfig([
    // That a mask has not the form of what it hides is no fault besides.
    ...faults.filter(({ path }) => !masked.has(path)),
    ...masks,
    ...headerFaults(config as DestinationConfig),
  ]);
  return [...parts, ...jsonSizeFaults('config', config, MAXIMUM_CONFIG_SIZE)];
}

/** A rule: the configuration is one of the type that the request names. */
export function configOfItsType(body: Readonly<Record<string, unknown>>): ReasonedIssue[] {
  const { type, config } = body;
  // Another type, and a configuration that is no object, are the schema's to refuse.
  if (!DESTINATION_TYPES.some((known) => known === type) || typeof config !== 'object' || config === null) return [];
  return Array.isArray(config) ? [] : configFaults(type as DestinationType, config);
}

function inConfig(faults: readonly ReasonedIssue[]): ReasonedIssue[] {
  return faults.map((fault) => ({ ...fault, path: joinPath('config', fault.path) }));
}

/** A mask is what answers show; kept in place of a credential, it would lock out whoever needs it. */
function maskFaults(type: DestinationType, config: DestinationConfig): ReasonedIssue[] {
  return textsOf(config).flatMap(([path, text]) =>
    isMask(text) || (settingOf(type, path)?.address !== undefined && isAddressMask(text))
      ? [{ path, message: 'is a mask, and not of what is stored there', reason: 'masked_credential' }]
      : [],
  );
}

function headerFaults(config: DestinationConfig): ReasonedIssue[] {
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
  return typeof headers === 'object' && headers !== null && !Array.isArray(headers) ? Object.entries(headers) : [];
}

function schemaOf(type: DestinationType): JsonSchema {
  const settings = Object.entries(DESTINATION_SETTINGS[type]);
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(settings.map(([name, setting]) => [name, settingSchema(setting)])),
      headers: { type: 'object', additionalProperties: { type: 'string' } },
    },
    required: settings.filter(([, { required }]) => required).map(([name]) => name),
    additionalProperties: false,
  };
}

function settingSchema({ minLength, maxLength, pattern, format, enum: values }: Setting): JsonSchema {
  return {
    type: 'string',
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
    ...(pattern !== undefined && { pattern }),
    ...(format !== undefined && { format }),
    ...(values !== undefined && { enum: values }),
  };
}
