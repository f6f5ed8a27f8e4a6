export { BUDGET_INTERVALS, type BudgetInterval } from './budgets/budget-interval.js';
export { WorkspaceBudgetsService } from './budgets/workspace-budgets.service.js';
export { WorkspaceMembersService } from './members/workspace-members.service.js';
export {
  type ChangedMemberships,
  type WorkspaceDefaults,
  type WorkspaceHook,
  WorkspaceHooks,
  type WorkspaceOfMembers,
  type WorkspaceToDelete,
} from './workspace-hooks.js';
export { WorkspaceLookupService } from './workspace-lookup.service.js';
export { workspaceOrDefault } from './workspace-or-default.js';
export {
  MEMBER_HAS_ACTIVE_KEYS,
  UNKNOWN_WORKSPACE,
  WORKSPACE_HAS_ACTIVE_KEYS,
  WorkspaceNotFound,
} from './workspaces.errors.js';
export { WorkspacesModule } from './workspaces.module.js';
export { WorkspacesService } from './workspaces.service.js';
