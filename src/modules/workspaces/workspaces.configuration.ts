import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../http/validation/constraints.js';
import type { JsonSchema } from '../../http/openapi/json-schema.js';
import type { Precondition } from '../../http/precondition.js';
import {
  ConfiguredKind,
  everyPage,
  type Fields,
  type FurtherField,
  type KindContext,
  type ObjectAnswer,
  type ShownObject,
} from '../configuration/kinds/configured-kind.js';
import { ConfiguredKinds } from '../configuration/kinds/configured-kinds.js';
import { BUDGET_INTERVALS, type BudgetInterval } from './budgets/budget-interval.js';
import { WorkspaceBudgetsService } from './budgets/workspace-budgets.service.js';
import {
  CreateWorkspaceRequest,
  INCLUDE_BYOK_IN_BUDGETS,
  UpdateWorkspaceRequest,
  type Workspace,
} from './dto/workspace.dto.js';
import { WorkspaceLookupService } from './workspace-lookup.service.js';
import { WorkspacesService } from './workspaces.service.js';

/** Limits in US dollars by interval; null for none. */
type Budgets = Partial<Record<BudgetInterval, number | null>>;

const BUDGETS_SCHEMA: JsonSchema = {
  type: 'object',
  description: 'US dollars by interval; null for none.',
  properties: Object.fromEntries(
    BUDGET_INTERVALS.map((interval) => [interval, { type: ['number', 'null'], exclusiveMinimum: 0 }]),
  ),
  additionalProperties: false,
};

/** Workspaces as files configure them, with their budgets (docs/configuration.md). */
@Injectable()
export class WorkspacesConfiguration extends ConfiguredKind {
  readonly section = 'workspaces';
  readonly one = 'workspace';
  readonly permission = 'workspaces_write';
  override readonly identity = 'slug';
  readonly creation = CreateWorkspaceRequest;
  readonly change = UpdateWorkspaceRequest;
  override readonly references = { io_logging_keys: { to: 'keys', wire: 'io_logging_api_key_ids', isList: true } };
  override readonly further: Readonly<Record<string, FurtherField>> = {
    budgets: {
      schema: BUDGETS_SCHEMA,
      issues: issuesOfBudgets,
      read: (context, shown) => this.budgetsOf(context, shown),
      write: (context, shown, wanted, present) =>
        this.setBudgets(context, shown, wanted as Budgets, present as Budgets),
    },
    include_byok_in_budgets: {
      schema: { type: 'boolean', ...INCLUDE_BYOK_IN_BUDGETS },
      issues: (value) => (typeof value === 'boolean' ? [] : [{ path: '', message: 'must be boolean' }]),
      read: async ({ caller }, shown) =>
        (await this.budgets.list(caller, { id: (shown as Workspace).id })).include_byok_in_budgets,
      write: ({ caller }, shown, wanted) =>
        this.budgets.includeByok(caller, { id: (shown as Workspace).id }, wanted as boolean),
    },
  };

  constructor(
    kinds: ConfiguredKinds,
    private readonly service: WorkspacesService,
    private readonly budgets: WorkspaceBudgetsService,
    private readonly lookup: WorkspaceLookupService,
  ) {
    super();
    kinds.add(this);
  }

  override async list({ caller }: KindContext): Promise<readonly ShownObject[]> {
    const defaultId = await this.lookup.defaultWorkspaceId(caller.organizationId);
    const all = await everyPage((page) => this.service.list(caller, page));
    return all.map((workspace) => ({ ...workspace, is_default: workspace.id === defaultId }));
  }

  protected override get({ caller }: KindContext, id: string): Promise<ObjectAnswer> {
    return this.service.read(caller, { id });
  }

  protected override make({ caller }: KindContext, input: Fields): Promise<ObjectAnswer> {
    return this.service.create(caller, input as unknown as CreateWorkspaceRequest);
  }

  override update({ caller }: KindContext, id: string, input: Fields, precondition: Precondition): Promise<unknown> {
    return this.service.update(caller, { ...input, id }, precondition);
  }

  override delete({ caller }: KindContext, id: string, precondition: Precondition): Promise<unknown> {
    return this.service.delete(caller, { id }, precondition);
  }

  private async budgetsOf({ caller }: KindContext, shown: ShownObject): Promise<Budgets> {
    const { data } = await this.budgets.list(caller, { id: (shown as Workspace).id });
    return Object.fromEntries(data.map((budget) => [budget.reset_interval ?? 'lifetime', budget.limit_usd]));
  }

  /** Raises from the widest interval on, then lowers from the narrowest on: at each step narrower ones have less. */
  private async setBudgets(
    { caller }: KindContext,
    shown: ShownObject,
    wanted: Budgets,
    present: Budgets,
  ): Promise<void> {
    const { id } = shown as Workspace;
    const [added, lowered]: [BudgetInterval[], BudgetInterval[]] = [[], []];
    // The narrowest first.
    for (const interval of BUDGET_INTERVALS) {
      const [limit, before] = [wanted[interval], present[interval] ?? null];
      if (limit === undefined || isDeepStrictEqual(limit, before)) continue;
      if (limit === null) await this.budgets.delete(caller, { id, interval });
      else if (before !== null && limit < before) lowered.push(interval);
      else added.push(interval);
    }
    for (const interval of [...added.reverse(), ...lowered]) {
      await this.budgets.upsert(caller, { id, interval, limit_usd: wanted[interval]! });
    }
  }
}

function issuesOfBudgets(value: unknown): { path: string; message: string }[] {
  if (!isObject(value)) return [{ path: '', message: 'must be object' }];
  const known = new Set<string>(BUDGET_INTERVALS);
  return Object.entries(value).flatMap(([interval, limit]) => {
    if (!known.has(interval)) return [{ path: interval.toWellFormed(), message: 'is not a known field' }];
    const isLimit = limit === null || (typeof limit === 'number' && Number.isFinite(limit) && limit > 0);
    return isLimit ? [] : [{ path: interval, message: 'must be a number above 0, or null' }];
  });
}
