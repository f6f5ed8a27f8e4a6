import type { INestApplicationContext } from '@nestjs/common';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { ScimService } from '../../modules/scim/scim.service.js';
import { ScimGroupsService } from '../../modules/scim/scim-groups.service.js';

/** A group whose members are those of a workspace. */
export interface DemonstrationMapping {
  id: string;
  scim_group_id: string;
  workspace_id: string;
  user_ids: string[];
}

/** Groups without members, as an identity provider would push them. @returns their ids */
export async function makeGroups(
  context: INestApplicationContext,
  caller: ManagementPrincipal,
  names: readonly string[],
): Promise<string[]> {
  const groups = context.get(ScimGroupsService);
  const ids: string[] = [];
  for (const displayName of names) {
    const group = { displayName, externalId: `idp-${displayName.toLowerCase()}` };
    ids.push(await groups.add(caller, caller.organizationId, group));
  }
  return ids;
}

/** A group with members, mapped to a workspace where nobody else is a member. */
export async function makeMappedGroup(
  context: INestApplicationContext,
  caller: ManagementPrincipal,
  workspaceId: string,
  userIds: string[],
): Promise<DemonstrationMapping> {
  const [groupId] = (await makeGroups(context, caller, ['Operations'])) as [string];
  await context.get(ScimGroupsService).addMembers(caller, caller.organizationId, groupId, userIds);
  const pair = { scim_group_id: groupId, workspace_id: workspaceId };
  const { data } = await context.get(ScimService).createMapping(caller, pair);
  return { id: data.id, ...pair, user_ids: userIds };
}
