import { Injectable } from '@nestjs/common';
import type { Precondition } from '../../http/precondition.js';
import {
  ConfiguredKind,
  everyPage,
  type Fields,
  type KindContext,
  type ObjectAnswer,
  type ShownObject,
} from '../configuration/kinds/configured-kind.js';
import { ConfiguredKinds } from '../configuration/kinds/configured-kinds.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import { CreateScimGroupMappingRequest, type ScimGroupMapping, UpdateScimGroupMappingRequest } from './dto/scim.dto.js';
import { ScimGroupMappingsService } from './scim-group-mappings.service.js';
import { ScimGroupsService } from './scim-groups.service.js';

/** Mappings of groups to workspaces as files configure them: a mapping is called by its group (docs/configuration.md). */
@Injectable()
export class ScimGroupMappingsConfiguration extends ConfiguredKind {
  readonly section = 'scim_group_mappings';
  readonly one = 'group mapping';
  readonly permission = 'scim_write';
  override readonly identity = 'group';
  override readonly workspace = 'default';
  readonly creation = CreateScimGroupMappingRequest;
  readonly change = UpdateScimGroupMappingRequest;
  override readonly references = { group: { to: 'scim_groups', wire: 'scim_group_id' } };

  constructor(
    kinds: ConfiguredKinds,
    private readonly service: ScimGroupMappingsService,
    private readonly groups: ScimGroupsService,
    private readonly organizations: OrganizationsService,
  ) {
    super();
    kinds.add(this);
    kinds.addNames({ to: 'scim_groups', list: ({ caller }) => this.groupNames(caller) });
  }

  override async list(context: KindContext): Promise<readonly ShownObject[]> {
    const { caller } = context;
    // Without a directory there are none.
    if (!(await this.organizations.isScimEnabled(caller.organizationId))) return [];
    const mappings = await everyPage((page) => this.service.listMappings(caller, page));
    const names = new Map((await this.groupNames(caller)).map(({ id, name }) => [id, name]));
    return mappings.map((mapping) => ({
      ...mapping,
      group: names.get(mapping.scim_group_id) ?? mapping.scim_group_id,
    }));
  }

  protected override async get(context: KindContext, id: string): Promise<ObjectAnswer> {
    const answer = await this.service.getMapping(context.caller, { id });
    const group = await context.inventory.byId('scim_groups', answer.data.scim_group_id);
    return Object.assign(answer, { data: { ...answer.data, group: group?.name ?? answer.data.scim_group_id } });
  }

  protected override async make(context: KindContext, input: Fields): Promise<ObjectAnswer> {
    const { data } = await this.service.createMapping(
      context.caller,
      input as unknown as CreateScimGroupMappingRequest,
    );
    return this.get(context, data.id);
  }

  override update({ caller }: KindContext, id: string, input: Fields, precondition: Precondition): Promise<unknown> {
    return this.service.updateMapping(
      caller,
      { ...(input as unknown as UpdateScimGroupMappingRequest), id },
      precondition,
    );
  }

  /** Who is a member by the mapping alone is one no longer. */
  override delete({ caller }: KindContext, id: string, precondition: Precondition): Promise<unknown> {
    return this.service.deleteMapping(caller, { id, keep_members: false }, precondition);
  }

  override nameOf(shown: ShownObject): string {
    return (shown as ScimGroupMapping & { readonly group: string }).group;
  }

  private async groupNames(caller: KindContext['caller']): Promise<{ readonly id: string; readonly name: string }[]> {
    if (!(await this.organizations.isScimEnabled(caller.organizationId))) return [];
    const groups = await everyPage((page) => this.groups.list(caller, page));
    return groups.map(({ id, display_name: name }) => ({ id, name }));
  }
}
