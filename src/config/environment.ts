import { cloudVariablesOf } from './cloud-variables.js';
import { classifierDecisionOf } from './classifier-variables.js';
import { getHeapStatistics } from 'node:v8';
import { configurationDirectoryOf } from './configuration-directory-variables.js';
import { databaseUrlOf } from './database-url.js';
import { DATA_REGIONS } from './data-region.js';
import { metricsTokenOf, otlpHeadersOf, tracesSamplerOf, tracesSamplerRatioOf } from './telemetry-variables.js';
import { providerVariablesOf } from './provider-variables.js';
import { quotasOf } from './quota-variables.js';
import { corsOriginsOf, dnsServersOf, privateNetworksOf, publicUrlOf, trustedProxiesOf } from './network-variables.js';
import { egressProxiesOf } from './egress-proxy-variables.js';
import { smtpFromOf } from './mail-variables.js';
import { firstManagementKeyOf } from './first-management-key-variable.js';
import { withSecretsOfFiles } from './secret-files.js';
import { LEAST_CONNECTIONS, shareOfWorker } from './share-of-worker.js';
import { ConfigurationError, type VariableReader } from './variable-reader.js';
import { workersOf } from './workers-variable.js';

const KIBIBYTE = 1024;

const MEBIBYTE = 1024 * KIBIBYTE;

const MAXIMUM_MEMORY = 65_536 * MEBIBYTE;

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const DIALECTS = ['specification', 'public'] as const;

/** A wire form of the interface. */
export type ApiDialect = (typeof DIALECTS)[number];

const ANALYZER_FAILURE_ACTIONS = ['block', 'pass'] as const;

/** The validated configuration of a process: the settings of {@link settingsOf}. No other code reads `process.env`. */
export class Environment extends (Object as unknown as new () => Settings) {
  constructor(settings: Settings) {
    super();
    Object.assign(this, settings);
  }
}

/**
 * Reads and checks the configuration.
 *
 * @param variables usually `process.env`; an empty value counts as absent
 * @param openableOperations the operationIds that ANONYMOUS_OPERATIONS may name
 * @param encrypts whether the process encrypts or decrypts anything; migrations do not
 * @param isWorker whether it is one of WORKERS processes, and so has an N-th of what bounds a process
 * @throws ConfigurationError that lists every issue at once
 */
export function readEnvironment(
  variables: Readonly<Record<string, string | undefined>>,
  openableOperations: readonly string[] = [],
  encrypts = true,
  isWorker = false,
): Environment {
  const reader = withSecretsOfFiles(variables);
  const settings = settingsOf(reader, openableOperations, isWorker);
  if (encrypts) checkEncryptionKey(settings, reader);
  checkTogether(settings, reader);
  if (reader.issues.length > 0) throw new ConfigurationError(reader.issues);
  return new Environment(isWorker ? shareOfWorker(settings) : settings);
}

type Settings = Readonly<ReturnType<typeof settingsOf>>;

