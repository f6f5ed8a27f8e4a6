import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { type Permission, readingOf } from '../../auth/permissions.js';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { requirePermissions, requireToDecideIdentity } from '../../auth/required-rights.js';
import { AdministratorRequired } from '../../http/errors/request.errors.js';
import { requireNoIssues } from '../../http/errors/require-all.js';
import { type RequestRule, requestRulesOf } from '../../http/validation/rules.js';
import { type IssueWithReason, issuesInside } from '../../http/errors/issue.js';
import { Statements } from '../../persistence/statements.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { created } from '../audit/audited-event.js';
import { Cipher } from '../encryption/cipher.js';
import type { AppliedConfiguration } from './applied-configuration.js';
import { toAppliedResponse, toManagedObjectResponse } from './configuration.mapper.js';
import { ConfigurationBeingApplied, ConfigurationChanged, ConfigurationConflicts } from './configuration.errors.js';
import { ConfigurationRepository } from './configuration.repository.js';
import {
  API_VERSION,
  type ConfigurationFile,
  type Entry,
  type ReadFiles,
  readFiles,
} from './document/configuration-document.js';
import { namesWithin } from './document/names-within.js';
import type {
  ApplyConfigurationRequest,
  ApplyConfigurationResponse,
  ConfigurationPlanResponse,
  ExportConfigurationQuery,
  ExportConfigurationResponse,
  ListManagedObjectsResponse,
  ManagedObjectsQuery,
  PlanConfigurationRequest,
  PlanConfigurationResponse,
} from './dto/configuration.dto.js';
import type { ManagedObjectEntity } from './entities/managed-object.entity.js';
import type { Fields, KindContext, WantedObjects } from './kinds/configured-kind.js';
import { ConfiguredKinds } from './kinds/configured-kinds.js';
import type { ConfigurationPlan } from './plan/configuration-plan.js';
import type { CapturedRules } from './plan/recorded-traffic.js';
import { fileFormOf } from './plan/file-form.js';
import { impactOf } from './plan/impact.js';
import type { Found } from './kinds/object-names.js';
import { Inventory } from './plan/inventory.js';
import { type Outcome, Planning, type PlanOptions } from './plan/planning.js';

/** Files to plan or to apply. */
export interface FilesToApply extends Partial<PlanOptions> {
  readonly files: readonly ConfigurationFile[];
  /** What the files are from, as a commit; recorded. */
  readonly revision?: string | undefined;
  /** How many hours of recorded requests a plan is tried on; undefined for none. */
  readonly replayHours?: number | undefined;
  readonly signal: AbortSignal;
}

/** A document with what there is. */
export interface ExportedConfiguration {
  readonly apiVersion: string;
  readonly owner: string;
  readonly [section: string]: unknown;
}

/** What is exported: what files of an owner configure, what is in a workspace, or all. */
export interface ExportScope {
  readonly owner?: string | undefined;
  readonly workspace?: string | undefined;
  readonly signal: AbortSignal;
}

/** How many keys are looked at to see what a plan takes from them. */
const CHECKED_KEYS = 1_000;

/** Changes in these sections may take models from keys. */
const DECIDING_MODELS = ['workspaces', 'guardrails', 'default_guardrails', 'private_endpoints', 'private_providers'];

const DIGEST_CHARACTERS = 22;

/** What a plan has found, with what can be replayed of it. */
type Trial = Omit<ConfigurationPlan, 'id' | 'owner' | 'missing_permissions' | 'replay'> & {
  readonly captured: CapturedRules | null;
};

/** Ends the transaction of a plan, with what it has found: nothing of it stays. */
class PlannedOnly extends Error {
  constructor(readonly result: Trial) {
    super('only planned');
  }
}

/** Configuration by files: plans, applies and exports (docs/configuration.md). */
@Injectable()
export class ConfigurationService {
  constructor(
    private readonly kinds: ConfiguredKinds,
    private readonly repository: ConfigurationRepository,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
    private readonly cipher: Cipher,
    private readonly modules: ModuleRef,
  ) {}

  /**
   * Says what applying files would do: does it in a transaction, and rolls that back.
   *
   * @throws BadRequestError with everything that is wrong in the files, and with what operations would refuse
   * @throws PermissionMissing without what it takes to read the sections
   */
  async plan(caller: ManagementPrincipal, input: FilesToApply): Promise<ConfigurationPlan> {
    const { planning, context, read } = await this.compared(caller, input);
    const required = planning.requiredPermissions;
    const head = { owner: read.owner, missing_permissions: required.filter((one) => !caller.permissions.has(one)) };
    const { captured, ...planned } = await this.trial(caller, planning, context, required, input);
    // Outside of any transaction, so that nothing that others read knows of the changes.
    const replay = captured && (await captured.replay(input.replayHours!, input.signal));
    return { id: planning.idOf(planned.changes), ...head, ...planned, replay };
  }

