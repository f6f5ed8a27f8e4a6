import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { ManagedObjectsGauge } from '../../../src/modules/configuration/reconciliation/managed-objects-gauge.service.js';
import { OutboxUpkeep } from '../../../src/modules/observability/delivery/outbox/outbox-upkeep.service.js';
import { DeliveryService } from '../../../src/modules/observability/delivery/sending/delivery.service.js';
import { ProviderServer } from '../../support/network/provider-server.js';
import { newDestination } from '../../support/resources/destinations.js';
import { exchangeBytes } from '../../support/network/raw-connection.js';
import { promqlNames } from './promql.js';
import { type Sample, scrape } from './scrape.js';
import { completeOrganization } from '../../operations/complete-organization.js';
import { TestApplication } from '../../support/application/test-application.js';
import { DASHBOARD_SCHEMA } from './dashboard-schema.js';

const TOKEN = 'token-for-tests';

/** What series may be taken from, by the type of the source. */
const SOURCES: Readonly<Record<string, [type: string, uid: string]>> = {
  prometheus: ['prometheus', '${datasource}'],
  grafana: ['grafana', '-- Grafana --'],
};

interface Dashboard {
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] };
  readonly panels: readonly Panel[];
}

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly refId: string; readonly expr: string; readonly legendFormat: string }[];
}

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

const dashboard = JSON.parse(readFileSync('ops/grafana-dashboard.json', 'utf8')) as Dashboard;
const alerts = (
  parse(readFileSync('ops/alerts.yaml', 'utf8')) as { groups: readonly { rules: readonly Alert[] }[] }
).groups.flatMap(({ rules }) => rules);
const targets = dashboard.panels.flatMap((panel) => panel.targets ?? []);

/** The increases that an expression asks for. */
function increasesOf(expression: string): readonly Readonly<Record<'metric' | 'matchers' | 'window', string>>[] {
  return [...expression.matchAll(/(?:rate|increase)\(([a-z_]+)(\{[^}]*\})\[(\w+)\]\)/g)].map(
    ([, metric, matchers, window]) => ({ metric: metric!, matchers: matchers!, window: window! }),
  );
}

/** What labels have to be for each series that matchers name: one for each alternative of an expression of words. */
function valuesOf(matchers: string): readonly Readonly<Record<string, string>>[] {
  const named = [...matchers.matchAll(/(\w+)=~?"([\w|]+)"/g)].filter(([, label]) => label !== 'job');
  return named.reduce<Readonly<Record<string, string>>[]>(
    (all, [, label, values]) => all.flatMap((one) => values!.split('|').map((value) => ({ ...one, [label!]: value }))),
    [{}],
  );
}

function isSubset(some: Readonly<Record<string, string>>, all: Readonly<Record<string, string>>): boolean {
  return Object.entries(some).every(([label, value]) => all[label] === value);
}

/** Sends what waits for destinations. */
async function deliver(app: TestApplication): Promise<void> {
  const deliveries = app.application.get(DeliveryService);
  await deliveries.poll();
  await deliveries.drained();
}

