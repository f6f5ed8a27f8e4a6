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
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Response } from 'express';
import type { Environment } from '../../config/environment.js';
import type { ServiceLogger } from '../logging/service-logger.js';
import type { GatehouseRequest } from '../request.js';
import { otlpExporter } from './otlp-exporter.js';
import { ReportingExporter } from './reporting-exporter.js';
import { answerAttributes, requestAttributes, spanNameOf } from './request-attributes.js';
import { samplerOf } from './sampler.js';
import { serviceResource } from './service-resource.js';
import { failureAttributes, statementAttributes } from './statement-attributes.js';
import { Tracing } from './tracing.js';

/** How long the last spans may take to reach their collector when the service stops, in milliseconds. */
const FLUSH_PATIENCE_MS = 3_000;

/** Follows requests with OpenTelemetry and sends what it finds to a collector. Registers nothing that is global. */
export class OtlpTracing extends Tracing implements OnApplicationShutdown {
  private readonly provider: TracerProvider;
  private readonly tracer: Tracer;
  private readonly propagator = new W3CTraceContextPropagator();
  /** The span of the request that is being answered, wherever its work goes on. */
  private readonly current = new AsyncLocalStorage<Context>();

  constructor(environment: Environment, exporter: SpanExporter) {
    super();
    this.provider = new TracerProvider({
      resource: serviceResource(environment.otelServiceName),
      sampler: samplerOf(environment.tracesSampler, environment.tracesSamplerRatio),
      spanProcessors: [new BatchSpanProcessor({ exporter })],
    });
    this.tracer = this.provider.getTracer('gatehouse');
  }

  request(request: GatehouseRequest, response: Response, proceed: () => void): void {
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
    } catch (failure) {
      span.setAttributes(failureAttributes(failure));
      // Without a message: what failures say may quote values.
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw failure;
    } finally {
      span.end();
    }
  }

  /** Sends what is still here. A collector that does not answer does not keep the service from stopping. */
  async onApplicationShutdown(): Promise<void> {
    // A failure to send has been logged where it was found.
    const sent = this.provider.shutdown().catch(() => undefined);
    await Promise.race([sent, delay(FLUSH_PATIENCE_MS, undefined, { ref: false })]);
  }
}

/** Tracing as the configuration has it. */
export function openTracing(environment: Environment, logger: ServiceLogger): OtlpTracing {
  const exporter = otlpExporter(environment.otlpEndpoint!, environment.otlpHeaders);
  return new OtlpTracing(environment, new ReportingExporter(exporter, logger));
}