  /**
   * Makes what there is that of the files, in one transaction.
   *
   * @param planId of the plan that is to be applied; without it, whatever it takes
   * @throws BadRequestError, PermissionMissing
   * @throws ConfigurationConflicts, ConfigurationChanged, ConfigurationBeingApplied
   */
  async apply(caller: ManagementPrincipal, input: FilesToApply, planId?: string): Promise<AppliedConfiguration> {
    const { organizationId } = caller;
    const { planning, context, read } = await this.compared(caller, input, planId);
    const required = planning.requiredPermissions;
    requirePermissions(caller, required);
    if (planning.decidesIdentity) requireToDecideIdentity(caller);
    const head = {
      owner: read.owner,
      conflicts: planning.conflicts,
      required_permissions: required,
      missing_permissions: [],
      impact: null,
      replay: null,
    };
    if (planId !== undefined && (await this.repository.appliedPlan(organizationId, read.owner)) === planId) {
      const plan = { id: planId, ...head, changes: [], warnings: [], unchanged: read.entries.length };
      return { plan, wasApplied: true, issued: [] };
    }
    if (planning.conflicts.length > 0) throw new ConfigurationConflicts({ conflicts: planning.conflicts });
    if (planning.isEmpty) {
      const id = planning.idOf([]);
      if (planId !== undefined && planId !== id) throw new ConfigurationChanged();
      return {
        plan: { id, ...head, changes: [], warnings: [], unchanged: read.entries.length },
        wasApplied: false,
        issued: [],
      };
    }
    const { bulk } = this.statements;
    const work = async (): Promise<{ readonly id: string; readonly outcome: Outcome }> => {
      // The first of the transaction, which so is one of the pool for long ones.
      if (!(await bulk.transaction((tx) => this.repository.lockOwner(tx, organizationId, read.owner)))) {
        throw new ConfigurationBeingApplied();
      }
      const outcome = await planning.execute(context);
      const id = planning.idOf(outcome.changes);
      if (planId !== undefined && planId !== id) throw new ConfigurationChanged();
      await this.remember(context.caller, read, input, id, outcome);
      return { id, outcome };
    };
    const applied = bulk.isInUnitOfWork
      ? await work()
      : await bulk.unitOfWork(work, nothing, nothing, 'the files of an owner');
    const { changes, warnings, unchanged, issued } = applied.outcome;
    return { plan: { id: applied.id, ...head, changes, warnings, unchanged }, wasApplied: false, issued };
  }

  /** What there is, as a file: without secrets, and with names in place of ids. @throws PermissionMissing */
  async export(caller: ManagementPrincipal, { owner, workspace, signal }: ExportScope): Promise<ExportedConfiguration> {
    requireAdministrator(caller);
    requirePermissions(
      caller,
      this.kinds.all.map(({ permission }) => readingOf(permission)),
    );
    const { context, inventory } = this.contextOf(caller, signal);
    const managed = await this.repository.managed(caller.organizationId, owner ?? null);
    const isManaged = new Set(managed.map(({ section, objectId }) => `${section} ${objectId}`));
    const workspaceId = workspace === undefined ? undefined : await inventory.workspaceId(workspace);
    const document: Record<string, unknown> = {};
    for (const kind of this.kinds.all) {
      const all = await inventory.all(kind.section);
      const wanted = all.filter((found) => {
        // What has no name cannot be called in a file.
        if (found.name === '' || kind.isImplicit(found.shown!)) return false;
        if (owner !== undefined) return isManaged.has(`${kind.section} ${found.id}`);
        return workspace === undefined || found.workspaceId === workspaceId || found.id === workspaceId;
      });
      const entries = await inOrder(wanted, (found) => entryOf(context, kind, found));
      if (entries.length > 0) document[kind.section] = entries;
    }
    return { apiVersion: API_VERSION, owner: owner ?? 'default', ...document };
  }

  /** Answers what {@link plan} says. */
  async planned(
    caller: ManagementPrincipal,
    { secrets, replay_hours: replayHours, ...input }: PlanConfigurationRequest,
    signal: AbortSignal,
  ): Promise<PlanConfigurationResponse> {
    const plan = await this.plan(caller, { ...input, replayHours, secrets: secretsOf(secrets), signal });
    return { data: plan as ConfigurationPlanResponse };
  }

