import { Baseline1798720000001 } from './0001-baseline.js';
import { IdentitySources1798810000000 } from './1798810000000-identity-sources.js';
import { LinkConfirmations1798811000000 } from './1798811000000-link-confirmations.js';
import { FreshSignIns1798820000000 } from './1798820000000-fresh-sign-ins.js';
import { PartitionsOneByOne1798840000000 } from './1798840000000-partitions-one-by-one.js';
import { LimitRefusals1798855000000 } from './1798855000000-limit-refusals.js';
import { PartialDeliveries1798855100000 } from './1798855100000-partial-deliveries.js';
import { KeyVersions1798856000000 } from './1798856000000-key-versions.js';
import { Limits1798857000000 } from './1798857000000-limits.js';
import { ReplayJobs1798858000000 } from './1798858000000-replay-jobs.js';
import { Labels1798859000000 } from './1798859000000-labels.js';
import { LimitReplays1798861000000 } from './1798861000000-limit-replays.js';
import { LimitAlerts1798862000000 } from './1798862000000-limit-alerts.js';
import { Inspectors1798863000000 } from './1798863000000-inspectors.js';
import { GuardrailInspectors1798863100000 } from './1798863100000-guardrail-inspectors.js';
import { FilteredGenerations1798864400000 } from './1798864400000-filtered-generations.js';
import { DeclaredByOrganizations1798864600000 } from './1798864600000-declared-by-organizations.js';
import { MemberGuardrails1798864700000 } from './1798864700000-member-guardrails.js';
import { ManagedObjects1798864800000 } from './1798864800000-managed-objects.js';
import { McpServers1798865000000 } from './1798865000000-mcp-servers.js';
import { GuardrailMcpTools1798865100000 } from './1798865100000-guardrail-mcp-tools.js';
import { ConfigurationTurns1798866000000 } from './1798866000000-configuration-turns.js';
import { UnansweredGenerations1798867000000 } from './1798867000000-unanswered-generations.js';
import { McpOauth1798868000000 } from './1798868000000-mcp-oauth.js';
import { ToolErrors1798870000000 } from './1798870000000-tool-errors.js';
import { McpHandshakeRevisions1798874000000 } from './1798874000000-mcp-handshake-revisions.js';
import { McpNamedIssuers1798880000000 } from './1798880000000-mcp-named-issuers.js';

/** Every migration, oldest first. One that has been released is never changed. */
export const MIGRATIONS = [
  Baseline1798720000001,
  IdentitySources1798810000000,
  LinkConfirmations1798811000000,
  FreshSignIns1798820000000,
  PartitionsOneByOne1798840000000,
  LimitRefusals1798855000000,
  PartialDeliveries1798855100000,
  KeyVersions1798856000000,
  Limits1798857000000,
  ReplayJobs1798858000000,
  Labels1798859000000,
  LimitReplays1798861000000,
  LimitAlerts1798862000000,
  Inspectors1798863000000,
  GuardrailInspectors1798863100000,
  FilteredGenerations1798864400000,
  DeclaredByOrganizations1798864600000,
  MemberGuardrails1798864700000,
  ManagedObjects1798864800000,
  McpServers1798865000000,
  GuardrailMcpTools1798865100000,
  ConfigurationTurns1798866000000,
  UnansweredGenerations1798867000000,
  McpOauth1798868000000,
  ToolErrors1798870000000,
  McpHandshakeRevisions1798874000000,
  McpNamedIssuers1798880000000,
];
