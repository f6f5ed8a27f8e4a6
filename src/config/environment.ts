import os from 'node:os';
import { ConfigurationError } from './configuration-error.js';
import { databaseUrlOf } from './database-url.js';
import { DATA_REGIONS, type DataRegion } from './data-region.js';
import { corsOriginsOf } from './cors-origins.js';
import {
  metricsPortOf,
  metricsTokenOf,
  otlpHeadersOf,
  type TracesSampler,
  tracesSamplerOf,
  tracesSamplerRatioOf,
} from './telemetry.js';
import { type QuotaLimits, quotasOf } from './quotas.js';
import { dnsServersOf } from './dns-servers.js';
import { type TrustedProxies, trustedProxiesOf } from './trusted-proxies.js';
import { VariableReader } from './variable-reader.js';

/** The operations that a deployment may open to callers without a credential (DECISIONS.md, section 3). */
const OPENABLE_OPERATIONS = ['exchangeAuthCodeForAPIKey', 'listImageModels', 'getModel'] as const;

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const DIALECTS = ['specification', 'public'] as const;

/** The configuration of a process, checked. Nothing else reads `process.env`. */
export class Environment {
  readonly port: number;
  readonly host: string;
  /** Whose X-Forwarded-For is believed. Undefined: nobody's. */
  readonly trustedProxies: TrustedProxies | undefined;
  /** How many processes answer requests; 1 is this one alone. */
  readonly workers: number;
  /** Undefined: Gatehouse runs the embedded PostgreSQL server itself. */
  readonly databaseUrl: string | undefined;
  /** How migrations reach the same database: as the owner of its tables, past a pooler; undefined: as everything else. */
  readonly migrationDatabaseUrl: string | undefined;
  /** Where the embedded server and generated secrets live; undefined takes the platform's usual place. */
  readonly dataDirectory: string | undefined;
  /** How many connections to PostgreSQL each process opens at most. */
  readonly databasePoolSize: number;
  /** What PostgreSQL may take for one statement of a request, in milliseconds. */
  readonly databaseStatementTimeoutMs: number;
  readonly redisUrl: string | undefined;
  /** With a leading and without a trailing slash. */
  readonly apiBasePath: string;
  readonly apiDialect: (typeof DIALECTS)[number];
  /** The author slugs that vendor_a to vendor_d stand for, in this order. */
  readonly zdrVendors: readonly string[];
  readonly anonymousOperations: ReadonlySet<string>;
  /** Where this deployment stands. */
  readonly dataRegion: DataRegion;
  /** The origins whose pages may call every operation. */
  readonly corsOrigins: ReadonlySet<string>;
  /** How many connections each process takes at most. Undefined: as many as its limit of open files suggests. */
  readonly maximumConnections: number | undefined;
  /** How much of bodies that are not complete yet is kept at most: of one organization, and in all. */
  readonly requestBodyMemoryPerOrganizationMib: number;
  readonly requestBodyMemoryMib: number;
  /** Deletions that one credential may attempt per window. */
  readonly keyDeletionRateLimit: number;
  readonly keyDeletionRateWindowSeconds: number;
  /** Requests that one organization may send in a minute. */
  readonly organizationRequestsPerMinute: number;
  /** How many objects of each kind an organization may have. */
  readonly quotas: QuotaLimits;
  /** Whether generations may be reported to private addresses, and without TLS. */
  readonly allowPrivateDestinations: boolean;
  /** The name servers, each an address with or without a port, that the hosts of destinations are looked up with; empty: the system's. */
  readonly dnsServers: readonly string[];
  /** How long a host is looked up at most, in milliseconds, whatever the name servers do. */
  readonly dnsTimeoutMs: number;
  /** How long the custom patterns of one request may take to compile, in milliseconds. */
  readonly patternTimeoutMs: number;
  /** 32 bytes each: the first encrypts, all decrypt. Empty: the embedded server's own key is made and kept. */
  readonly encryptionKeys: readonly Buffer[];
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** A port of their own for the metrics. Undefined: they are on the main port, where there is a token, or nowhere. */
  readonly metricsPort: number | undefined;
  readonly metricsHost: string;
  /** What a scraper presents as a bearer token, wherever the metrics are. */
  readonly metricsToken: string | undefined;
  /** Where traces are sent (OTLP over HTTP). Undefined: there are none. */
  readonly otlpEndpoint: string | undefined;
  readonly otlpHeaders: Readonly<Record<string, string>>;
  readonly otelServiceName: string | undefined;
  readonly tracesSampler: TracesSampler;
  /** The part of all traces that a ratio sampler takes. */
  readonly tracesSamplerRatio: number;

  constructor(fields: Environment) {
    Object.assign(this, fields);
  }
}

/**
 * Reads and checks the configuration.
 *
 * @param variables usually `process.env`; an empty value counts as none
 * @throws ConfigurationError that lists every fault at once
 */
