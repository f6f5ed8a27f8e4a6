const MEBIBYTE = 1024 ** 2;

/** What DATABASE_POOL_SIZE may be at least. */
export const LEAST_CONNECTIONS = 2;

/** The settings that bound a process, in the units of `Environment`. */
interface BoundsOfProcess {
  readonly workers: number;
  readonly redisUrl: string | undefined;
  readonly inferenceBodyLimit: number;
  readonly databasePoolSize: number;
  readonly maximumConnections: number | undefined;
  readonly requestBodyMemoryPerOrganizationMib: number;
  readonly requestBodyMemoryMib: number;
  readonly inferenceMemoryPerOrganization: number;
  readonly inferenceMemory: number;
  readonly streamsPerOrganization: number;
  readonly refusalRecordsPerKey: number;
  readonly refusalRecordsPerOrganization: number;
  readonly broadcastWorkers: number;
  readonly organizationRequestsPerMinute: number;
  readonly keyDeletionRateLimit: number;
  readonly tokenExchangesPerMinute: number;
  readonly signInsPerMinute: number;
}

/**
 * What one of several workers has of each bound of a process: an N-th, but never less than a process needs to serve at all
 * (docs/limits.md#workers). Counters that replicas share through Redis are not divided.
 *
 * @param whole the settings of the service, whose bounds are those of all workers together
 */
export function shareOfWorker<Settings extends BoundsOfProcess>(whole: Settings): Settings {
  const { workers, inferenceBodyLimit, maximumConnections } = whole;
  const share = (bound: number, least = 1): number => Math.max(Math.min(bound, least), Math.floor(bound / workers));
  const counted = (perMinute: number): number => (whole.redisUrl === undefined ? share(perMinute) : perMinute);
  const bodyMib = Math.ceil(inferenceBodyLimit / MEBIBYTE);
  return {
    ...whole,
    databasePoolSize: share(whole.databasePoolSize, LEAST_CONNECTIONS),
    maximumConnections: maximumConnections === undefined ? undefined : share(maximumConnections),
    requestBodyMemoryPerOrganizationMib: share(whole.requestBodyMemoryPerOrganizationMib, bodyMib),
    // Of which an organization may have more than a third for itself, and so one body.
    requestBodyMemoryMib: share(whole.requestBodyMemoryMib, 3 * bodyMib),
    inferenceMemoryPerOrganization: share(whole.inferenceMemoryPerOrganization, 2 * inferenceBodyLimit),
    inferenceMemory: share(whole.inferenceMemory, 3 * inferenceBodyLimit),
    streamsPerOrganization: share(whole.streamsPerOrganization),
    refusalRecordsPerKey: share(whole.refusalRecordsPerKey),
    refusalRecordsPerOrganization: share(whole.refusalRecordsPerOrganization),
    broadcastWorkers: share(whole.broadcastWorkers),
    organizationRequestsPerMinute: counted(whole.organizationRequestsPerMinute),
    keyDeletionRateLimit: counted(whole.keyDeletionRateLimit),
    tokenExchangesPerMinute: counted(whole.tokenExchangesPerMinute),
    signInsPerMinute: counted(whole.signInsPerMinute),
  };
}
