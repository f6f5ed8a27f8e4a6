import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parse } from 'yaml';
import { CHART, helm, objectsIn, rendered, values } from './chart.mjs';
import { deviationsFromPublished } from './published-types.mjs';
import { installedTools } from './tools.mjs';

const tools = await installedTools();

const VARIANTS = ['minimal', 'all-on', 'all-off', 'openshift'];

/** What each file of values makes of the chart. */
const objectsOf = Object.fromEntries(VARIANTS.map((name) => [name, rendered(tools, '--values', values(name))]));

const find = (variant, kind, ending = '') =>
  objectsOf[variant].find((object) => object.kind === kind && object.metadata.name.endsWith(ending));

const podOf = ({ kind, spec }) => (kind === 'Pod' ? spec : spec?.template?.spec);

const variablesOf = (object) => Object.fromEntries(podOf(object).containers[0].env.map((entry) => [entry.name, entry]));

/** Whether a selector selects pods with these labels. */
const selects = (selector, labels) => Object.entries(selector).every(([name, value]) => labels[name] === value);

describe('the chart', () => {
  for (const variant of VARIANTS) {
    it(`passes the strict lint with the values ${variant}`, () => {
      const { status, stdout } = helm(tools, 'lint', '--strict', CHART, '--values', values(variant));
      assert.equal(status, 0, stdout);
    });

    it(`makes objects that Kubernetes and the Prometheus operator know, with the values ${variant}`, async () => {
      assert.deepEqual(await deviationsFromPublished(tools, objectsOf[variant]), []);
    });

    it(`makes pods that the restricted standard of Kubernetes admits, with the values ${variant}`, () => {
      for (const pod of objectsOf[variant].map(podOf).filter((spec) => spec !== undefined)) {
        assert.equal(pod.securityContext.runAsNonRoot, true);
        assert.equal(pod.securityContext.seccompProfile.type, 'RuntimeDefault');
        assert.equal(pod.automountServiceAccountToken, false);
        for (const { securityContext } of [...(pod.initContainers ?? []), ...pod.containers]) {
          assert.equal(securityContext.allowPrivilegeEscalation, false);
          assert.equal(securityContext.readOnlyRootFilesystem, true);
          assert.deepEqual(securityContext.capabilities, { drop: ['ALL'] });
        }
      }
    });

    it(`gives the pods the time for what they do before they end, with the values ${variant}`, () => {
      const deployment = find(variant, 'Deployment');
      const { terminationGracePeriodSeconds, containers } = podOf(deployment);
      const { SHUTDOWN_DELAY_MS: delay, SHUTDOWN_DRAIN_TIMEOUT_MS: drain } = variablesOf(deployment);
      const sleep = containers[0].lifecycle?.preStop.sleep.seconds ?? 0;
      const needed = sleep + (Number(delay.value) + Number(drain.value)) / 1000 + 10;
      assert.ok(terminationGracePeriodSeconds > needed, `${terminationGracePeriodSeconds} s for ${needed} s`);
    });

    it(`sets variables that the service reads, with the values ${variant}`, () => {
      const known = new Set(
        readFileSync('.env.example', 'utf8')
          .match(/^#?[A-Z][A-Z0-9_]*(?==)/gm)
          .map((name) => name.replace('#', '')),
      );
      for (const name of ['NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS', 'POD_IP']) known.add(name);
      const set = objectsOf[variant]
        .filter(({ kind }) => ['Deployment', 'Job'].includes(kind))
        .flatMap((object) => Object.keys(variablesOf(object)));
      assert.deepEqual(
        set.filter((name) => !known.has(name)),
        [],
      );
    });

    it(`makes no Secret, and takes every secret from one, with the values ${variant}`, () => {
      assert.equal(find(variant, 'Secret'), undefined);
      for (const object of objectsOf[variant].filter(({ kind }) => ['Deployment', 'Job'].includes(kind))) {
        for (const { name, value } of Object.values(variablesOf(object))) {
          if (/(_URL|_KEY|_TOKEN)$/.test(name) && name !== 'FIRST_MANAGEMENT_KEY') assert.equal(value, undefined, name);
        }
      }
    });

    it(`selects the pods of the service alone, with the values ${variant}`, () => {
      const { labels } = find(variant, 'Deployment').spec.template.metadata;
      const others = objectsOf[variant]
        .filter(({ kind }) => ['Job', 'Pod'].includes(kind))
        .map(({ spec, metadata }) => (spec.template?.metadata ?? metadata).labels);
      for (const { kind, spec } of objectsOf[variant].filter(
        ({ metadata }) => metadata.labels?.['app.kubernetes.io/component'] === 'server',
      )) {
        const selector =
          { Service: spec?.selector, NetworkPolicy: spec?.podSelector?.matchLabels }[kind] ??
          spec?.selector?.matchLabels;
        if (selector === undefined) continue;
        assert.ok(selects(selector, labels), kind);
        for (const other of others) assert.ok(!selects(selector, other), kind);
      }
    });
  }

  it('gives the credentials of the owner to the migration, and no others, and to nothing else', () => {
    assert.deepEqual(Object.keys(variablesOf(find('all-on', 'Job'))), [
      'DATABASE_URL',
      'MIGRATION_DATABASE_URL',
      'NODE_EXTRA_CA_CERTS',
      'DATABASE_WAIT_MS',
    ]);
    assert.equal(variablesOf(find('all-on', 'Deployment')).MIGRATION_DATABASE_URL, undefined);
  });

  it('migrates before each installation and each upgrade, for Helm and for Argo CD, with what exists by then', () => {
    const job = find('minimal', 'Job');
    const policy = find('minimal', 'NetworkPolicy', '-migration');
    for (const { metadata } of [job, policy]) {
      assert.equal(metadata.annotations['helm.sh/hook'], 'pre-install,pre-upgrade');
      assert.equal(metadata.annotations['helm.sh/hook-delete-policy'], 'before-hook-creation');
      assert.equal(metadata.annotations['argocd.argoproj.io/hook'], 'PreSync');
    }
    assert.ok(
      Number(policy.metadata.annotations['helm.sh/hook-weight']) <
        Number(job.metadata.annotations['helm.sh/hook-weight']),
    );
    assert.ok(selects(policy.spec.podSelector.matchLabels, job.spec.template.metadata.labels));
    assert.notEqual(podOf(job).serviceAccountName, find('minimal', 'ServiceAccount').metadata.name);
    assert.equal(job.spec.activeDeadlineSeconds, 600);
  });

  it('sets WORKERS only where a pod has several processes', () => {
    const workersWith = (...options) => {
      const objects = rendered(tools, '--values', values('minimal'), ...options);
      return variablesOf(objects.find(({ kind }) => kind === 'Deployment')).WORKERS?.value;
    };
    assert.deepEqual([workersWith(), workersWith('--set', 'workers=1')], [undefined, undefined]);
    assert.deepEqual([workersWith('--set', 'workers=4'), workersWith('--set', 'workers=auto')], ['4', 'auto']);
    assert.throws(() => workersWith('--set', 'workers=65'));
    assert.throws(() => workersWith('--set', 'config.WORKERS=4'));
  });

  it('writes each number as it stands in the values, the largest of each setting too', () => {
    const sources = readdirSync('src/config')
      .filter((file) => file.endsWith('.ts') && !/\.(spec|fixture)\.ts$/.test(file))
      .map((file) => readFileSync(path.join('src/config', file), 'utf8'))
      .join('\n');
    const ofChart = ['PORT', 'METRICS_PORT', 'SHUTDOWN_DELAY_MS', 'SHUTDOWN_DRAIN_TIMEOUT_MS'];
    const numbers = Object.fromEntries(
      [...sources.matchAll(/nteger\(\s*'([A-Z_]+)'[^;]*?,\s*([\d_]+),?\s*\)/g)]
        .map(([, name, largest]) => [name, largest.replaceAll('_', '')])
        .filter(([name]) => !ofChart.includes(name)),
    );
    assert.ok(Object.keys(numbers).length > 25);
    assert.equal(numbers.UNREAD_STREAM_TIMEOUT_MS, '3600000');
    Object.assign(numbers, {
      A_FRACTION: '0.25',
      A_SMALL_FRACTION: '0.00001',
      A_NEGATIVE: '-12345678',
      A_SAFE_INTEGER: '9007199254740991',
    });
    const lines = Object.entries(numbers).map(([name, number]) => `  ${name}: ${number}`);
    const directory = mkdtempSync(path.join(os.tmpdir(), 'gatehouse-chart-'));
    const file = path.join(directory, 'values.yaml');
    writeFileSync(
      file,
      `config:\n${lines.join('\n')}\n  A_FLAG: true\n  A_TEXT: '1e3'\nautoscaling: { enabled: true, targetActiveStreams: 1000000 }\n`,
    );
    for (const options of [[], ['--set', 'config.UNREAD_STREAM_TIMEOUT_MS=3600000']]) {
      const objects = rendered(tools, '--values', values('minimal'), '--values', file, ...options);
      const set = variablesOf(objects.find(({ kind }) => kind === 'Deployment'));
      for (const [name, value] of Object.entries({ ...numbers, A_FLAG: 'true', A_TEXT: '1e3' })) {
        assert.deepEqual([name, set[name].value], [name, value]);
      }
      const [, streams] = objects.find(({ kind }) => kind === 'HorizontalPodAutoscaler').spec.metrics;
      assert.equal(streams.pods.target.averageValue, '1000000');
    }
    rmSync(directory, { recursive: true });
  });

  it('puts containers before and beside the service and the migration', () => {
    const names = (containers) => containers.map(({ name }) => name);
    const { initContainers, containers, hostAliases, dnsPolicy } = podOf(find('all-on', 'Deployment'));
    assert.deepEqual([names(initContainers), names(containers)], [['database-proxy'], ['gatehouse', 'agent']]);
    const job = podOf(find('all-on', 'Job'));
    assert.deepEqual([names(job.initContainers), names(job.containers)], [['database-proxy'], ['migration']]);
    for (const pod of [job, { hostAliases, dnsPolicy }]) {
      assert.equal(pod.hostAliases[0].ip, '10.0.0.9');
      assert.equal(pod.dnsPolicy, 'None');
    }
  });

  it('gives the files that the service applies to the service alone, with their secrets', () => {
    const deployment = find('all-on', 'Deployment');
    const { volumes, containers } = podOf(deployment);
    const mounted = (name) => containers[0].volumeMounts.find((mount) => mount.name === name).mountPath;
    const variables = variablesOf(deployment);
    assert.equal(variables.CONFIG_DIR.value, mounted('configuration-files'));
    assert.equal(variables.CONFIG_SECRETS_DIR.value, mounted('configuration-secrets'));
    assert.equal(variables.CONFIG_DIR_PRUNE.value, 'false');
    const sources = Object.fromEntries(volumes.map(({ name, configMap, secret }) => [name, configMap ?? secret]));
    assert.deepEqual(sources['configuration-files'], { name: 'gateway-files' });
    assert.deepEqual(sources['configuration-secrets'], { secretName: 'gateway-file-secrets' });
    for (const pod of objectsOf['all-on'].filter(({ kind }) => ['Job', 'Pod'].includes(kind)).map(podOf)) {
      assert.ok(!JSON.stringify(pod).includes('gateway-file'));
    }
    assert.equal(variablesOf(find('minimal', 'Deployment')).CONFIG_DIR, undefined);
  });

  it('routes from a Gateway to its Service', () => {
    const { parentRefs, hostnames, rules } = find('all-on', 'HTTPRoute').spec;
    assert.deepEqual([parentRefs[0].name, hostnames], ['public', ['gateway.example.com']]);
    const service = find('all-on', 'Service', 'gateway');
    assert.deepEqual(rules[0].backendRefs, [{ name: service.metadata.name, port: service.spec.ports[0].port }]);
    assert.equal(find('minimal', 'HTTPRoute'), undefined);
  });

  it('watches pods as the values say', () => {
    const [{ startupProbe, livenessProbe, readinessProbe }] = podOf(find('all-on', 'Deployment')).containers;
    // 301 seconds in periods of ten.
    assert.deepEqual([startupProbe.periodSeconds, startupProbe.failureThreshold], [10, 31]);
    assert.deepEqual([livenessProbe.periodSeconds, livenessProbe.failureThreshold], [20, 3]);
    assert.deepEqual([readinessProbe.periodSeconds, readinessProbe.timeoutSeconds], [4, 2]);
  });

  it('is installed with the values that docs/deploy/kubernetes.md shows', async () => {
    const [, shown] = /```yaml\n\s*# values\.yaml\n(.*?)```/s.exec(readFileSync('docs/deploy/kubernetes.md', 'utf8'));
    const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'gatehouse-chart-')), 'values.yaml');
    writeFileSync(file, shown);
    const objects = rendered(tools, '--values', file);
    rmSync(path.dirname(file), { recursive: true });
    assert.deepEqual(await deviationsFromPublished(tools, objects), []);
    assert.ok(objects.some(({ kind }) => kind === 'Ingress'));
  });

  it('names no replicas where an autoscaler does', () => {
    assert.equal(find('all-on', 'Deployment').spec.replicas, undefined);
    assert.equal(find('minimal', 'Deployment').spec.replicas, 2);
    assert.equal(
      find('all-on', 'HorizontalPodAutoscaler').spec.scaleTargetRef.name,
      find('all-on', 'Deployment').metadata.name,
    );
  });

  it('switches buffering off in an Ingress, and lets a value stand in place of its own', () => {
    const { annotations } = find('all-on', 'Ingress').metadata;
    assert.equal(annotations['nginx.ingress.kubernetes.io/proxy-buffering'], 'off');
    assert.equal(annotations['nginx.ingress.kubernetes.io/proxy-read-timeout'], '3600');
    assert.equal(annotations['nginx.ingress.kubernetes.io/proxy-body-size'], '64m');
    assert.equal(find('openshift', 'Ingress').metadata.annotations, undefined);
  });

  it('scrapes under the job that the alerts select', () => {
    const monitor = find('all-on', 'ServiceMonitor');
    const scraped = objectsOf['all-on'].filter(
      ({ kind, metadata }) => kind === 'Service' && selects(monitor.spec.selector.matchLabels, metadata.labels),
    );
    assert.deepEqual(
      scraped.map(({ metadata }) => metadata.name),
      ['gateway-metrics'],
    );
    assert.equal(scraped[0].metadata.labels[monitor.spec.jobLabel], 'gatehouse');
  });

  it('hands out the alerts and the dashboard of ops, and says where the alerts are explained', () => {
    const alerts = parse(readFileSync('ops/alerts.yaml', 'utf8'));
    const plain = rendered(tools, '--values', values('minimal'), '--set', 'metrics.prometheusRule.enabled=true');
    assert.deepEqual(plain.find(({ kind }) => kind === 'PrometheusRule').spec, alerts);
    for (const { annotations } of find('all-on', 'PrometheusRule').spec.groups.flatMap(({ rules }) => rules)) {
      assert.match(
        annotations.runbook_url,
        /^https:\/\/wiki\.example\.com\/gatehouse\/docs\/operations\/metrics\.md#gatehouse/,
      );
      assert.equal(annotations.runbook, undefined);
    }
    const dashboard = find('all-on', 'ConfigMap', '-dashboard').data['gatehouse.json'];
    assert.deepEqual(JSON.parse(dashboard), JSON.parse(readFileSync('ops/grafana-dashboard.json', 'utf8')));
  });

  for (const [what, setting, message] of [
    ['a value that there is not', 'replicas=3', "additional properties 'replicas' not allowed"],
    ['a value of another type', 'replicaCount=many', 'got string, want integer'],
    ['a secret among the variables', 'config.REDIS_URL=redis://:secret@redis', "invalid propertyName 'REDIS_URL'"],
    [
      'the key of a provider among the variables',
      'config.PROVIDER_OPENAI_API_KEY=sk',
      "invalid propertyName 'PROVIDER_OPENAI_API_KEY'",
    ],
    ['a variable that the chart sets', 'config.PORT=80', "invalid propertyName 'PORT'"],
    ['no Secret for the database', 'database.existingSecret=', 'database.existingSecret is required'],
    ['no Secret for the key', 'encryption.existingSecret=', 'encryption.existingSecret is required'],
    [
      'secrets of files without the files',
      'configurationFiles.existingSecret=secrets',
      'configurationFiles.existingSecret needs',
    ],
    [
      'a secret of files among the variables',
      'config.CONFIG_SECRET_GUARD=x',
      "invalid propertyName 'CONFIG_SECRET_GUARD'",
    ],
    ['an Ingress without a host', 'ingress.enabled=true', 'ingress.hosts is required'],
    ['a route without a Gateway', 'gateway.enabled=true', 'gateway.parentRefs is required'],
    [
      'fewer pods at most than at least',
      'autoscaling.enabled=true,autoscaling.minReplicas=5,autoscaling.maxReplicas=4',
      'autoscaling.minReplicas must not be above',
    ],
    ...['name', 'instance', 'component'].flatMap((key) =>
      ['commonLabels', 'podLabels'].map((labels) => [
        `the label ${key} that pods are selected by in ${labels}`,
        `${labels}.app\\.kubernetes\\.io/${key}=other`,
        `invalid propertyName 'app.kubernetes.io/${key}'`,
      ]),
    ),
  ]) {
    it(`refuses ${what}, and says so`, () => {
      const { status, stderr } = helm(tools, 'template', CHART, '--values', values('minimal'), '--set', setting);
      assert.notEqual(status, 0);
      assert.ok(stderr.includes(message), stderr);
    });
  }
});