  /** Answers what {@link apply} has done. */
  async applied(
    caller: ManagementPrincipal,
    { secrets, plan_id: planId, ...input }: ApplyConfigurationRequest,
    signal: AbortSignal,
  ): Promise<ApplyConfigurationResponse> {
    return {
      data: toAppliedResponse(await this.apply(caller, { ...input, secrets: secretsOf(secrets), signal }, planId)),
    };
  }

  /** Answers what {@link export} has found. */
  async exported(
    caller: ManagementPrincipal,
    input: ExportConfigurationQuery,
    signal: AbortSignal,
  ): Promise<ExportConfigurationResponse> {
    return { data: { document: await this.export(caller, { ...input, signal }) } };
  }

  /** Lists what files configure, of one owner or all, as far as the caller may read such objects. @throws AdministratorRequired */
  async managed(caller: ManagementPrincipal, { owner }: ManagedObjectsQuery): Promise<ListManagedObjectsResponse> {
    requireAdministrator(caller);
    const readable = new Set(
      this.kinds.all
        .filter(({ permission }) => caller.permissions.has(readingOf(permission)))
        .map(({ section }) => section),
    );
    const objects = await this.repository.managed(caller.organizationId, owner ?? null);
    return { data: objects.filter(({ section }) => readable.has(section)).map(toManagedObjectResponse) };
  }

  /** Reads files and what they are about, and compares them. */
  private async compared(
    caller: ManagementPrincipal,
    input: FilesToApply,
    planId: string | null = null,
  ): Promise<{ planning: Planning; context: KindContext; read: ReadFiles }> {
    requireAdministrator(caller);
    const read = await readFiles(this.kinds, input.files);
    requireNoIssues(read.issues);
    requireNoIssues(await this.issuesOfRequestRules(caller, read.entries, input.signal));
    const sections = new Set(read.entries.map(({ kind }) => kind));
    const managed = await this.repository.managed(caller.organizationId, null);
    if (input.prune === true) {
      for (const { section, owner } of managed) {
        const kind = this.kinds.of(section);
        if (owner === read.owner && kind !== undefined) sections.add(kind);
      }
    }
    requirePermissions(
      caller,
      [...sections].map(({ permission }) => readingOf(permission)),
    );
    const { revision = null } = input;
    const files = { ...caller.files, owner: read.owner, plan: planId, revision, file: null };
    const acting = { ...caller, files };
    const { context, inventory } = this.contextOf(acting, input.signal, wantedOf(read.entries, managed));
    const { prune = false, cascade = false, adopt = false, isContinuous = false } = input;
    const options = { prune, cascade, adopt, isContinuous, secrets: input.secrets ?? new Map<string, string>() };
    const planning = new Planning(this.kinds, read.entries, read.owner, options, inventory, (place, secret) =>
      this.digestOf(caller.organizationId, place, secret),
    );
    await planning.compare(context, managed);
    return { planning, context, read };
  }

  /** What rules say that need more than an entry, as whether a pattern can be compiled. */
  private async issuesOfRequestRules(
    { organizationId }: ManagementPrincipal,
    entries: readonly Entry[],
    signal: AbortSignal,
  ): Promise<IssueWithReason[]> {
    const issues: IssueWithReason[] = [];
    for (const { kind, fields, path } of entries) {
      for (const type of requestRulesOf(kind.creation)) {
        const rule = this.modules.get<RequestRule>(type, { strict: false });
        const found = await rule.check(fields, { organizationId, signal: () => signal });
        issues.push(...issuesInside(path, found));
      }
    }
    return issues;
  }

  private async trial(
    caller: ManagementPrincipal,
    planning: Planning,
    context: KindContext,
    required: readonly Permission[],
    { replayHours }: FilesToApply,
  ): Promise<Trial> {
    const recorded = replayHours === undefined ? undefined : this.kinds.recordedTraffic;
    if (recorded !== undefined) requirePermissions(caller, ['usage_read']);
    const models = this.kinds.modelsOfKeys;
    const { bulk } = this.statements;
    const { organizationId } = caller;
    const sections = planning.changedSections;
    const decides = models !== undefined && DECIDING_MODELS.some((section) => sections.has(section));
    const before = decides ? await models.of(organizationId, CHECKED_KEYS) : [];
    try {
      await bulk.unitOfWork(
        async () => {
          await bulk.transaction(nothing);
          const { changes, warnings, unchanged, written } = await planning.execute(context);
          const rules = written.filter(({ section }) => recorded?.sections.has(section));
          const captured = (await recorded?.captured(caller, rules)) ?? null;
          const after = decides ? await models.of(organizationId, CHECKED_KEYS) : [];
          throw new PlannedOnly({
            changes,
            conflicts: planning.conflicts,
            warnings,
            unchanged,
            required_permissions: required,
            impact: decides ? impactOf(before, after) : null,
            captured,
          });
        },
        nothing,
        nothing,
        'a plan',
      );
    } catch (error) {
      if (error instanceof PlannedOnly) return error.result;
      throw error;
    }
    throw new Error('a plan was committed');
  }

