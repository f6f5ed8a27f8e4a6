import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../../auth/principal.js';
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
  ) {}

  async get({ organizationId }: ManagementPrincipal): Promise<OrganizationSettingsResponse> {
    return shown(organizationId, await this.repository.find(organizationId));
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
      };
      const changes = updated({ ...before }, wanted);
      if (Object.keys(changes).length > 0) {
        await this.repository.update(tx, organizationId, wanted);
        const event = { action: 'organization.update_settings', targetId: organizationId, changes };
        await this.audit.record(tx, organizationId, caller, event);
        if ('keys_of_deactivated_members' in changes) await this.hooks.settingsChanged(tx, caller, organizationId);
      }
      return shown(organizationId, wanted);
    });
  }
}

/** The answer that shows the settings of an organization, whose list of models is never filtered. */
function shown(id: string, settings: ChangeableOrganizationSettings): OrganizationSettingsResponse {
  return { data: { ...settings, id, is_filtered_model_catalog_enabled: false } };
}
