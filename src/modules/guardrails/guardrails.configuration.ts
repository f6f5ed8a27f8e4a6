import { Injectable } from '@nestjs/common';
import {
  everyPage,
  type Fields,
  type KindContext,
  type PlannedObjects,
  type ShownObject,
  type WantedObjects,
} from '../configuration/kinds/configured-kind.js';
import { ConfiguredKinds } from '../configuration/kinds/configured-kinds.js';
import { LocalKind } from '../configuration/kinds/served-kind.js';
import { issuesOfReference, REFERENCE, type Reference } from '../configuration/document/references.js';
import { listOf } from '../../http/openapi/named-schemas.js';
import type { IssueWithReason } from '../../http/errors/issue.js';
import { ManagedObjects, type ObjectsOfSection } from '../../http/managed-objects/managed-objects.js';
import { ObjectManagedByFiles } from '../../http/managed-objects/managed-objects.errors.js';
import { AssignmentsService } from './assignments/assignments.service.js';
import { ReplacedGuardrails } from './assignments/replaced-guardrails.js';
import { CreateGuardrailRequest, type Guardrail, UpdateGuardrailRequest } from './dto/guardrail.dto.js';
import { GuardrailsService } from './guardrails.service.js';

const SUBJECTS = {
  assigned_keys: { kind: 'key', to: 'keys', isOfOne: 'everywhere' },
  assigned_members: { kind: 'member', to: 'members', isOfOne: 'in a workspace' },
} as const;

/** Guardrails with those who have them, as files configure them (docs/configuration.md). */
@Injectable()
export class GuardrailsConfiguration extends LocalKind {
  readonly section = 'guardrails';
  readonly one = 'guardrail';
  readonly permission = 'guardrails_write';
  override readonly workspace = 'default';
  protected override readonly isListedByWorkspace = true;
  readonly creation = CreateGuardrailRequest;
  readonly change = UpdateGuardrailRequest;
  override readonly references = { inspectors: { to: 'inspectors', wire: 'inspector_ids', isList: true } };
  override readonly further = Object.fromEntries(
    (['assigned_keys', 'assigned_members'] as const).map((field) => [
      field,
      {
        to: SUBJECTS[field].to,
        isOfOne: SUBJECTS[field].isOfOne,
        schema: listOf(`Which ${SUBJECTS[field].to} have it.`, REFERENCE),
        issues: issuesOfNames,
        read: (context: KindContext, shown: ShownObject) => this.assigned(context, shown, field),
        write: (context: KindContext, shown: ShownObject, wanted: unknown) =>
          this.assign(context, shown, field, wanted as Reference[]),
      },
    ]),
  );

  constructor(
    kinds: ConfiguredKinds,
    protected readonly service: GuardrailsService,
    private readonly assignments: AssignmentsService,
    private readonly replaced: ReplacedGuardrails,
    private readonly managed: ManagedObjects,
  ) {
    super();
    kinds.add(this);
  }

  /** Without those that workspaces have by default, which are a list of their own. */
  override async list(context: KindContext, wanted: WantedObjects | undefined): Promise<readonly ShownObject[]> {
    const workspaces = await context.inventory.all('workspaces');
    const ofAll = new Set(
      workspaces.map(({ shown }) => (shown as { readonly default_guardrail_id: string }).default_guardrail_id),
    );
    return (await super.list(context, wanted)).filter((shown) => !ofAll.has(this.idOf(shown)));
  }

  override requestFieldsOf(shown: ShownObject): Fields {
    return guardrailFieldsOf(shown as Guardrail);
  }

  override async dependents(
    context: KindContext,
    shown: ShownObject,
    planned: PlannedObjects,
  ): Promise<readonly string[]> {
    const [assigned, members] = await Promise.all([
      this.idsOf(context, shown, 'assigned_keys'),
      this.idsOf(context, shown, 'assigned_members'),
    ]);
    const keys = assigned.filter((hash) => !planned.isGone('keys', hash));
    return [
      ...(keys.length === 0 ? [] : [`${keys.length} keys that it is assigned to`]),
      ...(members.length === 0 ? [] : [`${members.length} members that it is assigned to`]),
    ];
  }

  /** The hashes of the keys, or the ids of the members, that have a guardrail. */
  private async idsOf({ caller }: KindContext, shown: ShownObject, field: keyof typeof SUBJECTS): Promise<string[]> {
    const { id } = shown as Guardrail;
    if (field === 'assigned_keys') {
      const keys = await everyPage((page) => this.assignments.listKeys(caller, { ...page, id }));
      return keys.map(({ key_hash: hash }) => hash);
    }
    const members = await everyPage((page) => this.assignments.listMembers(caller, { ...page, id }));
    return members.map(({ user_id: userId }) => userId);
  }

  private async assigned(context: KindContext, shown: ShownObject, field: keyof typeof SUBJECTS): Promise<Reference[]> {
    const { to } = SUBJECTS[field];
    const ids = await this.idsOf(context, shown, field);
    const workspaceId = this.workspaceIdOf(shown);
    const references = await Promise.all(ids.map((id) => context.inventory.referenceTo(to, id, workspaceId)));
    return references.sort(byText);
  }

  /** Makes those who have a guardrail those of a file. */
  private async assign(
    context: KindContext,
    shown: ShownObject,
    field: keyof typeof SUBJECTS,
    wanted: readonly Reference[],
  ): Promise<void> {
    const { kind, to } = SUBJECTS[field];
    const { id } = shown as Guardrail;
    const ids = new Set<string>();
    for (const reference of wanted)
      ids.add(await context.inventory.requireMeant(to, reference, this.workspaceIdOf(shown)));
    const present = await this.idsOf(context, shown, field);
    const [added, removed] = [[...ids].filter((one) => !present.includes(one)), present.filter((one) => !ids.has(one))];
    if (removed.length > 0) await this.assignments.unassign(context.caller, id, kind, removed);
    if (added.length === 0) return;
    await this.requireOwn(context, await this.replaced.of(context.caller.organizationId, kind, id, added));
    await this.assignments.assign(context.caller, id, kind, added);
  }

  /** @throws ObjectManagedByFiles where a guardrail of another owner would lose whom this one gets */
  private async requireOwn({ caller }: KindContext, replaced: readonly ObjectsOfSection[]): Promise<void> {
    for (const one of replaced) {
      const managed = await this.managed.among(caller.organizationId, one);
      const other = managed.find(({ owner }) => owner !== caller.files?.owner);
      if (other !== undefined) throw new ObjectManagedByFiles({ owner: other.owner });
    }
  }
}

/** The rules of a guardrail, in the form of requests: without what answers say of filters besides. */
export function guardrailFieldsOf({
  content_filter_builtins: builtins,
  content_filters: custom,
  ...fields
}: Guardrail): Fields {
  return {
    ...fields,
    content_filter_builtins: builtins?.map((filter) => asked(filter, ['slug', 'action', 'applies_to'])) ?? null,
    content_filters: custom?.map((filter) => asked(filter, ['pattern', 'action', 'label', 'applies_to'])) ?? null,
  };
}

function asked(filter: object, names: readonly string[]): Fields {
  const fields = filter as Fields;
  return Object.fromEntries(names.filter((name) => fields[name] != null).map((name) => [name, fields[name]]));
}

function byText(one: Reference, other: Reference): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
}

function issuesOfNames(value: unknown): IssueWithReason[] {
  return issuesOfReference('', value, true);
}
