import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import type { SpanExporter } from '@opentelemetry/sdk-trace';

/**
 * Sends spans as JSON over HTTP.
 *
 * @param endpoint the base URL of the collector, which `/v1/traces` is appended to
 */
export function otlpExporter(endpoint: string, headers: Readonly<Record<string, string>>): SpanExporter {
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`;
  return new OTLPTraceExporter({ url: url.href, headers: { ...headers } });
}
