import { ALERTS } from './alerts.js';
import { CONFIGURATION } from './configuration.js';
import { REPLAYS } from './replays.js';
import { AUDIT } from './audit.js';
import { CATALOG } from './catalog.js';
import { EXTERNAL_USERS } from './external-users.js';
import { FEDERATION } from './federation.js';
import { GUARDRAILS } from './guardrails.js';
import { INFERENCE } from './inference.js';
import { INSPECTORS } from './inspectors.js';
import { KEYS } from './keys.js';
import { LIMITS } from './limits.js';
import { MANAGEMENT_KEYS } from './management-keys.js';
import { MCP_SERVERS } from './mcp-servers.js';
import { OBSERVABILITY } from './observability.js';
import type { OperationRows } from './operation-row.js';
import { ORGANIZATIONS } from './organizations.js';
import { PRESETS } from './presets.js';
import { PRIVATE_MODELS } from './private-models.js';
import { PROVIDER_CONNECTIONS } from './provider-connections.js';
import { PROVIDERS } from './providers.js';
import { SCIM } from './scim.js';
import { SIGN_IN } from './sign-in.js';
import { USAGE } from './usage.js';
import { WORKSPACES } from './workspaces.js';

const ROWS: OperationRows = {
  ...ALERTS,
  ...CONFIGURATION,
  ...REPLAYS,
  ...AUDIT,
  ...CATALOG,
  ...EXTERNAL_USERS,
  ...FEDERATION,
  ...GUARDRAILS,
  ...INFERENCE,
  ...INSPECTORS,
  ...KEYS,
  ...LIMITS,
  ...MANAGEMENT_KEYS,
  ...MCP_SERVERS,
  ...OBSERVABILITY,
  ...ORGANIZATIONS,
  ...PRESETS,
  ...PRIVATE_MODELS,
  ...PROVIDER_CONNECTIONS,
  ...PROVIDERS,
  ...SCIM,
  ...SIGN_IN,
  ...USAGE,
  ...WORKSPACES,
};

/** Every operation that there is, in the order of the alphabet: what the tests of all operations go by. */
export const OPERATIONS: OperationRows = Object.fromEntries(
  Object.entries(ROWS).sort(([one], [other]) => (one < other ? -1 : 1)),
);

/** Their operationIds. */
export const OPERATION_IDS = Object.keys(OPERATIONS);
