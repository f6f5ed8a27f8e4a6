import type { DestinationConfig } from '../../config-mask.js';
import type { DestinationType } from '../../destination-settings.js';
import { addressesWithPath, basicAuthorization, settingOf } from '../configured-settings.js';
import type { ValueLimits } from '../otlp/attributes.js';
import {
  describeForArize,
  describeForBraintrust,
  describeForCollector,
  describeForLangfuse,
  describeForLangsmith,
  describeForOpik,
  describeForSentry,
  describeForWeave,
  describePrompt,
} from '../otlp/type-attributes.js';
import type { OtlpType } from './otlp-type.js';
import { parsesAsUrl } from '../../../../config/parses-as-url.js';

const MEGABYTE = 1_000_000;

/** What has no limit of its own: content of the usual size is sent whole, and the limit of the request bounds the rest. */
const LONG_VALUES: ValueLimits = { text: { length: 10 * MEGABYTE, unit: 'characters' } };

/** The kind of OpenInference for what is around calls of models. */
const OPEN_INFERENCE_INNER = { 'openinference.span.kind': 'CHAIN' };

const OTLP_HOSTS: Readonly<Record<string, string>> = {
  eu: 'https://otlp.eu01.nr-data.net',
  us: 'https://otlp.nr-data.net',
};

/** The types that take OTLP over HTTP and nothing else (docs/interface/destination-types.md#otlp). */
export type OtlpDestinationType = Exclude<
  DestinationType,
  'clickhouse' | 'datadog' | 'posthog' | 's3' | 'snowflake' | 'webhook'
>;