describe('the metrics of the dashboard and the alerts', () => {
  const metrics = new Set<string>();
  const labels = new Set<string>();
  /** The samples of a process that has done nothing yet. */
  let first: readonly Sample[];

  // Reads the metrics of a service that has answered, refused, limited and not understood a request: then every metric has a series.
  beforeAll(async () => {
    const variables = {
      METRICS_TOKEN: TOKEN,
      KEY_DELETION_RATE_LIMIT: '1',
      ALLOW_PRIVATE_DESTINATIONS: 'true',
      CONFIG_DIR: 'no/such/folder',
    };
    const app = await TestApplication.start({ variables });
    first = (await scrape(`${app.origin}/metrics`, TOKEN)).samples;
    const receiver = await ProviderServer.start();
    receiver.answerJson({});
    const organization = await completeOrganization(app);
    const { managementKey: key } = organization;
    const { plaintext: apiKey } = await app.factory.key(organization);
    // The destinations of the sample lead to hosts that are not there.
    await app.rows('DELETE FROM observability_destinations');
    await app.rows('UPDATE workspaces SET is_observability_broadcast_enabled = true');
    const config = { url: receiver.baseUrl };
    await newDestination(app, organization, 'webhook', { config, workspace_id: organization.workspaceId });
    for (const model of ['gatehouse/echo', 'gatehouse/no-such-model']) {
      const json = { model, messages: [{ role: 'user', content: 'Say this.' }], stream: true };
      await app.api.post('/chat/completions', { key: apiKey, json, headers: { 'x-cache': 'use' } });
    }
    for (let count = 0; count < 2; count += 1) await app.api.delete(`/keys/${'0'.repeat(64)}`, { key });
    await exchangeBytes(app.origin, ['no request\r\n\r\n'], 'closed');
    await deliver(app);
    await app.api.post('/chat/completions', {
      key: apiKey,
      json: { model: 'gatehouse/echo', messages: [{ role: 'user', content: 'Drop this.' }] },
    });
    await app.rows('UPDATE observability_destinations SET enabled = false');
    await deliver(app);
    await app.application.get(OutboxUpkeep).tidy();
    await app.application.get(ManagedObjectsGauge).measure();
    const { samples } = await scrape(`${app.origin}/metrics`, TOKEN);
    await app.stop();
    await receiver.stop();
    for (const sample of samples) {
      metrics.add(sample.name);
      for (const label of Object.keys(sample.labels)) labels.add(label);
    }
  });

  const expectExported = (expression: string): void => {
    const names = promqlNames(expression);
    expect({ expression, unknown: names.metrics.filter((name) => !metrics.has(name)) }).toEqual({
      expression,
      unknown: [],
    });
    expect({ expression, unknown: names.labels.filter((name) => !labels.has(name)) }).toEqual({
      expression,
      unknown: [],
    });
  };

  it('are found in their expressions', () => {
    expect(
      promqlNames(
        'sum by (le, a) (rate(x_bucket{b=~"c|d",e!="f(g)"}[5m])) / on (h) group_left () y offset 1m > bool 2e3',
      ),
    ).toEqual({ metrics: ['x_bucket', 'y'], labels: ['b', 'e', 'le', 'a', 'h'] });
    expect(targets.length).toBeGreaterThan(15);
    expect(alerts.length).toBeGreaterThan(8);
    for (const expression of [...targets, ...alerts].map(({ expr }) => expr)) {
      const { metrics: named } = promqlNames(expression);
      expect({ expression, count: named.length > 0 || /\bup\b/.test(expression) }).toEqual({ expression, count: true });
    }
  });

  it('are exported by the service: those of the panels', () => {
    for (const { expr, legendFormat } of targets) {
      expectExported(expr);
      for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) expect([...labels, 'instance']).toContain(label);
    }
  });

  it('are exported by the service: those of the variables', () => {
    const definitions = dashboard.templating.list.flatMap(({ definition }) => definition ?? []);

    expect(definitions).toHaveLength(2);
    for (const definition of definitions) {
      expectExported(/^label_values\((.+), (?:job|instance)\)$/.exec(definition)![1]!);
    }
  });

  it('are exported by the service: those of the alerts', () => {
    for (const { expr } of alerts) expectExported(expr);
  });

  it('are there from the start, or are read so that the first event of a new series counts: the increases of the alerts', () => {
    const increases = alerts.flatMap(({ alert, expr }) =>
      increasesOf(expr).map((increase) => ({ alert, expr, ...increase })),
    );
    expect(increases.length).toBeGreaterThan(8);
    for (const { alert, expr, metric, matchers, window } of increases) {
      const selector = `${metric}${matchers}`;
      // One of very many observations decides nothing about how long most of them take.
      const isShareOfMany = expr.includes('histogram_quantile(');
      const readsNewSeries = expr.includes(`(${selector} unless ${selector} offset ${window})`);
      const missing = valuesOf(matchers).filter(
        (values) => !first.some((sample) => sample.name === metric && isSubset(values, sample.labels)),
      );
      expect({ alert, missing: isShareOfMany || readsNewSeries ? [] : missing }).toEqual({ alert, missing: [] });
    }
  });

  it('include every metric of its own that the service exports', () => {
    const asked = new Set([...targets, ...alerts].flatMap(({ expr }) => promqlNames(expr).metrics));
    const own = [...metrics].filter((name) => name.startsWith('gatehouse_') && !name.endsWith('_sum'));

    expect(own.length).toBeGreaterThan(5);
    expect(own.filter((name) => !asked.has(name))).toEqual([]);
  });
});

describe('the dashboard', () => {
  it('has a form that Grafana can import', () => {
    const validate = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true }).compile(DASHBOARD_SCHEMA);

    expect({ valid: validate(dashboard), faults: validate.errors }).toEqual({ valid: true, faults: null });
  });

  it('reads every series from the data source that the user selects', () => {
    const text = JSON.stringify(dashboard);
    const sources = [...text.matchAll(/"datasource":\{"type":"([^"]*)","uid":"([^"]*)"\}/g)];

    expect(dashboard.templating.list.map(({ name }) => name)).toEqual(['datasource', 'job', 'instance']);
    // One is of a list that Grafana keeps itself.
    expect(sources).toHaveLength(text.split('"datasource":{').length - 1);
    expect(sources.filter(([, type]) => type === 'prometheus').length).toBe(sources.length - 1);
    for (const [, type, uid] of sources) expect([type, uid]).toEqual(SOURCES[type!]);
    for (const { expr } of targets) expect(expr).toContain('{job=~"$job",instance=~"$instance"');
  });

  it('has panels that do not overlap, each with an id of its own', () => {
    const { panels } = dashboard;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
  });
});

describe('the alert rules', () => {
  const documentation = readFileSync('docs/operations/metrics.md', 'utf8');

  it('each have a severity, a summary and a link to a runbook', () => {
    const headings = [...documentation.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!);

    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
    for (const { alert, labels, annotations } of alerts) {
      expect(['critical', 'warning', 'info']).toContain(labels.severity);
      expect(annotations.summary).not.toBe('');
      expect(annotations.runbook).toBe(`docs/operations/metrics.md#${alert.toLowerCase()}`);
      expect(headings).toContain(alert);
    }
  });

  it('are exactly those that the documentation explains', () => {
    const explained = [...documentation.matchAll(/^#+ (Gatehouse\w+)$/gm)].map(([, alert]) => alert!);

    expect(explained.sort()).toEqual(alerts.map(({ alert }) => alert).sort());
  });

  it('select series of this service only', () => {
    for (const { expr } of alerts) {
      for (const [selector] of expr.matchAll(/\{[^}]*\}/g)) expect(selector).toMatch(/[{,]job="gatehouse"[,}]/);
    }
  });
});
