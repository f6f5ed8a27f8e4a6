import { CreateSchema1795219200000 } from './1795219200000-create-schema.js';
import { CountLists1795240800000 } from './1795240800000-count-lists.js';
import { AuditEvents1795244400000 } from './1795244400000-audit-events.js';
import { AuditFilters1795246200000 } from './1795246200000-audit-filters.js';
import { WorkspaceSettings1795251600000 } from './1795251600000-workspace-settings.js';
import { MembershipSources1795253400000 } from './1795253400000-membership-sources.js';
import { GuardrailAssignments1795255200000 } from './1795255200000-guardrail-assignments.js';
import { KeyRotationAndSpend1795256100000 } from './1795256100000-key-rotation-and-spend.js';
import { ModelEndpoints1795258800000 } from './1795258800000-model-endpoints.js';
import { PresetLists1795262400000 } from './1795262400000-preset-lists.js';
import { DestinationLists1795266000000 } from './1795266000000-destination-lists.js';
import { CodeReferences1795269600000 } from './1795269600000-code-references.js';
import { MappingsOfDeletedWorkspaces1795271400000 } from './1795271400000-mappings-of-deleted-workspaces.js';
import { KeptMembers1795276800000 } from './1795276800000-kept-members.js';
import { CountsOfDeletedLists1795278600000 } from './1795278600000-counts-of-deleted-lists.js';
import { PresetStatistics1795280400000 } from './1795280400000-preset-statistics.js';
import { DataRegions1795284000000 } from './1795284000000-data-regions.js';
import { ExternalApiKeys1795284100000 } from './1795284100000-external-api-keys.js';
import { ToolChoice1795284200000 } from './1795284200000-tool-choice.js';
import { KeySpendTotals1795287600000 } from './1795287600000-key-spend-totals.js';
import { NormalizedCallbackUrls1795287700000 } from './1795287700000-normalized-callback-urls.js';
import { ApplicationNumbers1795287800000 } from './1795287800000-application-numbers.js';
import { DestinationRegions1795294800000 } from './1795294800000-destination-regions.js';
import { BoundedAuditChanges1795302000000 } from './1795302000000-bounded-audit-changes.js';
import { ProtectedAuditTrail1795302100000 } from './1795302100000-protected-audit-trail.js';
import { RoleRanks1795311600000 } from './1795311600000-role-ranks.js';
import { ApplicationsByOrigin1795315200000 } from './1795315200000-applications-by-origin.js';
import { OrganizationFirst1795401600000 } from './1795401600000-organization-first.js';
import { HashesByOrganization1795488000000 } from './1795488000000-hashes-by-organization.js';
import { ProviderConnections1795574400000 } from './1795574400000-provider-connections.js';
import { ProviderKeys1795575000000 } from './1795575000000-provider-keys.js';
import { Generations1795660800000 } from './1795660800000-generations.js';
import { SpendWindows1795750200000 } from './1795750200000-spend-windows.js';
import { SpendReservations1795836600000 } from './1795836600000-spend-reservations.js';
import { RateLimits1795838400000 } from './1795838400000-rate-limits.js';
import { UsageTotals1795842000000 } from './1795842000000-usage-totals.js';
import { UsageAdditions1795845600000 } from './1795845600000-usage-additions.js';
import { ModelCapabilities1795900300000 } from './1795900300000-model-capabilities.js';
import { ProviderKeyRules1795900500000 } from './1795900500000-provider-key-rules.js';
import { KeySuspensions1795900600000 } from './1795900600000-key-suspensions.js';
import { OwnModels1795900700000 } from './1795900700000-own-models.js';
import { ResponsesDialect1795900800000 } from './1795900800000-responses-dialect.js';
import { DistributedTriggers1795910000000 } from './1795910000000-distributed-triggers.js';
import { DistributedKeys1795910100000 } from './1795910100000-distributed-keys.js';
import { ComparedRoleRanks1795910200000 } from './1795910200000-compared-role-ranks.js';
import { BroadcastOutbox1796000000000 } from './1796000000000-broadcast-outbox.js';
import { Alerts1797000000000 } from './1797000000000-alerts.js';
import { KeyPermissions1798000000000 } from './1798000000000-key-permissions.js';
import { ManagementKeys1798010000000 } from './1798010000000-management-keys.js';
import { MemberStates1798100000000 } from './1798100000000-member-states.js';
import { Provisioning1798200000000 } from './1798200000000-provisioning.js';
import { MassDeactivations1798200100000 } from './1798200100000-mass-deactivations.js';
import { SignIn1798300000000 } from './1798300000000-sign-in.js';
import { Federation1798400000000 } from './1798400000000-federation.js';
import { IdempotencyKeys1798500000000 } from './1798500000000-idempotency-keys.js';
import { CloudConnections1798600000000 } from './1798600000000-cloud-connections.js';
import { ConsentSettings1798600000000 } from './1798600000000-consent-settings.js';
import { GroupClaims1798610000000 } from './1798610000000-group-claims.js';
import { ExternalUsers1798710000000 } from './1798710000000-external-users.js';
import { PrivateModels1798700000000 } from './1798700000000-private-models.js';
import { CachedResponses1798715000000 } from './1798715000000-cached-responses.js';
import { ConnectionsByInterface1798720000000 } from './1798720000000-connections-by-interface.js';
import { IdentitySources1798810000000 } from './1798810000000-identity-sources.js';
import { LinkConfirmations1798811000000 } from './1798811000000-link-confirmations.js';
import { FreshSignIns1798820000000 } from './1798820000000-fresh-sign-ins.js';
import { PartitionsOneByOne1798840000000 } from './1798840000000-partitions-one-by-one.js';
import { LimitRefusals1798855000000 } from './1798855000000-limit-refusals.js';
import { PartialDeliveries1798855100000 } from './1798855100000-partial-deliveries.js';
import { KeyVersions1798856000000 } from './1798856000000-key-versions.js';

