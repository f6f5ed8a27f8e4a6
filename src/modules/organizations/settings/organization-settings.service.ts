import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { Dialect } from '../../../http/dialect/dialect.js';
import { Statements } from '../../../persistence/statements.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { updated } from '../../audit/audited-event.js';
import { MemberHooks } from '../members/member-hooks.js';
import type {
  ChangeableOrganizationSettings,
  OrganizationSettingsResponse,
  UpdateOrganizationSettingsRequest,
} from './organization-settings.dto.js';
import { OrganizationSettingsRepository } from './organization-settings.repository.js';

/** The settings of organizations (docs/interface/members.md#settings, docs/interface/consent.md#settings). */
@Injectable()
export class OrganizationSettingsService {
  constructor(
    private readonly repository: OrganizationSettingsRepository,
    private readonly hooks: MemberHooks,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
    private readonly dialect: Dialect,
  ) {}

  /** Whether the organization's list of models has only what the policy of the caller's key permits. */
  async filtersModels(organizationId: string): Promise<boolean> {
    return this.dialect.isPublic && (await this.repository.find(organizationId)).is_filtered_model_catalog_enabled;
  }

  async get({ organizationId }: ManagementPrincipal): Promise<OrganizationSettingsResponse> {
    return this.shown(organizationId, await this.repository.find(organizationId));
  }

  /** Changes settings, with what follows for members who are deactivated. Absent fields stay; without a change nothing is written. */
  async update(
    caller: ManagementPrincipal,
    input: UpdateOrganizationSettingsRequest,
  ): Promise<OrganizationSettingsResponse> {
    const { organizationId } = caller;
    return this.statements.transaction(async (tx) => {
      const before = { ...(await this.repository.lock(tx, organizationId)) };
      const { consent_maximum_limit: maximum } = input;
      const wanted = {
        keys_of_deactivated_members: input.keys_of_deactivated_members ?? before.keys_of_deactivated_members,
        consent_by: input.consent_by ?? before.consent_by,
        consent_maximum_limit: maximum === undefined ? before.consent_maximum_limit : maximum,
        is_filtered_model_catalog_enabled:
          input.is_filtered_model_catalog_enabled ?? before.is_filtered_model_catalog_enabled,
      };
      const changes = updated({ ...before }, wanted);
      if (Object.keys(changes).length > 0) {
        await this.repository.update(tx, organizationId, wanted);
        const event = { action: 'organization.update_settings', targetId: organizationId, changes };
        await this.audit.record(tx, organizationId, caller, event);
        if ('keys_of_deactivated_members' in changes) await this.hooks.settingsChanged(tx, caller, organizationId);
      }
      return this.shown(organizationId, wanted);
    });
  }

  /** The answer that shows settings. In the default dialect no list of models is filtered. */
  private shown(id: string, settings: ChangeableOrganizationSettings): OrganizationSettingsResponse {
    const isFiltered = this.dialect.isPublic && settings.is_filtered_model_catalog_enabled;
    return { data: { ...settings, id, is_filtered_model_catalog_enabled: isFiltered } };
  }
}
