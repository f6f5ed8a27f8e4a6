import { Injectable } from '@nestjs/common';
import { statement } from '../../../persistence/statement.js';
import { Statements, type Transaction } from '../../../persistence/statements.js';
import type { ChangeableOrganizationSettings } from './organization-settings.dto.js';

const SETTINGS =
  'SELECT keys_of_deactivated_members, consent_by, consent_maximum_limit, is_filtered_model_catalog_enabled FROM organizations WHERE id = $1';

export const ORGANIZATION_SETTINGS = statement<ChangeableOrganizationSettings, [organizationId: string]>(
  'organization_settings',
  SETTINGS,
);

/** The settings, locked for a transaction that will change them: none deactivates members meanwhile. */
export const LOCK_ORGANIZATION_SETTINGS = statement<ChangeableOrganizationSettings, [organizationId: string]>(
  'organization_settings_lock',
  `${SETTINGS} FOR NO KEY UPDATE`,
);

/** Writes the settings of an organization. */
export const UPDATE_ORGANIZATION_SETTINGS = statement<
  never,
  [
    organizationId: string,
    keysOfDeactivated: string,
    consentBy: string,
    consentMaximumLimit: number | null,
    isFilteredModelCatalogEnabled: boolean,
  ]
>(
  'organization_settings_update',
  `UPDATE organizations SET keys_of_deactivated_members = $2, consent_by = $3, consent_maximum_limit = $4,
      is_filtered_model_catalog_enabled = $5
    WHERE id = $1`,
);

/** The settings in the rows of organizations. */
@Injectable()
export class OrganizationSettingsRepository {
  constructor(private readonly statements: Statements) {}

  async find(organizationId: string): Promise<ChangeableOrganizationSettings> {
    // The caller belongs to the organization, so it is there.
    return (await this.statements.first(ORGANIZATION_SETTINGS, [organizationId]))!;
  }

  async lock(tx: Transaction, organizationId: string): Promise<ChangeableOrganizationSettings> {
    return (await tx.first(LOCK_ORGANIZATION_SETTINGS, [organizationId]))!;
  }

  async update(tx: Transaction, organizationId: string, settings: ChangeableOrganizationSettings): Promise<void> {
    await tx.write(UPDATE_ORGANIZATION_SETTINGS, [
      organizationId,
      settings.keys_of_deactivated_members,
      settings.consent_by,
      settings.consent_maximum_limit,
      settings.is_filtered_model_catalog_enabled,
    ]);
  }
}