/** How each of them is sent to. Limits are below those that receivers have, as far as these are known. */
export const OTLP_TYPES: Readonly<Record<OtlpDestinationType, OtlpType>> = {
  arize: otlpType('arize', {
    inner: OPEN_INFERENCE_INNER,
    copies: 2,
    hasCosts: true,
    urls: (config) => addressesWithPath(settingOf(config, 'baseUrl'), '/v1/traces'),
    headers: (config) => ({
      authorization: settingOf(config, 'apiKey'),
      'arize-space-id': settingOf(config, 'spaceKey'),
      // Older receivers read these two.
      api_key: settingOf(config, 'apiKey'),
      space_id: settingOf(config, 'spaceKey'),
      'arize-interface': 'otel',
    }),
    describe: describeForArize,
  }),
  braintrust: otlpType('braintrust', {
    inner: { 'braintrust.span_attributes': '{"type":"task"}' },
    limits: { generations: 100, bytes: 6 * MEGABYTE, concurrency: 2 },
    urls: (config) => addressesWithPath(settingOf(config, 'baseUrl'), '/otel/v1/traces'),
    headers: (config) => ({
      authorization: bearer(config),
      'x-bt-parent': `project_id:${settingOf(config, 'projectId')}`,
    }),
    describe: describeForBraintrust,
  }),
  grafana: otlpType('grafana', {
    limits: { generations: 200, bytes: 4 * MEGABYTE, concurrency: 2 },
    // Tempo cuts longer ones itself, and does not say so.
    values: { text: { length: 2_048, unit: 'bytes' } },
    urls: (config) => addressesWithPath(settingOf(config, 'baseUrl'), '/otlp/v1/traces'),
    headers: (config) => ({
      authorization: basicAuthorization(settingOf(config, 'instanceId'), settingOf(config, 'apiKey')),
    }),
    describe: describePrompt,
  }),
  langfuse: otlpType('langfuse', {
    inner: { 'langfuse.observation.type': 'span' },
    limits: { generations: 100, bytes: 4 * MEGABYTE, concurrency: 4 },
    // It takes every number below gen_ai.usage for tokens.
    hasCosts: false,
    urls: (config) => addressesWithPath(settingOf(config, 'baseUrl'), '/api/public/otel/v1/traces'),
    headers: (config) => ({
      authorization: basicAuthorization(settingOf(config, 'publicKey'), settingOf(config, 'secretKey')),
      'x-langfuse-ingestion-version': '4',
    }),
    describe: describeForLangfuse,
  }),
  langsmith: otlpType('langsmith', {
    inner: { 'langsmith.span.kind': 'chain' },
    urls: (config) => addressesWithPath(settingOf(config, 'endpoint'), '/otel/v1/traces'),
    headers: (config) => ({
      'x-api-key': settingOf(config, 'apiKey'),
      'langsmith-project': settingOf(config, 'project'),
      ...(settingOf(config, 'workspaceId') !== '' && { 'x-tenant-id': settingOf(config, 'workspaceId') }),
    }),
    describe: describeForLangsmith,
  }),
  newrelic: otlpType('newrelic', {
    limits: { generations: 200, bytes: 900_000, concurrency: 2 },
    values: { text: { length: 4_095, unit: 'characters' }, entries: 64 },
    urls: (config) => [`${OTLP_HOSTS[settingOf(config, 'region')] ?? OTLP_HOSTS['us']!}/v1/traces`],
    headers: (config) => ({ 'api-key': settingOf(config, 'licenseKey') }),
    describe: describePrompt,
  }),
  opik: otlpType('opik', {
    urls: () => ['https://www.comet.com/opik/api/v1/private/otel/v1/traces'],
    headers: (config) => ({
      authorization: settingOf(config, 'apiKey'),
      'comet-workspace': settingOf(config, 'workspace'),
      projectname: settingOf(config, 'projectName'),
    }),
    describe: describeForOpik,
  }),
  'otel-collector': otlpType('otel-collector', {
    inner: OPEN_INFERENCE_INNER,
    limits: { generations: 200, bytes: 4 * MEGABYTE, concurrency: 4 },
    copies: 2,
    urls: (config) => [settingOf(config, 'endpoint')],
    headers: () => ({}),
    describe: describeForCollector,
  }),
  ramp: otlpType('ramp', {
    limits: { generations: 1, bytes: 10 * MEGABYTE, concurrency: 4 },
    isCompressed: false,
    // Its documents do not say whether a path follows.
    urls: (config) => {
      const base = settingOf(config, 'baseUrl');
      return [...new Set([base, ...addressesWithPath(base, '/v1/traces')])];
    },
    headers: (config) => ({ authorization: bearer(config) }),
    describe: describePrompt,
  }),
  sentry: otlpType('sentry', {
    limits: { generations: 50, bytes: 900_000, concurrency: 2 },
    values: { text: { length: 256 * 1_024, unit: 'bytes' } },
    urls: (config) => addressesWithPath(settingOf(config, 'otlpEndpoint'), '/v1/traces'),
    headers: (config) => ({ 'x-sentry-auth': `sentry sentry_key=${keyOfDsn(settingOf(config, 'dsn'))}` }),
    describe: describeForSentry,
  }),
  weave: otlpType('weave', {
    inner: OPEN_INFERENCE_INNER,
    encoding: 'protobuf',
    urls: (config) => addressesWithPath(settingOf(config, 'baseUrl'), '/otel/v1/traces'),
    headers: (config) => ({
      authorization: basicAuthorization('api', settingOf(config, 'apiKey')),
      project_id: `${settingOf(config, 'entity')}/${settingOf(config, 'project')}`,
    }),
    describe: describeForWeave,
  }),
};

type Differences = Pick<OtlpType, 'urls' | 'headers' | 'describe'> & Partial<OtlpType>;

function otlpType(type: OtlpDestinationType, differences: Differences): OtlpType {
  return {
    type,
    limits: { generations: 100, bytes: 4 * MEGABYTE, concurrency: 2 },
    values: LONG_VALUES,
    copies: 1,
    isCompressed: true,
    hasCosts: true,
    ...differences,
  };
}

function bearer(config: DestinationConfig): string {
  return `Bearer ${settingOf(config, 'apiKey')}`;
}

/** The public key is the user of a DSN. */
function keyOfDsn(dsn: string): string {
  return parsesAsUrl(dsn) ? new URL(dsn).username : '';
}
