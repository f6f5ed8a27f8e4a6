import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { SECRET_VARIABLES } from '../../src/config/secret-files.js';

const CHART = 'deploy/helm/gatehouse';

interface ValueSchema {
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly propertyNames?: object;
  readonly additionalProperties?: unknown;
}

/** May be addresses without a secret, which then need no Secret. */
const ADDRESSES = ['CONTENT_ANALYZER_URL', 'CONTENT_CLASSIFIER_URL', 'OTEL_EXPORTER_OTLP_ENDPOINT'];

/** What ends like the name of a secret: the last is a part of PROVIDER_<ID>_API_KEY. */
const NO_SECRETS = ['FIRST_MANAGEMENT_KEY', 'REFUSAL_RECORDS_PER_KEY', 'API_KEY'];

describe('the values of the chart', () => {
  const schema = JSON.parse(readFileSync(path.join(CHART, 'values.schema.json'), 'utf8')) as ValueSchema;
  const values = parse(readFileSync(path.join(CHART, 'values.yaml'), 'utf8')) as Record<string, unknown>;
  const { global: ofHelm, ...own } = schema.properties!;

  it('are each described, with the default that values.yaml has', () => {
    const defaultsOf = (properties: Readonly<Record<string, ValueSchema>>): object =>
      Object.fromEntries(
        Object.entries(properties).map(([name, value]) => {
          expect(value.description).toMatch(/\.$/);
          return [name, value.properties ? defaultsOf(value.properties) : value.default];
        }),
      );

    expect(ofHelm!.description).toBeDefined();
    expect(defaultsOf(own)).toEqual(values);
  });

  it('are all of those that there are, at every level', () => {
    const open = (value: ValueSchema): boolean =>
      value.properties !== undefined &&
      (value.additionalProperties !== false || Object.values(value.properties).some(open));

    expect(open(schema)).toBe(false);
    expect(new Ajv({ allowUnionTypes: true }).compile(schema)(values)).toBe(true);
  });

  it('take no secret of the service among the variables', () => {
    const isName = new Ajv().compile({ type: 'object', propertyNames: own['config']!.propertyNames });

    for (const name of SECRET_VARIABLES.filter((each) => !ADDRESSES.includes(each))) {
      expect([name, isName({ [name]: 'value' })]).toEqual([name, false]);
    }
    const named = readdirSync('src/config')
      .filter((file) => file.endsWith('.ts') && !/\.(spec|fixture)\.ts$/.test(file))
      .flatMap((file) => readFileSync(path.join('src/config', file), 'utf8').match(/'[A-Z][A-Z0-9_]*'/g) ?? [])
      .map((name) => name.slice(1, -1))
      .filter((name) => /_(TOKEN|SECRET|PASSWORD|KEY|HEADERS?)$/.test(name) && !NO_SECRETS.includes(name));
    expect(named).toEqual(expect.arrayContaining(['AWS_CONTAINER_AUTHORIZATION_TOKEN', 'IDENTITY_HEADER']));
    expect(named.filter((name) => isName({ [name]: 'value' }))).toEqual([]);
    expect(isName({ PROVIDER_OPENAI_API_KEY: 'value' })).toBe(false);
    expect(isName({ LOG_LEVEL: 'warn', PROVIDER_OPENAI_BASE_URL: 'https://api.example.com' })).toBe(true);
  });

  it('belong to the version of package.json', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

    expect(parse(readFileSync(path.join(CHART, 'Chart.yaml'), 'utf8'))).toMatchObject({ appVersion: version });
  });
});
