import { createHash, randomBytes } from 'node:crypto';
import type { INestApplication } from '@nestjs/common';
import type { MemberRole } from '../../../src/auth/roles.js';
import { administratorOf } from '../resources/administrators.js';
import type { BackgroundStatements } from '../../../src/persistence/background-statements.js';
import { newUuid } from '../../../src/persistence/identifiers.js';
import { insertStatement } from '../../../src/persistence/insert-statement.js';
import { Statements } from '../../../src/persistence/statements.js';
import { COMMAND_LINE } from '../../../src/modules/audit/audit-trail.js';
import { OwnModelsService } from '../../../src/modules/catalog/own-models/own-models.service.js';
import { CatalogImportService } from '../../../src/modules/catalog/import/catalog-import.service.js';
import type { CreateGuardrailRequest, Guardrail } from '../../../src/modules/guardrails/dto/guardrail.dto.js';
import { GuardrailsService } from '../../../src/modules/guardrails/guardrails.service.js';
import { InstallationService, type NewOrganization } from '../../../src/modules/installation/installation.service.js';
import { ConnectClientsService } from '../../../src/modules/oauth/clients/connect-clients.service.js';
import { type IssuedCredential, KeysService } from '../../../src/modules/keys/keys.service.js';
import { ApiKeyEntity } from '../../../src/modules/keys/entities/api-key.entity.js';
import { type NewKey, newKeyRow } from '../../../src/modules/keys/new-key.js';
import type { DestinationConfig } from '../../../src/modules/observability/config-mask.js';
import type { DestinationType } from '../../../src/modules/observability/destination-settings.js';
import { ObservabilityService } from '../../../src/modules/observability/observability.service.js';
import { OrganizationsService } from '../../../src/modules/organizations/organizations.service.js';
import { PresetEntity, PresetVersionEntity } from '../../../src/modules/presets/entities/preset.entity.js';
import { OwnKeysService } from '../../../src/modules/providers/own-keys/own-keys.service.js';
import { ScimGroupMappingsService } from '../../../src/modules/scim/scim-group-mappings.service.js';
import { ScimGroupsService } from '../../../src/modules/scim/scim-groups.service.js';
import {
  type IssuedToken,
  ProvisioningTokensService,
} from '../../../src/modules/scim/tokens/provisioning-tokens.service.js';
import type { BudgetInterval } from '../../../src/modules/workspaces/budgets/budget-interval.js';
import { WorkspaceBudgetsService } from '../../../src/modules/workspaces/budgets/workspace-budgets.service.js';
import { WorkspaceMemberEntity } from '../../../src/modules/workspaces/entities/workspace.entity.js';
import { WorkspaceLookupService } from '../../../src/modules/workspaces/workspace-lookup.service.js';
import starter from '../../../catalog/starter.json' with { type: 'json' };

// What these insert has no event in the audit trail.
const INSERT_UNRECORDED_KEY = insertStatement('test_unrecorded_key_insert', ApiKeyEntity, { createdAt: 'now()' });
const INSERT_MEMBER = insertStatement('test_workspace_member_insert', WorkspaceMemberEntity, { createdAt: 'now()' });
const NOW = { createdAt: 'now()', updatedAt: 'now()' };
const INSERT_PRESET = insertStatement('test_preset_insert', PresetEntity, NOW);
const INSERT_PRESET_VERSION = insertStatement('test_preset_version_insert', PresetVersionEntity, NOW);

/** Creates test data, mostly through the production services. */
export class Factory {
  private readonly statements: Statements;
  private readonly installation: InstallationService;
  private count = 0;

  constructor(private readonly application: INestApplication) {
    this.statements = application.get(Statements);
    // On the pool: a connection of its own for each organization, as commands have it, takes longer than most tests.
    this.installation = new InstallationService(
      this.statements as unknown as BackgroundStatements,
      application.get(OrganizationsService),
      application.get(WorkspaceLookupService),
      application.get(KeysService),
      application.get(CatalogImportService),
    );
  }

