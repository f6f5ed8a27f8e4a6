import { defaultGuardrailIdOf, newUuid } from '../../persistence/identifiers.js';
import { NO_RATE_LIMITS } from '../rates/index.js';
import type { WorkspaceEntity } from './entities/workspace.entity.js';

/** A workspace to create. */
export interface NewWorkspace {
  readonly name: string;
  readonly slug: string;
  readonly isDefault: boolean;
  readonly createdBy: string;
}

/** The row of a new workspace, without the creation time, which the database sets. */
export type NewWorkspaceRow = Omit<WorkspaceEntity, 'createdAt'>;

/** The row of a new workspace. Logging and broadcasting are off. */
export function newWorkspaceRow(organizationId: string, workspace: NewWorkspace): NewWorkspaceRow {
  const id = newUuid();
  return {
    ...workspace,
    id,
    organizationId,
    defaultGuardrailId: defaultGuardrailIdOf(id),
    description: null,
    defaultTextModel: null,
    defaultImageModel: null,
    defaultProviderSort: null,
    isObservabilityIoLoggingEnabled: false,
    isResponseCacheEnabled: null,
    isObservabilityBroadcastEnabled: false,
    isDataDiscountLoggingEnabled: false,
    ioLoggingSamplingRate: 1,
    ioLoggingApiKeyIds: null,
    disabledServerTools: null,
    includeByokInBudgets: false,
    ...NO_RATE_LIMITS,
    updatedAt: null,
  };
}
