import type { VariableReader } from './variable-reader.js';

/** The samplers, by their OpenTelemetry names. */
const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** The name of an OpenTelemetry sampler. */
export type TracesSampler = (typeof SAMPLERS)[number];

/** Reads METRICS_TOKEN, the bearer token that scrapers have to send. */
export function metricsTokenOf(reader: VariableReader): string | undefined {
  const token = reader.optionalText('METRICS_TOKEN');
  // RFC 6750, section 2.1: a bearer token can have no other characters.
  if (token !== undefined && !/^[A-Za-z0-9._~+/-]+=*$/.test(token)) {
    reader.issue('METRICS_TOKEN', 'may hold letters, digits and ._~+/- only (openssl rand -hex 32)');
  }
  return token;
}

/** Reads the headers for the collector: `name=value` pairs, separated by commas, with percent-encoded values. */
export function otlpHeadersOf(reader: VariableReader): Readonly<Record<string, string>> {
  const pairs = reader.list('OTEL_EXPORTER_OTLP_HEADERS', []).map(headerOf);
  if (pairs.every((pair) => pair !== undefined)) return Object.fromEntries(pairs);
  // They are usually credentials, so the issue does not repeat them.
  reader.issue('OTEL_EXPORTER_OTLP_HEADERS', 'must be name=value pairs, separated by commas, with values URL-encoded');
  return {};
}

/** Reads the sampler. */
export function tracesSamplerOf(reader: VariableReader): TracesSampler {
  return reader.choice('OTEL_TRACES_SAMPLER', SAMPLERS, 'parentbased_always_on');
}

/** Reads the share of traces that a ratio sampler takes. */
export function tracesSamplerRatioOf(reader: VariableReader): number {
  const text = reader.text('OTEL_TRACES_SAMPLER_ARG', '1');
  const ratio = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (ratio >= 0 && ratio <= 1) return ratio;
  reader.issue('OTEL_TRACES_SAMPLER_ARG', 'must be a number from 0 to 1');
  return 1;
}

/** @returns undefined if the text is not a valid header: printable ASCII after decoding */
function headerOf(pair: string): [name: string, value: string] | undefined {
  const [, name, value] = /^([!#$&'*+.^`|~\w-]+)\s*=\s*((?:[\x20-\x24\x26-\x7e]|%[2-7][\da-f])*)$/i.exec(pair) ?? [];
  return name === undefined || value === undefined ? undefined : [name, decodeURIComponent(value)];
}