  /** An organization with administrator, default workspace and management key. */
  organization(): Promise<NewOrganization> {
    const number = ++this.count;
    return this.installation.createOrganization({
      organizationName: `Organization ${number}`,
      name: `Administrator ${number}`,
      email: `administrator-${number}@example.com`,
    });
  }

  /** Creates an organization of which the audit trail knows nothing yet: for tests that are about the trail. */
  async unrecordedOrganization(): Promise<NewOrganization> {
    const organizations = this.application.get(OrganizationsService);
    const name = `Organization ${++this.count}`;
    const organizationId = await this.statements.transaction((tx) => organizations.create(tx, name));
    const userId = await this.member(organizationId, 'admin');
    const workspace = { name: 'Default', slug: 'default', isDefault: true, createdBy: userId };
    const workspaces = this.application.get(WorkspaceLookupService);
    const workspaceId = await this.statements.transaction((tx) => workspaces.create(tx, organizationId, workspace));
    const key = newKeyRow({ kind: 'management_key', organizationId, userId, name: 'Unrecorded' });
    await this.statements.write(INSERT_UNRECORDED_KEY, INSERT_UNRECORDED_KEY.values(key.row));
    return { organizationId, userId, workspaceId, managementKey: key.plaintext, managementKeyId: key.row.id };
  }

  member(organizationId: string, role: MemberRole = 'member'): Promise<string> {
    const number = ++this.count;
    const member = { name: `Member ${number}`, email: `member-${number}@example.com`, role };
    const organizations = this.application.get(OrganizationsService);
    return this.statements.transaction((tx) => organizations.addMember(tx, organizationId, member));
  }

  workspace({ organizationId, userId }: NewOrganization, slug = `workspace-${++this.count}`): Promise<string> {
    const workspace = { name: slug, slug, isDefault: false, createdBy: userId };
    const workspaces = this.application.get(WorkspaceLookupService);
    return this.statements.transaction((tx) => workspaces.create(tx, organizationId, workspace));
  }

  workspaceMember(organizationId: string, workspaceId: string, userId: string, role: MemberRole): Promise<number> {
    const sources = { role, manualRole: role, scimRole: null };
    const member = { id: newUuid(), organizationId, workspaceId, userId, ...sources };
    return this.statements.write(INSERT_MEMBER, INSERT_MEMBER.values(member));
  }

  async budget(organizationId: string, id: string, interval: BudgetInterval, limitUsd: number): Promise<void> {
    const administrator = administratorOf(organizationId, 'user_', id);
    const budgets = this.application.get(WorkspaceBudgetsService);
    await budgets.upsert(administrator, { id, interval, limit_usd: limitUsd });
  }

  /** An API key for inference, unless another kind is asked for. */
  key({ organizationId, userId }: NewOrganization, key: Partial<NewKey> = {}): Promise<IssuedCredential> {
    const keys = this.application.get(KeysService);
    const fields = { kind: 'api_key' as const, organizationId, userId, name: `Key ${++this.count}`, ...key };
    return keys.issue(COMMAND_LINE, fields);
  }

  client({ organizationId }: NewOrganization, callbackUrls: string[] = []): Promise<IssuedCredential> {
    const clients = this.application.get(ConnectClientsService);
    return clients.issue(COMMAND_LINE, organizationId, `Client ${++this.count}`, callbackUrls);
  }

  /** A token of the directory of an organization, which may have two. */
  provisioningToken(organizationId: string, expiresAt: Date | null = null): Promise<IssuedToken> {
    const tokens = this.application.get(ProvisioningTokensService);
    return tokens.issue(COMMAND_LINE, organizationId, { name: `Directory ${++this.count}`, issuer: null, expiresAt });
  }

