import { defaultGuardrailIdOf, newUuid } from '../../database/identifiers.js';
import type { WorkspaceEntity } from './entities/workspace.entity.js';

/** A workspace to be made. */
export interface NewWorkspace {
  readonly name: string;
  readonly slug: string;
  readonly isDefault: boolean;
  readonly createdBy: string;
}

/** The row of a new workspace, but for the time at which the database makes it. */
export type NewWorkspaceRow = Omit<WorkspaceEntity, 'createdAt'>;

/** The row of a new workspace, in which nothing is logged or sent anywhere until somebody says so. */
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
    isObservabilityBroadcastEnabled: false,
    isDataDiscountLoggingEnabled: false,
    ioLoggingSamplingRate: 1,
    ioLoggingApiKeyIds: null,
    disabledServerTools: null,
    includeByokInBudgets: false,
    updatedAt: null,
  };
}
