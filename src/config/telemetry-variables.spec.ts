import { readEnvironment } from './environment.js';

describe('the variables of metrics and traces', () => {
  it('turn both off when they are not set', () => {
    expect(readEnvironment({})).toMatchObject({
      metricsPort: undefined,
      metricsHost: '127.0.0.1',
      metricsToken: undefined,
      otlpEndpoint: undefined,
      otlpHeaders: {},
      otelServiceName: undefined,
      tracesSampler: 'parentbased_always_on',
      tracesSamplerRatio: 1,
    });
  });

  it('are read', () => {
    const environment = readEnvironment({
      METRICS_PORT: '9464',
      METRICS_HOST: '::1',
      METRICS_TOKEN: 'c2NyYXBlcg==',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example.com/otlp',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a%3Db%2Cc, x-scope-orgid = tenant ,x-empty=',
      OTEL_SERVICE_NAME: 'gatehouse-eu',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '.25',
    });

    expect(environment).toMatchObject({
      metricsPort: 9464,
      metricsHost: '::1',
      metricsToken: 'c2NyYXBlcg==',
      otlpEndpoint: 'https://collector.example.com/otlp',
      otlpHeaders: { authorization: 'Bearer a=b,c', 'x-scope-orgid': 'tenant', 'x-empty': '' },
      otelServiceName: 'gatehouse-eu',
      tracesSampler: 'traceidratio',
      tracesSamplerRatio: 0.25,
    });
  });

  it.each([
    ['METRICS_PORT', '-1', 'METRICS_PORT must be a whole number from 0 to 65535'],
    ['METRICS_TOKEN', 'two secret words', 'METRICS_TOKEN may hold letters, digits and ._~+/- only'],
    ['METRICS_TOKEN', 'sécret', 'METRICS_TOKEN may hold'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'secret:4317', 'OTEL_EXPORTER_OTLP_ENDPOINT must be a URL that starts with http'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'secret', 'OTEL_EXPORTER_OTLP_HEADERS must be name=value pairs'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a b=secret', 'OTEL_EXPORTER_OTLP_HEADERS must be'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=secret%0d%0aInjected:%20yes', 'OTEL_EXPORTER_OTLP_HEADERS must be'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=100%secret', 'OTEL_EXPORTER_OTLP_HEADERS must be'],
    ['OTEL_TRACES_SAMPLER', 'sometimes', 'OTEL_TRACES_SAMPLER must be one of always_on,'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.01', 'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1'],
    ['OTEL_TRACES_SAMPLER_ARG', '1e-3', 'OTEL_TRACES_SAMPLER_ARG must be'],
    ['METRICS_PORT', '3000', 'METRICS_PORT must be another port than PORT'],
  ])('are rejected: %s=%s', (name, value, issue) => {
    const read = (): unknown => readEnvironment({ [name]: value });

    expect(read).toThrow(`The configuration has 1 issue:\n- ${issue}`);
    expect(read).not.toThrow(/secret/);
  });
});