  async guardrail(
    { organizationId, userId }: NewOrganization,
    guardrail: Partial<CreateGuardrailRequest> = {},
  ): Promise<Guardrail> {
    const request = { name: `Guardrail ${++this.count}`, ...guardrail };
    const caller = administratorOf(organizationId, userId, newUuid());
    return (await this.application.get(GuardrailsService).create(caller, request)).data;
  }

  async enableScim({ organizationId }: NewOrganization): Promise<void> {
    await this.application.get(OrganizationsService).enableScim(organizationId);
  }

  scimGroup({ organizationId }: NewOrganization): Promise<string> {
    const groups = this.application.get(ScimGroupsService);
    return groups.add(COMMAND_LINE, organizationId, { displayName: `Group ${++this.count}`, externalId: null });
  }

  /** Maps a group to a workspace. @returns the mapping's id */
  async scimMapping(organization: NewOrganization, groupId: string, workspaceId: string): Promise<string> {
    const { organizationId, userId } = organization;
    const caller = administratorOf(organizationId, userId, groupId);
    const pair = { scim_group_id: groupId, workspace_id: workspaceId };
    return (await this.application.get(ScimGroupMappingsService).createMapping(caller, pair)).data.id;
  }

  /** Puts members of the organization into a group. */
  async scimMembers({ organizationId }: NewOrganization, groupId: string, userIds: readonly string[]): Promise<void> {
    await this.application.get(ScimGroupsService).addMembers(COMMAND_LINE, organizationId, groupId, userIds);
  }

  /** @param versions the configuration of each version, from the first on */
  preset(
    { organizationId, userId }: NewOrganization,
    workspaceId: string,
    slug: string,
    versions: object[],
  ): Promise<string> {
    const active = { description: null, status: 'active' as const, statusUpdatedAt: null };
    const fields = { id: newUuid(), organizationId, workspaceId, slug, name: slug, creatorId: userId, ...active };
    const preset = { ...fields, newestVersion: versions.length };
    return this.statements.transaction(async (tx) => {
      await tx.write(INSERT_PRESET, INSERT_PRESET.values(preset));
      for (const [index, config] of versions.entries()) {
        const place = { organizationId, presetId: preset.id, version: index + 1 };
        const version = { id: newUuid(), creatorId: userId, config, systemPrompt: null, ...place };
        await tx.write(INSERT_PRESET_VERSION, INSERT_PRESET_VERSION.values(version));
      }
      return preset.id;
    });
  }

  destination(
    { organizationId, workspaceId }: NewOrganization,
    type: DestinationType,
    config: DestinationConfig,
  ): Promise<string> {
    const destination = { organizationId, workspaceId, name: `Destination ${++this.count}`, type, config };
    const observability = this.application.get(ObservabilityService);
    return this.statements.transaction(async (tx) => (await observability.store(tx, destination)).id);
  }

  /** A key of the organization's own for a well-known provider. @returns its id */
  providerKey({ organizationId, workspaceId }: NewOrganization, provider: string, key: string): Promise<string> {
    const keys = this.application.get(OwnKeysService);
    const place = { organizationId, workspaceId, provider };
    return this.statements.transaction(async (tx) => (await keys.store(tx, place, { key })).id);
  }

  async starterCatalog(): Promise<void> {
    await this.application.get(CatalogImportService).import([{ source: 'catalog/starter.json', content: starter }]);
  }

  /** The builtin provider's model for moderations, which the starter catalog lacks: its lists have no word for what the model gives. */
  async moderationModel(): Promise<void> {
    await this.application.get(OwnModelsService).add({
      id: 'gatehouse/echo-moderation',
      provider: 'gatehouse',
      contextLength: 8192,
      promptPrice: '0',
      completionPrice: '0',
      inputs: ['text', 'image'],
      outputs: ['moderation'],
      aliases: [],
    });
  }
}

/** A PKCE pair of the method S256 (RFC 7636). */
export function pkcePair(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}