  private async remember(
    caller: ManagementPrincipal,
    read: ReadFiles,
    { revision, prune = false }: FilesToApply,
    planId: string,
    { changes, owned, released }: Outcome,
  ): Promise<void> {
    const { organizationId } = caller;
    const appliedAt = new Date();
    const { owner } = read;
    await this.repository.putAppliedPlan({ organizationId, owner, planId, appliedAt });
    await this.repository.put(owned.map((one) => ({ organizationId, owner, appliedAt, ...one })));
    for (const { section, objectId } of released) await this.repository.remove(organizationId, section, [objectId]);
    if (changes.length === 0) return;
    const event = {
      action: 'configuration.apply',
      targetId: planId,
      changes: created({
        owner,
        revision: revision ?? null,
        files: [...new Set(read.entries.map(({ file }) => file))],
        prune,
        objects: changes.map(({ action, section, workspace, name }) => ({ action, section, workspace, name })),
      }),
    };
    await this.statements.transaction((tx) => this.audit.record(tx, organizationId, caller, event));
  }

  private contextOf(
    caller: ManagementPrincipal,
    signal: AbortSignal,
    wanted?: ReadonlyMap<string, WantedObjects>,
  ): { readonly context: KindContext; readonly inventory: Inventory } {
    const inventory: Inventory = new Inventory(this.kinds, () => context, wanted);
    const context: KindContext = { caller, inventory, signal };
    return { context, inventory };
  }

  private digestOf(organizationId: string, place: readonly string[], secret: string): string {
    const text = JSON.stringify([organizationId, ...place, secret]);
    const digest = this.cipher.digest('gatehouse secrets of configurations', text);
    return `hmac-sha256:${digest.toString('base64url').slice(0, DIGEST_CHARACTERS)}`;
  }
}

function nothing(): Promise<void> {
  return Promise.resolve();
}

/** @throws AdministratorRequired for a caller who reaches only what is their own: files are about what is the organization's */
function requireAdministrator({ onlyOwn }: ManagementPrincipal): void {
  if (onlyOwn) throw new AdministratorRequired();
}

function secretsOf(secrets: Readonly<Record<string, string>> = {}): ReadonlyMap<string, string> {
  return new Map(Object.entries(secrets));
}

async function entryOf(context: KindContext, kind: Parameters<typeof fileFormOf>[0], found: Found): Promise<Fields> {
  const form = await fileFormOf(kind, found.shown!, context);
  return Object.fromEntries(Object.entries(form).filter(([, value]) => value !== null && value !== undefined));
}

async function inOrder<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

/** The names that files mention, and the ids of what files configure already, by section. */
function wantedOf(
  entries: readonly Entry[],
  managed: readonly ManagedObjectEntity[],
): ReadonlyMap<string, WantedObjects> {
  const wanted = new Map<string, { names: Set<string>; ids: Set<string> }>();
  const of = (section: string): { names: Set<string>; ids: Set<string> } => {
    const known = wanted.get(section) ?? { names: new Set<string>(), ids: new Set<string>() };
    wanted.set(section, known);
    return known;
  };
  for (const { section, objectId } of managed) of(section).ids.add(objectId);
  for (const { kind, name, renamedFrom, fields } of entries) {
    of(kind.section).names.add(name);
    if (renamedFrom !== undefined) of(kind.section).names.add(renamedFrom);
    for (const [field, { to }] of Object.entries(kind.references)) {
      for (const mentioned of namesIn(fields[field])) of(to).names.add(mentioned);
    }
    for (const [field, find] of Object.entries(kind.namesWithin)) {
      for (const { to, standing } of namesWithin(fields[field], find)) {
        for (const mentioned of namesIn(standing)) of(to).names.add(mentioned);
      }
    }
    for (const [field, { to }] of Object.entries(kind.further)) {
      if (to !== undefined) for (const mentioned of namesIn(fields[field])) of(to).names.add(mentioned);
    }
  }
  return wanted;
}

/** The names in references, which is all the texts in them. */
function namesIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(namesIn);
}