export function readEnvironment(variables: Readonly<Record<string, string | undefined>>): Environment {
  const reader = new VariableReader(variables);
  const databaseUrl = databaseUrlOf(reader, 'DATABASE_URL');
  const migrationDatabaseUrl = databaseUrlOf(reader, 'MIGRATION_DATABASE_URL');
  if (migrationDatabaseUrl !== undefined && databaseUrl === undefined) {
    reader.fault('MIGRATION_DATABASE_URL', 'is another way to the database of DATABASE_URL, which is not set');
  }
  const encryptionKeys = reader.list('ENCRYPTION_KEY', []).map((key) => encryptionKeyOf(key, reader));
  if (databaseUrl !== undefined && encryptionKeys.length === 0) {
    reader.fault(
      'ENCRYPTION_KEY',
      'is required with DATABASE_URL: 32 random bytes in base64 (openssl rand -base64 32)',
    );
  }
  const environment = new Environment({
    port: reader.integer('PORT', 3000, 0, 65535),
    host: reader.text('HOST', '0.0.0.0'),
    trustedProxies: trustedProxiesOf(reader),
    workers: workersOf(reader),
    databaseUrl,
    migrationDatabaseUrl,
    dataDirectory: reader.optionalText('DATA_DIR'),
    databasePoolSize: reader.integer('DATABASE_POOL_SIZE', 20, 2, 1_000),
    databaseStatementTimeoutMs: reader.integer('DATABASE_STATEMENT_TIMEOUT_MS', 900, 100, 600_000),
    redisUrl: reader.url('REDIS_URL', ['redis:', 'rediss:']),
    apiBasePath: basePathOf(reader),
    apiDialect: reader.choice('API_DIALECT', DIALECTS, 'specification'),
    zdrVendors: zdrVendorsOf(reader),
    anonymousOperations: anonymousOperationsOf(reader),
    dataRegion: reader.choice('DATA_REGION', DATA_REGIONS, 'global'),
    corsOrigins: corsOriginsOf(reader),
    maximumConnections: maximumConnectionsOf(reader),
    requestBodyMemoryPerOrganizationMib: reader.integer('REQUEST_BODY_MEMORY_PER_ORGANIZATION_MIB', 32, 1, 65_536),
    requestBodyMemoryMib: reader.integer('REQUEST_BODY_MEMORY_MIB', 256, 1, 65_536),
    keyDeletionRateLimit: reader.integer('KEY_DELETION_RATE_LIMIT', 60, 1, 1_000_000),
    keyDeletionRateWindowSeconds: reader.integer('KEY_DELETION_RATE_WINDOW_S', 60, 1, 86_400),
    organizationRequestsPerMinute: reader.integer('ORGANIZATION_REQUESTS_PER_MINUTE', 600_000, 1, 1_000_000_000),
    quotas: quotasOf(reader),
    allowPrivateDestinations: reader.choice('ALLOW_PRIVATE_DESTINATIONS', ['true', 'false'], 'false') === 'true',
    dnsServers: dnsServersOf(reader),
    dnsTimeoutMs: reader.integer('DNS_TIMEOUT_MS', 2_000, 100, 600_000),
    patternTimeoutMs: reader.integer('PATTERN_TIMEOUT_MS', 10_000, 100, 600_000),
    encryptionKeys,
    logLevel: reader.choice('LOG_LEVEL', LOG_LEVELS, 'info'),
    metricsPort: metricsPortOf(reader),
    metricsHost: reader.text('METRICS_HOST', '127.0.0.1'),
    metricsToken: metricsTokenOf(reader),
    otlpEndpoint: reader.url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:']),
    otlpHeaders: otlpHeadersOf(reader),
    otelServiceName: reader.optionalText('OTEL_SERVICE_NAME'),
    tracesSampler: tracesSamplerOf(reader),
    tracesSamplerRatio: tracesSamplerRatioOf(reader),
  });
  if (environment.metricsPort === environment.port && environment.port !== 0) {
    reader.fault('METRICS_PORT', 'must be another port than PORT');
  }
  if (reader.faults.length > 0) throw new ConfigurationError(reader.faults);
  return environment;
}

/** One for each processor that this process may use, where that is asked for. */
function workersOf(reader: VariableReader): number {
  if (reader.optionalText('WORKERS') === 'auto') return os.availableParallelism();
  return reader.integer('WORKERS', 1, 1, 256, ' or auto');
}

function maximumConnectionsOf(reader: VariableReader): number | undefined {
  if (reader.optionalText('MAXIMUM_CONNECTIONS') === undefined) return undefined;
  return reader.integer('MAXIMUM_CONNECTIONS', 1, 1, 1_000_000);
}

function basePathOf(reader: VariableReader): string {
  const path = reader.text('API_BASE_PATH', '/api/v1');
  if (!/^(\/[A-Za-z0-9._~-]+)+$/.test(path)) {
    reader.fault('API_BASE_PATH', 'must be a path such as /api/v1, with a leading and without a trailing slash');
  }
  return path;
}

function zdrVendorsOf(reader: VariableReader): readonly string[] {
  const vendors = reader.list('ZDR_VENDORS', ['anthropic', 'openai', 'google', 'xai']);
  const names = new Set(vendors.map((vendor) => vendor.replaceAll('-', '')));
  const wellFormed = vendors.every((vendor) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(vendor));
  if (vendors.length !== 4 || names.size !== 4 || !wellFormed || names.has('other')) {
    reader.fault('ZDR_VENDORS', 'must be four different author slugs, separated by commas');
  }
  return vendors;
}

function anonymousOperationsOf(reader: VariableReader): ReadonlySet<string> {
  const operations = reader.list('ANONYMOUS_OPERATIONS', []);
  const openable: readonly string[] = OPENABLE_OPERATIONS;
  for (const operation of operations.filter((name) => !openable.includes(name))) {
    reader.fault('ANONYMOUS_OPERATIONS', `cannot open ${operation}; it may name ${openable.join(', ')}`);
  }
  return new Set(operations);
}

function encryptionKeyOf(text: string, reader: VariableReader): Buffer {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  // Exactly: Node's decoder skips what is no base64, and would make some key of a passphrase.
  if (!/^[A-Za-z0-9+/]{43}=$/.test(text)) {
    // The value itself is a secret and is not repeated in the fault.
    reader.fault('ENCRYPTION_KEY', 'must be 32 bytes in base64 or hex, several separated by commas');
  }
  return Buffer.from(text, 'base64');
}
