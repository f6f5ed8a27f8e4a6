import { Histogram, type Registry } from 'prom-client';
import type { McpMetrics, McpOutcome } from './metrics.js';

/** Upper bounds in seconds: tools look something up, or work for minutes. */
const DURATION_BUCKETS = [0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** Metrics of requests to MCP servers in a registry of prom-client. */
export class PrometheusMcpMetrics implements McpMetrics {
  private readonly durations = new Histogram({
    name: 'gatehouse_mcp_request_seconds',
    help: 'Time in which calls of tools, and reads of prompts and resources, were answered, by method and outcome.',
    labelNames: ['method', 'outcome'],
    registers: [this.registry],
    buckets: DURATION_BUCKETS,
  });

  constructor(private readonly registry: Registry) {}

  request(method: string, outcome: McpOutcome, seconds: number): void {
    this.durations.observe({ method, outcome }, seconds);
  }
}