/** Reads every setting; those that it returns are the fields of {@link Environment}. */
function settingsOf(reader: VariableReader, openableOperations: readonly string[], isWorker: boolean) {
  const workers = workersOf(reader);
  // The heap of all workers together, because each is started with its part of it (src/bootstrap/workers/heap-of-worker.ts).
  const heapBytes = getHeapStatistics().heap_size_limit * (isWorker ? workers : 1);
  const contentAnalyzerTimeoutMs = reader.integer('CONTENT_ANALYZER_TIMEOUT_MS', 5_000, 100, 600_000);
  const contentClassifierTimeoutMs = reader.integer('CONTENT_CLASSIFIER_TIMEOUT_MS', 5_000, 100, 600_000);
  const inferenceBodyLimit = reader.memory('INFERENCE_BODY_LIMIT', 20 * MEBIBYTE, KIBIBYTE, 1024 * MEBIBYTE);
  return {
    port: reader.integer('PORT', 3000, 0, 65535),
    host: reader.text('HOST', '0.0.0.0'),
    /** How many processes share the port. */
    workers,
    /** The proxies whose X-Forwarded-For is trusted. Undefined: none. */
    trustedProxies: trustedProxiesOf(reader),
    /** Undefined: Gatehouse runs the embedded PostgreSQL server itself. */
    databaseUrl: databaseUrlOf(reader, 'DATABASE_URL'),
    /**
     * The URL of the same database for migrations: as the owner of its tables and without a pooler. Undefined: `databaseUrl`.
     */
    migrationDatabaseUrl: databaseUrlOf(reader, 'MIGRATION_DATABASE_URL'),
    /** The directory of the embedded server's data and generated secrets. Undefined: the default of the platform. */
    dataDirectory: reader.optionalText('DATA_DIR'),
    /** The maximum number of connections to PostgreSQL of each process. */
    databasePoolSize: reader.integer('DATABASE_POOL_SIZE', 20, LEAST_CONNECTIONS, 1_000),
    /** The time limit of one statement of a request, in milliseconds. */
    databaseStatementTimeoutMs: reader.integer('DATABASE_STATEMENT_TIMEOUT_MS', 900, 100, 600_000),
    /** How long a start waits for a database that cannot be reached, in milliseconds. */
    databaseWaitMs: reader.integer('DATABASE_WAIT_MS', 60_000, 0, 3_600_000),
    /** What becomes of the management key of the first organization. */
    firstManagementKey: firstManagementKeyOf(reader),
    /** How long a process that is asked to stop goes on taking connections, not ready any more, in milliseconds. */
    shutdownDelayMs: reader.integer('SHUTDOWN_DELAY_MS', 5_000, 0, 600_000),
    /** How long requests in progress, streams too, may go on after that, in milliseconds. */
    shutdownDrainTimeoutMs: reader.integer('SHUTDOWN_DRAIN_TIMEOUT_MS', 20_000, 0, 3_600_000),
    redisUrl: reader.url('REDIS_URL', ['redis:', 'rediss:']),
    /** The path prefix of all operations, with a leading and without a trailing slash. */
    apiBasePath: basePathOf(reader),
    /** Whether the pages of the console are served. */
    hasConsole: reader.choice('CONSOLE', ['true', 'false'], 'true') === 'true',
    apiDialect: reader.choice('API_DIALECT', DIALECTS, 'specification'),
    /** The author slugs that vendor_a to vendor_d stand for, in this order. */
    zdrVendors: zdrVendorsOf(reader),
    /** The operationIds that need no credential. */
    anonymousOperations: anonymousOperationsOf(reader, openableOperations),
    /** The region of this deployment. */
    dataRegion: reader.choice('DATA_REGION', DATA_REGIONS, 'global'),
    /** The origins whose pages may call every operation. */
    corsOrigins: corsOriginsOf(reader),
    /** The maximum number of client connections of each process. Undefined: derived from its limit of open files. */
    maximumConnections: reader.optionalInteger('MAXIMUM_CONNECTIONS', 1, 1_000_000),
    /** The maximum memory for incomplete request bodies: of one organization, and in total. */
    requestBodyMemoryPerOrganizationMib: reader.integer('REQUEST_BODY_MEMORY_PER_ORGANIZATION_MIB', 32, 1, 65_536),
    requestBodyMemoryMib: reader.integer('REQUEST_BODY_MEMORY_MIB', 256, 1, 65_536),
    /** The number of key deletions that one credential may attempt per window. */
    keyDeletionRateLimit: reader.integer('KEY_DELETION_RATE_LIMIT', 600, 1, 1_000_000),
    keyDeletionRateWindowSeconds: reader.integer('KEY_DELETION_RATE_WINDOW_S', 60, 1, 86_400),
    /** The number of requests that one organization may send per minute. */
    organizationRequestsPerMinute: reader.integer('ORGANIZATION_REQUESTS_PER_MINUTE', 600_000, 1, 1_000_000_000),
    /** The maximum number of open inference requests per organization, in each process. */
    streamsPerOrganization: reader.integer('STREAMS_PER_ORGANIZATION', 1_000, 1, 1_000_000),
    /** How long a client may read nothing of a stream, and of any other answer, before its connection is ended, in milliseconds. */
    unreadStreamTimeoutMs: reader.integer('UNREAD_STREAM_TIMEOUT_MS', 60_000, 100, 3_600_000),
    unreadAnswerTimeoutMs: reader.integer('UNREAD_ANSWER_TIMEOUT_MS', 15_000, 100, 3_600_000),
    /** The number of early refusals that get a record per minute in each process: of one key, and of all keys of an organization. */
    refusalRecordsPerKey: reader.integer('REFUSAL_RECORDS_PER_KEY', 60, 0, 1_000_000),
    refusalRecordsPerOrganization: reader.integer('REFUSAL_RECORDS_PER_ORGANIZATION', 600, 0, 1_000_000),
    /** The maximum size of the body of an inference request, in bytes. */
    inferenceBodyLimit,
    /** The maximum of bytes that an organization's open inference requests hold in memory, in each process. */
    inferenceMemoryPerOrganization: reader.memory(
      'INFERENCE_MEMORY_PER_ORGANIZATION',
      Math.max(Math.floor(heapBytes / 4), 2 * inferenceBodyLimit),
      KIBIBYTE,
      MAXIMUM_MEMORY,
    ),
    /** How much memory the requests of all organizations together may hold, in bytes. */
    inferenceMemory: reader.memory(
      'INFERENCE_MEMORY',
      Math.max(Math.floor(heapBytes / 2), leastInferenceMemoryFor(inferenceBodyLimit)),
      KIBIBYTE,
      MAXIMUM_MEMORY,
    ),
    /** How many days the records of inference requests are kept. */
    generationRetentionDays: reader.integer('GENERATION_RETENTION_DAYS', 90, 1, 36_500),
    /** How long an answer is kept for equal requests unless they say so, and at most, in seconds. A maximum of 0: none is kept. */
    responseCacheTtlSeconds: reader.integer('RESPONSE_CACHE_TTL_SECONDS', 300, 1, 31_536_000),
    responseCacheMaximumTtlSeconds: reader.integer('RESPONSE_CACHE_MAXIMUM_TTL_SECONDS', 86_400, 0, 31_536_000),
    /** The largest answer that is kept, in bytes, and how many are kept of an organization. */
    responseCacheMaximumEntryBytes: reader.integer('RESPONSE_CACHE_MAXIMUM_ENTRY_BYTES', 262_144, 1_024, 16_777_216),
    responseCacheMaximumEntries: reader.integer('RESPONSE_CACHE_MAXIMUM_ENTRIES', 10_000, 1, 10_000_000),
    /** What a kept answer costs: percent of what the provider would charge. */
    responseCacheChargePercent: reader.integer('RESPONSE_CACHE_CHARGE_PERCENT', 0, 0, 100),
    /** The maximum number of objects of each kind per organization. */
    quotas: quotasOf(reader),
    /** Whether destinations may have private addresses and use http. */
    allowPrivateDestinations: privateNetworksOf(reader, 'ALLOW_PRIVATE_DESTINATIONS'),
    /** Whether providers of organizations' own may have private addresses and use http. */
    allowPrivateUpstreams: privateNetworksOf(reader, 'ALLOW_PRIVATE_UPSTREAMS'),
    /** The organization that manages connections to providers by the interface. Undefined: none does. */
    operatorOrganizationId: operatorOrganizationIdOf(reader),
    /** The folder of configuration files that the service applies by itself. Undefined: none. */
    configurationDirectory: configurationDirectoryOf(reader),
    /** Whether images that providers, or clients, give the address of may have private addresses and use http. */
    allowPrivateImageAddresses: privateNetworksOf(reader, 'ALLOW_PRIVATE_IMAGE_ADDRESSES'),
    /** Whether issuers of tokens, for sign-in and for the exchange of tokens, may have private addresses and use http. */
    oidcAllowPrivateIssuers: privateNetworksOf(reader, 'OIDC_ALLOW_PRIVATE_ISSUERS'),
    /** The proxies through which requests leave. Undefined: none. */
    egressProxies: egressProxiesOf(reader),
    /** How many tokens each client address may exchange per minute. */
    tokenExchangesPerMinute: reader.integer('TOKEN_EXCHANGES_PER_MINUTE', 600, 1, 1_000_000),
    /** How many sign-ins each client address may begin per minute. */
    signInsPerMinute: reader.integer('SIGN_INS_PER_MINUTE', 300, 1, 1_000_000),
    /** How many destinations each process sends to at once. 0: another process sends. */
    broadcastWorkers: reader.integer('BROADCAST_WORKERS', 8, 0, 256),
    /** How many hours a generation waits at most for a destination that does not take it. */
    broadcastRetentionHours: reader.integer('BROADCAST_RETENTION_HOURS', 24, 1, 72),
    /** How many MiB wait at most for the destinations of one organization. */
    broadcastOrganizationMib: reader.integer('BROADCAST_ORGANIZATION_MIB', 2_048, 1, 1_048_576),
    /** The mail server for alerts. Undefined: none. */
    smtpUrl: reader.url('SMTP_URL', ['smtp:', 'smtps:']),
    /** The sender of mails: an address, or a name and an address in angle brackets. */
    smtpFrom: smtpFromOf(reader),
    /** Where people reach this deployment, for links in mails: an origin, perhaps with a path, without the slash at its end. */
    publicUrl: publicUrlOf(reader),
    /** The name servers for the hosts of destinations, as addresses with or without a port. Empty: those of the system. */
    dnsServers: dnsServersOf(reader),
    /** The time limit for looking up a host, in milliseconds, whatever the name servers do. */
    dnsTimeoutMs: reader.integer('DNS_TIMEOUT_MS', 2_000, 100, 600_000),
    /** The time limit for compiling the custom patterns of one request, in milliseconds. */
    patternTimeoutMs: reader.integer('PATTERN_TIMEOUT_MS', 10_000, 100, 600_000),
    /** The analyzer that finds names and addresses in requests (docs/interface/content-filters.md#analyzer). Undefined: none. */
    contentAnalyzerUrl: reader.url('CONTENT_ANALYZER_URL', ['http:', 'https:']),
    /** What happens to requests that need the analyzer when it fails. */
    contentAnalyzerOnFailure: reader.choice('CONTENT_ANALYZER_ON_FAILURE', ANALYZER_FAILURE_ACTIONS, 'block'),
    /** The time limit of one request to the analyzer, in milliseconds. */
    contentAnalyzerTimeoutMs,
    /** The time limit of all requests to the analyzer that one request of inference makes, in milliseconds. */
    contentAnalyzerTotalTimeoutMs: reader.integer(
      'CONTENT_ANALYZER_TOTAL_TIMEOUT_MS',
      // Not shorter than a single request may take.
      Math.max(60_000, contentAnalyzerTimeoutMs),
      100,
      3_600_000,
    ),
    /** The classifier of prompt injections (docs/interface/content-filters.md#classifier). Undefined: none. */
    contentClassifierUrl: reader.url('CONTENT_CLASSIFIER_URL', ['http:', 'https:']),
    /** What the classifier is shown as a bearer token. Undefined: nothing. */
    contentClassifierKey: reader.optionalText('CONTENT_CLASSIFIER_KEY'),
    ...classifierDecisionOf(reader),
    /** What happens to requests that need the classifier when it fails. */
    contentClassifierOnFailure: reader.choice('CONTENT_CLASSIFIER_ON_FAILURE', ANALYZER_FAILURE_ACTIONS, 'block'),
    /** The time limit of one request to the classifier, in milliseconds. */
    contentClassifierTimeoutMs,
    /** The time limit of all requests to the classifier that one request of inference makes, in milliseconds. */
    contentClassifierTotalTimeoutMs: reader.integer(
      'CONTENT_CLASSIFIER_TOTAL_TIMEOUT_MS',
      Math.max(60_000, contentClassifierTimeoutMs),
      100,
      3_600_000,
    ),
    // The connections for large writes, which a long query is asked on, wait for half a minute.
    /** The time limit of a query of analytics, in milliseconds. */
    analyticsTimeoutMs: reader.integer('ANALYTICS_TIMEOUT_MS', 10_000, 100, 30_000),
    /** Keys of 32 bytes: the first encrypts, all decrypt. Empty: the generated key of the embedded server. */
    encryptionKeys: reader.list('ENCRYPTION_KEY', []).map((key) => encryptionKeyOf(key, reader)),
    /** What the environment says about providers, by slug. */
    providers: providerVariablesOf(reader),
    /** The identity that a cloud gives to this process, and the token services of clouds. */
    clouds: cloudVariablesOf(reader),
    /** Whether the builtin provider `gatehouse` answers. */
    hasEchoProvider: reader.choice('ECHO_PROVIDER', ['on', 'off'], 'on') === 'on',
    logLevel: reader.choice('LOG_LEVEL', LOG_LEVELS, 'info'),
    /**
     * A separate port for the metrics. Undefined: they are served on the main port if there is a token, otherwise not at all.
     */
    metricsPort: reader.optionalInteger('METRICS_PORT', 0, 65535),
    metricsHost: reader.text('METRICS_HOST', '127.0.0.1'),
    /** The bearer token that scrapers have to send, on either port. */
    metricsToken: metricsTokenOf(reader),
    /** The endpoint that traces are sent to (OTLP over HTTP). Undefined: no traces. */
    otlpEndpoint: reader.url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:']),
    otlpHeaders: otlpHeadersOf(reader),
    otelServiceName: reader.optionalText('OTEL_SERVICE_NAME'),
    tracesSampler: tracesSamplerOf(reader),
    /** The share of traces that a ratio sampler takes. */
    tracesSamplerRatio: tracesSamplerRatioOf(reader),
  };
}

