import { defaultGuardrailIdOf } from '../../database/identifiers.js';
import type { GuardrailEntity } from './entities/guardrail.entity.js';

/** What the default guardrail of a workspace is made from. */
export interface GuardedWorkspace {
  readonly id: string;
  readonly organizationId: string;
  readonly createdAt: Date;
}

/** The default guardrail of a workspace as long as nobody has changed it: it restricts nothing. */
export function untouchedDefaultGuardrail(workspace: GuardedWorkspace): GuardrailEntity {
  return {
    id: defaultGuardrailIdOf(workspace.id),
    organizationId: workspace.organizationId,
    workspaceId: workspace.id,
    name: `Workspace ${workspace.id} Default`,
    description: null,
    limitUsd: null,
    resetInterval: null,
    includeByokInBudgets: false,
    allowedModels: null,
    ignoredModels: null,
    allowedProviders: null,
    ignoredProviders: null,
    allowedDataRegions: null,
    enforceZdr: null,
    enforceZdrVendorA: null,
    enforceZdrVendorB: null,
    enforceZdrVendorC: null,
    enforceZdrVendorD: null,
    enforceZdrOther: null,
    enableFreeModelPublication: null,
    enableFreeModelTraining: null,
    enablePaidModelTraining: null,
    contentFilterBuiltins: null,
    contentFilters: null,
    createdAt: workspace.createdAt,
    updatedAt: null,
  };
}

/** Whether a guardrail is the default one of its workspace. */
export function isDefaultGuardrail({ id, workspaceId }: Pick<GuardrailEntity, 'id' | 'workspaceId'>): boolean {
  return workspaceId !== null && id === defaultGuardrailIdOf(workspaceId);
}
