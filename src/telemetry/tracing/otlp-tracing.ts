import { type ExportResult, ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  type ReadableSpan,
  type SpanExporter,
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { ServiceLogger } from '../logging/service-logger.js';
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { OnApplicationShutdown } from '@nestjs/common';
import {
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import { ATTR_SERVICE_NAME } from '@opentelemetry/semantic-conventions';
import type { Response } from 'express';
import type { Environment } from '../../config/environment.js';
import type { TracesSampler } from '../../config/telemetry-variables.js';
import type { ProviderCall, ProviderCallEnd } from '../provider-call.js';
import {
  answerAttributes,
  failureAttributes,
  providerCallAttributes,
  providerCallEndAttributes,
  providerCallSpanName,
  requestAttributes,
  spanNameOf,
  statementAttributes,
} from './span-attributes.js';
import { type TracedRequest, Tracing } from './tracing.js';

/** Sends spans through another exporter, and logs when sending starts to fail and when it works again. */
export class ReportingExporter implements SpanExporter {
  private isDown = false;

  constructor(
    private readonly exporter: SpanExporter,
    private readonly logger: ServiceLogger,
  ) {}

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.exporter.export(spans, (result) => {
      this.report(result);
      done(result);
    });
  }

  async forceFlush(): Promise<void> {
    await this.exporter.forceFlush?.();
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }

  private report({ code, error }: ExportResult): void {
    const isDown = code === ExportResultCode.FAILED;
    if (isDown === this.isDown) return;
    this.isDown = isDown;
    // Logs once when the collector fails, not for every batch.
    if (isDown)
      this.logger.warn(`Traces do not reach their collector and are dropped: ${error?.message ?? 'no reason'}`);
    else this.logger.event('Traces reach their collector again');
  }
}

/** How long a shutdown waits for the last spans to reach the collector, in milliseconds. */
const FLUSH_TIMEOUT_MS = 3_000;

/** Traces requests with OpenTelemetry and sends the spans to a collector. Registers nothing globally. */
export class OtlpTracing extends Tracing implements OnApplicationShutdown {
  private readonly provider: TracerProvider;
  private readonly tracer: Tracer;
  private readonly propagator = new W3CTraceContextPropagator();
  /** The span of the current request, across asynchronous calls. */
  private readonly current = new AsyncLocalStorage<Context>();

  constructor(environment: Environment, exporter: SpanExporter) {
    super();
    this.provider = new TracerProvider({
      resource: resourceOf(environment.otelServiceName),
      sampler: samplerOf(environment.tracesSampler, environment.tracesSamplerRatio),
      spanProcessors: [new BatchSpanProcessor({ exporter })],
    });
    this.tracer = this.provider.getTracer('gatehouse');
  }

  request(request: TracedRequest, response: Response, proceed: () => void): void {
    const parent = this.propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter);
    const attributes = requestAttributes(request);
    const span = this.tracer.startSpan(request.method, { kind: SpanKind.SERVER, attributes }, parent);
    response.once('close', () => {
      span.updateName(spanNameOf(request));
      span.setAttributes(answerAttributes(request, response));
      if (!response.headersSent || response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    this.current.run(trace.setSpan(parent, span), proceed);
  }

  async statement<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
    const parent = this.current.getStore();
    if (parent === undefined) return run();
    const attributes = statementAttributes(name);
    const span = this.tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent);
    try {
      return await run();
    } catch (error) {
      span.setAttributes(failureAttributes(error));
      // Without the error's message, which may contain values.
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  }

  providerCall(call: ProviderCall): (end: ProviderCallEnd) => void {
    const parent = this.current.getStore() ?? ROOT_CONTEXT;
    const attributes = providerCallAttributes(call);
    const span = this.tracer.startSpan(providerCallSpanName(call), { kind: SpanKind.CLIENT, attributes }, parent);
    return (end) => {
      span.setAttributes(providerCallEndAttributes(end));
      if (end.outcome !== 'answered') span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    };
  }

  /** Sends the remaining spans. A collector that does not respond does not prevent the shutdown. */
  async onApplicationShutdown(): Promise<void> {
    // ReportingExporter has already logged a failure.
    const sent = this.provider.shutdown().catch(() => undefined);
    await Promise.race([sent, delay(FLUSH_TIMEOUT_MS, undefined, { ref: false })]);
  }
}

/** Tracing as the OTEL_* variables configure it (docs/operations/metrics.md). */
export function openTracing(environment: Environment, logger: ServiceLogger): OtlpTracing {
  const url = new URL(environment.otlpEndpoint!);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url: url.href, headers: { ...environment.otlpHeaders } });
  return new OtlpTracing(environment, new ReportingExporter(exporter, logger));
}

/**
 * Creates the sampler of OTEL_TRACES_SAMPLER.
 *
 * @param ratio the share of traces that the ratio samplers take
 */
export function samplerOf(name: TracesSampler, ratio: number): Sampler {
  const root = name.endsWith('always_on')
    ? new AlwaysOnSampler()
    : name.endsWith('always_off')
      ? new AlwaysOffSampler()
      : new TraceIdRatioBasedSampler(ratio);
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

/**
 * The attributes of the service itself. The library reads OTEL_RESOURCE_ATTRIBUTES. @param name the configured name, if any
 */
function resourceOf(name: string | undefined): Resource {
  return resourceFromAttributes({ [ATTR_SERVICE_NAME]: 'gatehouse' })
    .merge(detectResources({ detectors: [envDetector] }))
    .merge(resourceFromAttributes(name === undefined ? {} : { [ATTR_SERVICE_NAME]: name }));
}