/** Every migration, oldest first. One that has been released is never changed. */
export const MIGRATIONS = [
  CreateSchema1795219200000,
  CountLists1795240800000,
  AuditEvents1795244400000,
  AuditFilters1795246200000,
  WorkspaceSettings1795251600000,
  MembershipSources1795253400000,
  GuardrailAssignments1795255200000,
  KeyRotationAndSpend1795256100000,
  ModelEndpoints1795258800000,
  PresetLists1795262400000,
  DestinationLists1795266000000,
  CodeReferences1795269600000,
  MappingsOfDeletedWorkspaces1795271400000,
  KeptMembers1795276800000,
  CountsOfDeletedLists1795278600000,
  PresetStatistics1795280400000,
  DataRegions1795284000000,
  ExternalApiKeys1795284100000,
  ToolChoice1795284200000,
  KeySpendTotals1795287600000,
  NormalizedCallbackUrls1795287700000,
  ApplicationNumbers1795287800000,
  DestinationRegions1795294800000,
  BoundedAuditChanges1795302000000,
  ProtectedAuditTrail1795302100000,
  RoleRanks1795311600000,
  ApplicationsByOrigin1795315200000,
  OrganizationFirst1795401600000,
  HashesByOrganization1795488000000,
  ProviderConnections1795574400000,
  ProviderKeys1795575000000,
  Generations1795660800000,
  SpendWindows1795750200000,
  SpendReservations1795836600000,
  RateLimits1795838400000,
  UsageTotals1795842000000,
  UsageAdditions1795845600000,
  ModelCapabilities1795900300000,
  ProviderKeyRules1795900500000,
  KeySuspensions1795900600000,
  OwnModels1795900700000,
  ResponsesDialect1795900800000,
  DistributedTriggers1795910000000,
  DistributedKeys1795910100000,
  ComparedRoleRanks1795910200000,
  BroadcastOutbox1796000000000,
  Alerts1797000000000,
  KeyPermissions1798000000000,
  ManagementKeys1798010000000,
  MemberStates1798100000000,
  Provisioning1798200000000,
  MassDeactivations1798200100000,
  SignIn1798300000000,
  Federation1798400000000,
  IdempotencyKeys1798500000000,
  CloudConnections1798600000000,
  ConsentSettings1798600000000,
  GroupClaims1798610000000,
  PrivateModels1798700000000,
  ExternalUsers1798710000000,
  CachedResponses1798715000000,
  ConnectionsByInterface1798720000000,
  IdentitySources1798810000000,
  LinkConfirmations1798811000000,
  FreshSignIns1798820000000,
  PartitionsOneByOne1798840000000,
  LimitRefusals1798855000000,
  PartialDeliveries1798855100000,
  KeyVersions1798856000000,
];