/** The embedded server has a generated key; for another database the operator has to keep one. */
function checkEncryptionKey({ databaseUrl, encryptionKeys }: Settings, reader: VariableReader): void {
  if (databaseUrl === undefined || encryptionKeys.length > 0) return;
  reader.issue('ENCRYPTION_KEY', 'is required with DATABASE_URL: 32 random bytes in base64 (openssl rand -base64 32)');
}

function checkTogether(settings: Settings, reader: VariableReader): void {
  if (settings.migrationDatabaseUrl !== undefined && settings.databaseUrl === undefined) {
    reader.issue('MIGRATION_DATABASE_URL', 'is another way to the database of DATABASE_URL, which is not set');
  }
  if (settings.inferenceBodyLimit > settings.inferenceMemoryPerOrganization) {
    reader.issue('INFERENCE_BODY_LIMIT', 'must not be more than INFERENCE_MEMORY_PER_ORGANIZATION');
  }
  if (settings.inferenceMemory < leastInferenceMemoryFor(settings.inferenceBodyLimit)) {
    reader.issue('INFERENCE_MEMORY', 'must not be less than three times INFERENCE_BODY_LIMIT');
  }
  if (settings.smtpUrl !== undefined && (settings.smtpFrom === undefined || settings.publicUrl === undefined)) {
    reader.issue('SMTP_URL', 'needs SMTP_FROM, the sender, and PUBLIC_URL, for the links in mails');
  }
  if (settings.hasConsole && /^\/console(\/|$)/.test(settings.apiBasePath)) {
    reader.issue('API_BASE_PATH', 'must not lie below /console, where the console is (CONSOLE=false switches it off)');
  }
  if (settings.metricsPort === settings.port && settings.port !== 0) {
    reader.issue('METRICS_PORT', 'must be another port than PORT');
  }
}

