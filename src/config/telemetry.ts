import type { VariableReader } from './variable-reader.js';

/** Which requests are traced, by the names that OpenTelemetry has for it. */
const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** One of OpenTelemetry's ways to choose the requests that are traced. */
export type TracesSampler = (typeof SAMPLERS)[number];

/** The port of the metrics, where they have one of their own. */
export function metricsPortOf(reader: VariableReader): number | undefined {
  return reader.optionalText('METRICS_PORT') === undefined ? undefined : reader.integer('METRICS_PORT', 0, 0, 65535);
}

/** What a scraper of the metrics presents. */
export function metricsTokenOf(reader: VariableReader): string | undefined {
  const token = reader.optionalText('METRICS_TOKEN');
  // RFC 6750, section 2.1: anything else could never stand behind `Bearer`.
  if (token !== undefined && !/^[A-Za-z0-9._~+/-]+=*$/.test(token)) {
    reader.fault('METRICS_TOKEN', 'may hold letters, digits and ._~+/- only (openssl rand -hex 32)');
  }
  return token;
}

/** Headers for the collector: `name=value` pairs, separated by commas, with the values percent-encoded. */
export function otlpHeadersOf(reader: VariableReader): Readonly<Record<string, string>> {
  const pairs = reader.list('OTEL_EXPORTER_OTLP_HEADERS', []).map(headerOf);
  if (pairs.every((pair) => pair !== undefined)) return Object.fromEntries(pairs);
  // They are credentials as a rule, and not repeated in the fault.
  reader.fault('OTEL_EXPORTER_OTLP_HEADERS', 'must be name=value pairs, separated by commas, with values URL-encoded');
  return {};
}

/** The sampler, where traces are taken at all. */
export function tracesSamplerOf(reader: VariableReader): TracesSampler {
  return reader.choice('OTEL_TRACES_SAMPLER', SAMPLERS, 'parentbased_always_on');
}

/** The part of all traces that a ratio sampler takes. */
export function tracesSamplerRatioOf(reader: VariableReader): number {
  const text = reader.text('OTEL_TRACES_SAMPLER_ARG', '1');
  const ratio = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (ratio >= 0 && ratio <= 1) return ratio;
  reader.fault('OTEL_TRACES_SAMPLER_ARG', 'must be a number from 0 to 1');
  return 1;
}

/** @returns undefined where the text is not a header that can be sent: printable ASCII, once it is decoded */
function headerOf(pair: string): [name: string, value: string] | undefined {
  const [, name, value] = /^([!#$&'*+.^`|~\w-]+)\s*=\s*((?:[\x20-\x24\x26-\x7e]|%[2-7][\da-f])*)$/i.exec(pair) ?? [];
  return name === undefined || value === undefined ? undefined : [name, decodeURIComponent(value)];
}
