import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { newUuid } from '../../database/identifiers.js';
import { BadRequestError } from '../../http/errors/domain-error.js';
import type { ReasonedIssue } from '../../http/errors/issue.js';
import { toPageResponse, windowOf } from '../../http/pagination/page.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { NO_DEFAULT_WORKSPACE, UNKNOWN_WORKSPACE } from '../workspaces/workspaces.errors.js';
import { WorkspacesService } from '../workspaces/workspaces.service.js';
import type { CreateGuardrailRequest } from './dto/create-guardrail-request.dto.js';
import type { CreateGuardrailResponse, ListGuardrailsResponse } from './dto/guardrail.dto.js';
import type { ListGuardrailsQuery } from './dto/list-guardrails-query.dto.js';
import { unknownModel, unknownProvider } from './guardrails.errors.js';
import { toGuardrailResponse, toStoredBuiltin } from './guardrails.mapper.js';
import { GuardrailsRepository } from './guardrails.repository.js';

const MODEL_LISTS = ['allowed_models', 'ignored_models'] as const;

const PROVIDER_LISTS = ['allowed_providers', 'ignored_providers'] as const;

/** What a list of models or providers in a request turned out to mean. */
interface ResolvedLists {
  readonly lists: Readonly<Record<(typeof MODEL_LISTS)[number] | (typeof PROVIDER_LISTS)[number], string[] | null>>;
  readonly issues: readonly ReasonedIssue[];
}

/** Guardrails: policies over models, providers, data retention, spending and content. */
@Injectable()
export class GuardrailsService {
  constructor(
    private readonly repository: GuardrailsRepository,
    private readonly workspaces: WorkspacesService,
    private readonly catalog: CatalogService,
  ) {}

  /**
   * Creates a guardrail, which enforces nothing until it is assigned (SERVICE.md, section 4.1).
   *
   * @throws BadRequestError for a workspace, model or provider that there is not, and without a default workspace
   */
  async create(caller: ManagementPrincipal, input: CreateGuardrailRequest): Promise<CreateGuardrailResponse> {
    const { organizationId } = caller;
    const [workspaceId, { lists, issues }] = await Promise.all([
      this.workspaceIdFor(organizationId, input.workspace_id),
      this.resolveLists(input),
    ]);
    const faults = typeof workspaceId === 'string' ? issues : [workspaceId, ...issues];
    if (typeof workspaceId !== 'string' || faults.length > 0) throw BadRequestError.of(faults);

    const zdr = input.enforce_zdr ?? null;
    const guardrail = {
      id: newUuid(),
      organizationId,
      workspaceId,
      name: input.name,
      description: input.description ?? null,
      limitUsd: input.limit_usd ?? null,
      resetInterval: input.reset_interval ?? null,
      includeByokInBudgets: input.include_byok_in_budgets ?? false,
      allowedModels: lists.allowed_models,
      ignoredModels: lists.ignored_models,
      allowedProviders: lists.allowed_providers,
      ignoredProviders: lists.ignored_providers,
      enforceZdr: zdr,
      // An explicit null is a setting of its own, so only what is absent falls back on enforce_zdr.
      enforceZdrVendorA: orWhenAbsent(input.enforce_zdr_vendor_a, zdr),
      enforceZdrVendorB: orWhenAbsent(input.enforce_zdr_vendor_b, zdr),
      enforceZdrVendorC: orWhenAbsent(input.enforce_zdr_vendor_c, zdr),
      enforceZdrVendorD: orWhenAbsent(input.enforce_zdr_vendor_d, zdr),
      enforceZdrOther: orWhenAbsent(input.enforce_zdr_other, zdr),
      enableFreeModelPublication: input.enable_free_model_publication ?? null,
      enableFreeModelTraining: input.enable_free_model_training ?? null,
      enablePaidModelTraining: input.enable_paid_model_training ?? null,
      contentFilterBuiltins: input.content_filter_builtins?.map(toStoredBuiltin) ?? null,
      contentFilters: input.content_filters ?? null,
      createdAt: new Date(),
      updatedAt: null,
    };
    await this.repository.insert(guardrail);
    return { data: toGuardrailResponse(guardrail) };
  }

  /**
   * Lists the guardrails of a workspace, oldest first (SERVICE.md, section 4.2). A workspace that is not the caller's has
   * none.
   */
  async list(caller: ManagementPrincipal, input: ListGuardrailsQuery): Promise<ListGuardrailsResponse> {
    const page = await this.repository.page(caller.organizationId, input.workspace_id, windowOf(input));
    return toPageResponse(page, toGuardrailResponse);
  }

  private async workspaceIdFor(organizationId: string, requested: string | undefined): Promise<string | ReasonedIssue> {
    if (requested === undefined) {
      return (await this.workspaces.defaultWorkspaceId(organizationId)) ?? NO_DEFAULT_WORKSPACE;
    }
    const isOurs = await this.workspaces.has(organizationId, requested);
    return isOurs ? requested.toLowerCase() : UNKNOWN_WORKSPACE;
  }

  private async resolveLists(input: CreateGuardrailRequest): Promise<ResolvedLists> {
    const [models, providers] = await Promise.all([
      this.catalog.canonicalSlugsOf(MODEL_LISTS.flatMap((list) => input[list] ?? [])),
      this.catalog.providerSlugsOf(PROVIDER_LISTS.flatMap((list) => input[list] ?? [])),
    ]);
    const issues: ReasonedIssue[] = [];
    const resolve = (
      list: keyof ResolvedLists['lists'],
      known: ReadonlyMap<string, string>,
      unknown: typeof unknownModel,
    ): string[] | null => {
      const references = input[list];
      if (references === undefined || references === null) return null;
      // Two references to the same thing are kept once.
      const resolved = new Set<string>();
      for (const [index, reference] of references.entries()) {
        const slug = known.get(reference);
        if (slug === undefined) issues.push(unknown(list, index, reference));
        else resolved.add(slug);
      }
      return [...resolved];
    };
    return {
      lists: {
        allowed_models: resolve('allowed_models', models, unknownModel),
        ignored_models: resolve('ignored_models', models, unknownModel),
        allowed_providers: resolve('allowed_providers', providers, unknownProvider),
        ignored_providers: resolve('ignored_providers', providers, unknownProvider),
      },
      issues,
    };
  }
}

function orWhenAbsent(value: boolean | null | undefined, fallback: boolean | null): boolean | null {
  return value === undefined ? fallback : value;
}