/** In bytes: three of the largest bodies. */
function leastInferenceMemoryFor(bodyLimit: number): number {
  return 3 * bodyLimit;
}

function operatorOrganizationIdOf(reader: VariableReader): string | undefined {
  const id = reader.optionalText('OPERATOR_ORGANIZATION_ID');
  if (id !== undefined && !/^org_[0-9a-f]{32}$/.test(id)) {
    reader.issue(
      'OPERATOR_ORGANIZATION_ID',
      'must be the id of an organization, as org_019aa3f05b1e7c409d0e3d1c2b4a5f64',
    );
  }
  return id;
}

function basePathOf(reader: VariableReader): string {
  const path = reader.text('API_BASE_PATH', '/api/v1');
  if (!/^(\/[A-Za-z0-9._~-]+)+$/.test(path)) {
    reader.issue('API_BASE_PATH', 'must be a path such as /api/v1, with a leading and without a trailing slash');
  }
  return path;
}

function zdrVendorsOf(reader: VariableReader): readonly string[] {
  const vendors = reader.list('ZDR_VENDORS', ['anthropic', 'openai', 'google', 'xai']);
  const names = new Set(vendors.map((vendor) => vendor.replaceAll('-', '')));
  const wellFormed = vendors.every((vendor) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(vendor));
  if (vendors.length !== 4 || names.size !== 4 || !wellFormed || names.has('other')) {
    reader.issue('ZDR_VENDORS', 'must be four different author slugs, separated by commas');
  }
  return vendors;
}

function anonymousOperationsOf(reader: VariableReader, openable: readonly string[]): ReadonlySet<string> {
  const operations = reader.list('ANONYMOUS_OPERATIONS', []);
  for (const operation of operations.filter((name) => !openable.includes(name))) {
    reader.issue('ANONYMOUS_OPERATIONS', `cannot open ${operation}; it may name ${openable.join(', ')}`);
  }
  return new Set(operations);
}

function encryptionKeyOf(text: string, reader: VariableReader): Buffer {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  // Checked exactly, because Node.js ignores characters outside base64 and would decode a passphrase to some key.
  if (!/^[A-Za-z0-9+/]{43}=$/.test(text)) {
    // The value itself is a secret and is not repeated in the issue.
    reader.issue('ENCRYPTION_KEY', 'must be 32 bytes in base64 or hex, several separated by commas');
  }
  return Buffer.from(text, 'base64');
}