describe('the package of the chart', () => {
  let directory;
  before(() => {
    directory = mkdtempSync(path.join(os.tmpdir(), 'gatehouse-chart-'));
  });
  after(() => rmSync(directory, { recursive: true }));

  it('has the files of ops in it, and makes the same objects as the folder', () => {
    assert.equal(helm(tools, 'package', CHART, '--destination', directory).status, 0);
    const { stdout } = helm(
      tools,
      'template',
      'gatehouse',
      path.join(directory, 'gatehouse-1.0.0.tgz'),
      '--values',
      values('all-on'),
    );
    assert.deepEqual(objectsIn(stdout), objectsOf['all-on']);
  });
});

describe('the comparison with what Kubernetes publishes', () => {
  const broken = (change) => {
    const deployment = structuredClone(find('minimal', 'Deployment'));
    change(podOf(deployment).containers[0], deployment);
    return deviationsFromPublished(tools, [deployment]);
  };

  it('finds a field that there is not, however deep', async () => {
    const [deviation] = await broken((container) => (container.readinessProbe.httpGet.url = '/'));
    assert.match(deviation, /^Deployment gatehouse at "url": .*'"url"' does not exist/);
  });

  it('finds a value of another type, and one that is missing', async () => {
    assert.notDeepEqual(await broken((container) => (container.ports[0].containerPort = 'three thousand')), []);
    assert.notDeepEqual(await broken((container) => delete container.name), []);
  });
});
