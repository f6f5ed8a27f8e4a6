import { WorkspaceEntity } from './workspace.entity.js';
import { WorkspaceMemberEntity } from './workspace-member.entity.js';
import { WorkspaceBudgetEntity } from './workspace-budget.entity.js';

/** Every entity of this module. */
export const WORKSPACES_ENTITIES = [WorkspaceEntity, WorkspaceMemberEntity, WorkspaceBudgetEntity];
