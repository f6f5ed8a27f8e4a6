import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Dialect } from '../../../../http/dialect/dialect.js';
import type { IssueWithReason } from '../../../../http/errors/issue.js';
import { INVALID_PARAMETERS } from '../../../../http/errors/request.errors.js';
import { CatalogLookup } from '../../../catalog/catalog-lookup.service.js';
import { UNKNOWN_MODEL } from '../../../catalog/catalog.errors.js';
import { SORTS } from '../../../codecs/chat/client-request.js';
import { type WorkspaceDefaults, type WorkspaceHook, WorkspaceHooks } from '../../../workspaces/workspace-hooks.js';
import { knownModel } from './requested-models.js';

/** Has workspaces take only the defaults that requests can be answered with (docs/interface/workspaces-and-budgets.md#creating-and-changing). */
@Injectable()
export class WorkspaceDefaultsHook implements WorkspaceHook, OnModuleInit {
  constructor(
    private readonly hooks: WorkspaceHooks,
    private readonly catalog: CatalogLookup,
    private readonly dialect: Dialect,
  ) {}

  onModuleInit(): void {
    this.hooks.register(this);
  }

  async defaultsIssues(defaults: WorkspaceDefaults): Promise<IssueWithReason[]> {
    return [
      ...(await this.modelIssues('default_text_model', defaults.default_text_model)),
      // The public dialect keeps the name of any image model: no request goes by it.
      ...(this.dialect.isPublic ? [] : await this.modelIssues('default_image_model', defaults.default_image_model)),
      ...sortIssues(defaults.default_provider_sort),
    ];
  }

  private async modelIssues(field: string, name: string | null | undefined): Promise<IssueWithReason[]> {
    if (name === null || name === undefined) return [];
    const catalog = await this.catalog.catalog();
    // Before the first import no name is known, and a workspace may be set up.
    if (catalog.modelsByName.size === 0 || knownModel(catalog, name) !== undefined) return [];
    return [UNKNOWN_MODEL.at(field, name)];
  }
}

function sortIssues(sort: string | null | undefined): IssueWithReason[] {
  if (sort === null || sort === undefined || SORTS.some((name) => name === sort)) return [];
  return [INVALID_PARAMETERS.at('default_provider_sort', `must be one of: ${SORTS.join(', ')}`)];
}
