import { defaultGuardrailIdOf, newUuid } from '../../persistence/identifiers.js';
import { WireFields } from '../../persistence/rows/wire-fields.js';
import { NO_RATE_LIMITS } from '../rates/rate-limits.js';
import type { WorkspaceEntity } from './entities/workspace.entity.js';

/** The settings of a workspace that requests change. Logging and broadcasting are off until one says otherwise. */
const FIELDS = {
  name: {},
  slug: {},
  description: { initial: null },
  defaultTextModel: { initial: null },
  defaultImageModel: { initial: null },
  defaultProviderSort: { initial: null },
  isObservabilityIoLoggingEnabled: { initial: false },
  isObservabilityBroadcastEnabled: { initial: false },
  isDataDiscountLoggingEnabled: { initial: false },
  ioLoggingSamplingRate: { initial: 1 },
  ioLoggingApiKeyIds: { initial: null },
  disabledServerTools: { initial: null },
  isResponseCacheEnabled: { initial: null },
  allowedLabels: { initial: null },
};

export const WORKSPACE_FIELDS = new WireFields<WorkspaceEntity, keyof typeof FIELDS>(FIELDS);

/** A workspace to create. */
export interface NewWorkspace {
  readonly name: string;
  readonly slug: string;
  readonly isDefault: boolean;
  readonly createdBy: string;
}

/** The row of a new workspace, without the creation time, which the database sets. */
export type NewWorkspaceRow = Omit<WorkspaceEntity, 'createdAt'>;

/** The row of a new workspace. */
export function newWorkspaceRow(organizationId: string, workspace: NewWorkspace): NewWorkspaceRow {
  const id = newUuid();
  return {
    ...WORKSPACE_FIELDS.made({}),
    ...workspace,
    id,
    organizationId,
    defaultGuardrailId: defaultGuardrailIdOf(id),
    includeByokInBudgets: false,
    ...NO_RATE_LIMITS,
    updatedAt: null,
  };
}
