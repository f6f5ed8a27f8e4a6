import { Injectable } from '@nestjs/common';
import {
  type Fields,
  type KindContext,
  type ObjectAnswer,
  type ShownObject,
} from '../configuration/kinds/configured-kind.js';
import { ConfiguredKinds } from '../configuration/kinds/configured-kinds.js';
import { LocalKind } from '../configuration/kinds/served-kind.js';
import { WorkspacesService } from '../workspaces/workspaces.service.js';
import { type Guardrail, UpdateGuardrailRequest } from './dto/guardrail.dto.js';
import { guardrailFieldsOf } from './guardrails.configuration.js';
import { GuardrailsService } from './guardrails.service.js';

/** What the one guardrail of this kind in a workspace is called. */
const NAME = 'default';

/** Default guardrails of workspaces as files configure them: they are always there (docs/configuration.md). */
@Injectable()
export class DefaultGuardrailsConfiguration extends LocalKind {
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
    protected readonly service: GuardrailsService,
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

  /** Only a workspace that the plan has created has none yet among those that were listed. */
  protected override async make(
    { caller }: KindContext,
    { workspace_id: workspaceId, ...input }: Fields,
  ): Promise<ObjectAnswer> {
    const { data } = await this.workspaces.read(caller, { id: workspaceId as string });
    return this.service.update(caller, { ...input, id: data.default_guardrail_id });
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
