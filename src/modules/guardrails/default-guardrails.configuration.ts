import { Injectable } from '@nestjs/common';
import type { Precondition } from '../../http/precondition.js';
import {
  ConfiguredKind,
  type Fields,
  type KindContext,
  type ObjectAnswer,
  type ShownObject,
} from '../configuration/kinds/configured-kind.js';
import { ConfiguredKinds } from '../configuration/kinds/configured-kinds.js';
import { WorkspacesService } from '../workspaces/workspaces.service.js';
import { type Guardrail, UpdateGuardrailRequest } from './dto/guardrail.dto.js';
import { guardrailFieldsOf } from './guardrails.configuration.js';
import { GuardrailsService } from './guardrails.service.js';

/** What the one guardrail of this kind in a workspace is called. */
const NAME = 'default';

/** Default guardrails of workspaces as files configure them: they are always there (docs/configuration.md). */
@Injectable()
export class DefaultGuardrailsConfiguration extends ConfiguredKind {
  readonly section = 'default_guardrails';
  readonly one = 'default guardrail';
  readonly permission = 'guardrails_write';
  override readonly identity = 'workspace';
  override readonly workspace = 'default';
  readonly creation = UpdateGuardrailRequest;
  readonly change = UpdateGuardrailRequest;
  override readonly references = { inspectors: { to: 'inspectors', wire: 'inspector_ids', isList: true } };
  override readonly omitted = ['name'];
  override readonly isDeletable = false;

  constructor(
    kinds: ConfiguredKinds,
    private readonly service: GuardrailsService,
    private readonly workspaces: WorkspacesService,
  ) {
    super();
    kinds.add(this);
  }

  override async list({ caller, inventory }: KindContext): Promise<readonly ShownObject[]> {
    const guardrails: Guardrail[] = [];
    for (const workspace of await inventory.all('workspaces')) {
      const { default_guardrail_id: id } = workspace.shown as { readonly default_guardrail_id: string };
      guardrails.push((await this.service.get(caller, { id })).data);
    }
    return guardrails;
  }

  protected override get({ caller }: KindContext, id: string): Promise<ObjectAnswer> {
    return this.service.get(caller, { id });
  }

  /** That of a workspace which the plan has created. */
  protected override async make(
    { caller }: KindContext,
    { workspace_id: workspaceId, ...input }: Fields,
  ): Promise<ObjectAnswer> {
    const { data } = await this.workspaces.read(caller, { id: workspaceId as string });
    return this.service.update(caller, { ...input, id: data.default_guardrail_id });
  }

  override update({ caller }: KindContext, id: string, input: Fields, precondition: Precondition): Promise<unknown> {
    return this.service.update(caller, { ...input, id }, precondition);
  }

  override delete(): Promise<unknown> {
    throw new Error('default guardrails are not deleted');
  }

  override requestFieldsOf(shown: ShownObject): Fields {
    return guardrailFieldsOf(shown as Guardrail);
  }

  override isImplicit(shown: ShownObject): boolean {
    return ((shown as Guardrail).updated_at ?? null) === null;
  }

  override nameInFile(): string {
    return NAME;
  }

  override nameOf(): string {
    return NAME;
  }

  override get creationFields(): readonly string[] {
    return [...super.creationFields, 'workspace_id'];
  }
}
