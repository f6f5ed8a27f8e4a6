import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Transaction } from '../../persistence/statements.js';
import { ServiceLogger } from '../../telemetry/logging/service-logger.js';
import { type WorkspaceHook, WorkspaceHooks, type WorkspaceToDelete } from '../workspaces/workspace-hooks.js';
import { ResponseCache } from './response-cache.service.js';

/** Deletes the cached answers of a workspace with it. */
@Injectable()
export class PurgeWorkspaceHook implements WorkspaceHook, OnModuleInit {
  constructor(
    private readonly hooks: WorkspaceHooks,
    private readonly cache: ResponseCache,
    private readonly logger: ServiceLogger,
  ) {}

  onModuleInit(): void {
    this.hooks.register(this);
  }

  async beforeDelete(_tx: Transaction, { organizationId, id }: WorkspaceToDelete): Promise<Record<string, unknown>> {
    try {
      await this.cache.purge(organizationId, id);
    } catch (error) {
      // No key can ask for them any more, and they expire by themselves.
      this.logger.warn(`cached answers of workspace ${id} could not be deleted: ${(error as Error).message}`);
    }
    return {};
  }
}
