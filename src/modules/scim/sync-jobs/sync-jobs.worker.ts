import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { errorMessage } from '../../../persistence/database-failures.js';
import { RepeatedWork } from '../../../persistence/repeated-work.js';
import { Statements } from '../../../persistence/statements.js';
import { ServiceLogger } from '../../../telemetry/logging/service-logger.js';
import { SERVICE } from '../../audit/audit-trail.js';
import { WorkspaceHooks } from '../../workspaces/workspace-hooks.js';
import { ScimGroupsRepository } from '../scim-groups.repository.js';
import { SyncJobsRepository } from './sync-jobs.repository.js';

/** How often a process looks for jobs, in milliseconds. Its own requests wake it. */
const INTERVAL_MS = 15_000;

/** How many organizations with jobs are listed at once, and how many groups. */
const ORGANIZATIONS_AT_ONCE = 20;
const GROUPS_AT_ONCE = 100;

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** What a client is told of a job that has failed; the log says why. */
const FAILED = 'The memberships could not be derived. Ask for another job.';

/** Does sync jobs, on whichever replica. A job whose process has died is taken over, and begins anew: each group is done by itself. */
@Injectable()
export class SyncJobsWorker implements OnModuleDestroy {
  private readonly repeated: RepeatedWork;
  private isStopped = false;

  constructor(
    private readonly repository: SyncJobsRepository,
    private readonly groups: ScimGroupsRepository,
    private readonly hooks: WorkspaceHooks,
    private readonly statements: Statements,
    private readonly logger: ServiceLogger,
  ) {
    const failure = 'Sync jobs could not be done; this is tried again';
    this.repeated = new RepeatedWork(() => this.work(), { intervalMs: INTERVAL_MS, failure, logger });
  }

  /** Looks for jobs while the application runs. */
  start(): void {
    this.repeated.start();
  }

  /** Looks for jobs as soon as the request has ended that has made one. */
  wake(): void {
    this.repeated.wake();
  }

  onModuleDestroy(): void {
    this.isStopped = true;
    this.repeated.stop();
  }

  /** Does the jobs that no process has. */
  async work(): Promise<void> {
    for (const organizationId of await this.repository.due(ORGANIZATIONS_AT_ONCE)) {
      if (this.isStopped) return;
      const id = await this.repository.claim(organizationId);
      if (id !== undefined) await this.done(organizationId, id);
    }
  }

  private async done(organizationId: string, id: string): Promise<void> {
    try {
      const synced = await this.synced(organizationId, id);
      if (synced !== undefined) await this.repository.succeed(organizationId, id, synced);
    } catch (error) {
      this.logger.warn(`The sync job ${id} has failed: ${errorMessage(error)}`);
      await this.repository.fail(organizationId, id, FAILED);
    }
  }

  /** @returns how many groups were visited; undefined if the process stops, and another one takes the job over */
  private async synced(organizationId: string, id: string): Promise<number | undefined> {
    let synced = 0;
    let after = FIRST_ID;
    for (;;) {
      const groupIds = await this.repository.groups(organizationId, after, GROUPS_AT_ONCE);
      for (const groupId of groupIds) {
        if (this.isStopped) return undefined;
        if (await this.syncGroup(organizationId, groupId)) synced += 1;
        await this.repository.prolong(organizationId, id);
      }
      if (groupIds.length < GROUPS_AT_ONCE) return synced;
      after = groupIds.at(-1)!;
    }
  }

  /** @returns whether the group is there yet */
  private async syncGroup(organizationId: string, groupId: string): Promise<boolean> {
    return this.statements.bulk.transaction(async (tx) => {
      if (!(await this.groups.lockForNoKeyUpdate(tx, organizationId, groupId))) return false;
      const changed = await this.repository.converge(tx, organizationId, groupId);
      await this.hooks.membershipsChanged(tx, SERVICE, { organizationId, ...changed });
      return true;
    });
  }
}
