import { createHash, randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { Injectable, type OnModuleDestroy, Optional } from '@nestjs/common';
import { ADMINISTRATOR } from '../../../auth/roles.js';
import type { ConfigurationDirectory } from '../../../config/configuration-directory-variables.js';
import { Environment } from '../../../config/environment.js';
import { DomainError } from '../../../http/errors/domain-error.js';
import type { Issue } from '../../../http/errors/issue.js';
import { RepeatedWork } from '../../../persistence/repeated-work.js';
import { ServiceLogger } from '../../../telemetry/logging/service-logger.js';
import { Metrics, type ReconciliationOutcome } from '../../../telemetry/metrics/metrics.js';
import { OrganizationsService } from '../../organizations/organizations.service.js';
import { ConfigurationBeingApplied, ConfigurationChanged } from '../configuration.errors.js';
import { ConfigurationService } from '../configuration.service.js';
import type { PlanConfigurationRequest } from '../dto/configuration.dto.js';
import { ConfigurationFiles } from '../files/configuration-files.js';
import { refusalInWords } from '../files/refusal-in-words.js';
import { readSecrets } from '../files/secrets-of-files.js';
import { WrongFiles } from '../files/wrong-files.js';
import { requireApplicable } from './applicable-request.js';
import { ConfigurationTurnsRepository } from './configuration-turns.repository.js';
import { secretsOfDirectory } from './directory-secrets.js';
import { principalOfFiles } from './files-principal.js';

/** How often a process that has the turn may fail to ask for it again before another one takes it. */
const INTERVALS_OF_LEASE = 3;

/** The link by which Kubernetes swaps all files of a mounted ConfigMap at once. */
const MOUNTED_FILES = '..data';

/** The interval where there is no CONFIG_DIR, and so no round, in seconds. */
const UNUSED_INTERVAL_SECONDS = 60;

/** What has come of a round; `elsewhere` where another process has the turn. */
type Round = ReconciliationOutcome | 'elsewhere';

/** Applies the files of CONFIG_DIR again and again, by one process of the deployment (docs/configuration.md#continuously). */
@Injectable()
export class ConfigurationReconciler implements OnModuleDestroy {
  private readonly processId = randomUUID();
  private readonly stopped = new AbortController();
  private readonly directory: ConfigurationDirectory | undefined;
  private readonly repeated: RepeatedWork;
  /** What was last logged as wrong, with the content that it is about. */
  private logged: string | undefined;
  private hasTurnIn: string | undefined;

  constructor(
    private readonly configuration: ConfigurationService,
    private readonly turns: ConfigurationTurnsRepository,
    private readonly organizations: OrganizationsService,
    private readonly logger: ServiceLogger,
    environment: Environment,
    @Optional() private readonly metrics?: Metrics,
  ) {
    this.directory = environment.configurationDirectory;
    const failure = 'The files of CONFIG_DIR could not be applied; this is tried again';
    const intervalMs = (this.directory?.intervalSeconds ?? UNUSED_INTERVAL_SECONDS) * 1_000;
    this.repeated = new RepeatedWork(() => this.reconcile(), { intervalMs, failure, logger });
  }

  /** Begins now, and goes on while the application runs. Does nothing without CONFIG_DIR. */
  start(): void {
    if (this.directory === undefined) return;
    this.repeated.start();
    this.repeated.wake();
  }

  async onModuleDestroy(): Promise<void> {
    this.repeated.stop();
    this.stopped.abort();
    if (this.hasTurnIn === undefined) return;
    // Otherwise another process takes it when the lease is over.
    await this.turns.end(this.hasTurnIn, this.processId).catch(() => undefined);
  }

  /**
   * Reads the files, and makes what there is that of them, unless another process does so. What is wrong with them is logged once for each content.
   *
   * @throws the error of an unreachable database
   */
  async reconcile(): Promise<Round | undefined> {
    const { directory } = this;
    if (directory === undefined) return undefined;
    const organizationId = await this.organizationId(directory);
    if (organizationId === undefined) {
      return this.refused('', `CONFIG_DIR is about an organization that there is not.`);
    }
    if (!(await this.turns.take(organizationId, this.processId, directory.intervalSeconds * INTERVALS_OF_LEASE))) {
      this.hasTurnIn = undefined;
      return 'elsewhere';
    }
    this.hasTurnIn = organizationId;
    try {
      return await this.applied(directory, organizationId);
    } catch (error) {
      this.metrics?.configuration.reconciliation('failed');
      throw error;
    }
  }

  /** The organization that the files are about; undefined if there is none. */
  async organizationId({ organizationId }: ConfigurationDirectory): Promise<string | undefined> {
    const { organizations } = this;
    const found = organizationId === undefined ? organizations.first() : organizations.find(organizationId);
    return (await found)?.id;
  }

  private async applied(directory: ConfigurationDirectory, organizationId: string): Promise<Round> {
    let files: ConfigurationFiles | undefined;
    try {
      files = await ConfigurationFiles.read(await swappedAtOnce(directory.path), ['.']);
      const misplaced = secretsToWrite(files);
      if (misplaced.length > 0) throw new WrongFiles(files.explain(misplaced));
      const request = {
        files: files.files as PlanConfigurationRequest['files'],
        prune: directory.prunes,
        secrets: await readSecrets(files, secretsOfDirectory(directory)),
      };
      requireApplicable(request);
      const administrator = await this.administrator(organizationId);
      if (administrator === undefined) return this.refused('', `${organizationId} has no active administrator.`);
      const caller = principalOfFiles(organizationId, administrator, 'service');
      const { plan } = await this.configuration.apply(caller, {
        ...request,
        secrets: new Map(Object.entries(request.secrets)),
        isContinuous: true,
        signal: this.stopped.signal,
      });
      await this.turns.noteReconciled(organizationId);
      this.logged = undefined;
      const { id, owner, changes } = plan;
      if (changes.length > 0) this.logger.event('configuration applied', { owner, plan: id, changes: changes.length });
      return this.counted(changes.length > 0 ? 'applied' : 'unchanged');
    } catch (error) {
      // Someone else is at it: the next round finds out what is left to do.
      if (error instanceof ConfigurationChanged || error instanceof ConfigurationBeingApplied)
        return this.counted('busy');
      const reason = refusalOf(error, files);
      if (reason === undefined) throw error;
      return this.refused(JSON.stringify(files?.files ?? null), reason);
    }
  }

  /** The oldest one, who is the creator of what the files make. */
  private async administrator(organizationId: string): Promise<string | undefined> {
    const members = await this.organizations.membersOf(organizationId);
    return members.find(({ role }) => role === ADMINISTRATOR)?.userId;
  }

  /** Logs a reason, unless it was logged for this content. */
  private refused(content: string, reason: string): Round {
    const said = createHash('sha256').update(content).update(reason).digest('base64url');
    if (said !== this.logged)
      this.logger.warn(`The files of CONFIG_DIR change nothing, because they are wrong:\n${reason}`);
    this.logged = said;
    return this.counted('refused');
  }

  private counted(outcome: ReconciliationOutcome): Round {
    this.metrics?.configuration.reconciliation(outcome);
    return outcome;
  }
}

/** Why files are refused; undefined for an error that is not about them. */
function refusalOf(error: unknown, files: ConfigurationFiles | undefined): string | undefined {
  if (error instanceof WrongFiles) return error.message;
  if (!(error instanceof DomainError) || error.status >= 500) return undefined;
  return refusalInWords(error.metadata, files) || `${error.status} ${error.reason}`;
}

/** The folder in which all files are of one version; it is another one after the next swap. */
async function swappedAtOnce(directory: string): Promise<string> {
  try {
    return await realpath(path.join(directory, MOUNTED_FILES));
  } catch {
    return directory;
  }
}

/** The service writes no secret anywhere. */
function secretsToWrite(files: ConfigurationFiles): Issue[] {
  return files
    .entries()
    .filter(({ entry }) => Object.hasOwn(entry, 'secret_to'))
    .map(({ path: place }) => ({
      path: `${place}.secret_to`,
      message: 'is for commands: CONFIG_DIR takes secret_from',
    }));
}
