import { Registry } from 'prom-client';
import { PrometheusGatewayMetrics } from './prometheus-gateway-metrics.js';

describe('PrometheusGatewayMetrics', () => {
  it('gives a thousand pairs of provider and model series of their own, and counts further ones as others', async () => {
    const registry = new Registry();
    const metrics = new PrometheusGatewayMetrics(registry);
    for (let number = 0; number < 1_010; number += 1) metrics.ofEndpoint('acme', `acme/${number}`).own(0.1);
    metrics.ofEndpoint('acme', 'acme/999').own(0.1);

    const text = await registry.metrics();
    const counts = [...text.matchAll(/own_seconds_count\{provider="(.*)",model="(.*)"\} (\d+)/g)].map(
      ([, provider, model, count]) => `${provider} ${model} ${count}`,
    );
    expect(counts).toHaveLength(1_001);
    expect(counts).toContain('acme acme/999 2');
    expect(counts).toContain('other other 10');
  });

  it('tells the outcomes of one endpoint apart', async () => {
    const registry = new Registry();
    const endpoint = new PrometheusGatewayMetrics(registry).ofEndpoint('acme', 'acme/writer');
    endpoint.upstream('answered', 0.2);
    endpoint.upstream('answered', 0.2);
    endpoint.upstream('timeout', 60);

    const text = await registry.metrics();
    expect(text).toMatch(/upstream_seconds_count\{provider="acme",model="acme\/writer",outcome="answered"\} 2/);
    expect(text).toMatch(/upstream_seconds_count\{provider="acme",model="acme\/writer",outcome="timeout"\} 1/);
  });
});
