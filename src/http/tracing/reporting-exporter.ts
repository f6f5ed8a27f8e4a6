import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { ServiceLogger } from '../logging/service-logger.js';

/** Sends spans through another exporter and says in the log when they no longer arrive, and when they do again. */
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
    // One line when it goes, not one for every batch.
    if (isDown)
      this.logger.warn(`Traces do not reach their collector and are dropped: ${error?.message ?? 'no reason'}`);
    else this.logger.event('Traces reach their collector again');
  }
}
