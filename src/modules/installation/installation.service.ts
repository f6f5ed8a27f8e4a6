import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { UNHURRIED } from '../../database/unhurried.js';
import { COMMAND_LINE } from '../audit/audit-trail.js';
import { CatalogImportService } from '../catalog/import/catalog-import.service.js';
import { KeysService } from '../keys/keys.service.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import { WorkspacesService } from '../workspaces/workspaces.service.js';

/** The transaction-wide advisory lock under which a deployment is set up: any number, the same for every replica. */
const INSTALLATION_LOCK = 7_103_482_002;

/** Who runs an organization. */
export interface Administrator {
  readonly organizationName: string;
  readonly name: string;
  readonly email: string;
}

/** An organization that was just made. The management key is known this once. */
export interface NewOrganization {
  readonly organizationId: string;
  readonly userId: string;
  readonly workspaceId: string;
  readonly managementKey: string;
  /** The row of that key, as whose holder the administrator acts. */
  readonly managementKeyId: string;
}

const FIRST_ADMINISTRATOR: Administrator = {
  organizationName: 'Default organization',
  name: 'Administrator',
  email: 'administrator@localhost',
};

/** Sets deployments and organizations up. */
@Injectable()
export class InstallationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly organizations: OrganizationsService,
    private readonly workspaces: WorkspacesService,
    private readonly keys: KeysService,
    private readonly catalogImport: CatalogImportService,
  ) {}

  /**
   * Makes sure that a deployment has an organization and a catalog; replicas that start at once wait for each other.
   *
   * @param show gives the management key to the operator, before anything is committed: a start that is killed or fails
   *   until then has created nothing, and the next one creates an organization and shows its key
   * @returns whether the organization was created now
   */
  async ensure(show: (created: NewOrganization) => Promise<void>): Promise<boolean> {
    const isCreated = await this.dataSource.transaction(async (manager) => {
      await manager.query(UNHURRIED);
      await manager.query('SELECT pg_advisory_xact_lock($1)', [INSTALLATION_LOCK]);
      if ((await this.organizations.first()) !== null) return false;
      await show(await this.createWithin(manager, FIRST_ADMINISTRATOR));
      return true;
    });
    await this.ensureCatalog();
    return isCreated;
  }

  /** Makes an organization with its administrator, default workspace and management key. */
  async createOrganization(administrator: Administrator): Promise<NewOrganization> {
    return this.dataSource.transaction((manager) => this.createWithin(manager, administrator));
  }

  /** Loads the starter catalog, where there is no catalog yet. */
  async ensureCatalog(): Promise<void> {
    if (!(await this.catalogImport.isEmpty())) return;
    const { default: starter } = await import('../../../catalog/starter.json', { with: { type: 'json' } });
    await this.catalogImport.import([{ source: 'catalog/starter.json', content: starter }]);
  }

  private async createWithin(manager: EntityManager, administrator: Administrator): Promise<NewOrganization> {
    const { organizationName, name, email } = administrator;
    const organizationId = await this.organizations.create(manager, organizationName);
    const userId = await this.organizations.addMember(manager, organizationId, { name, email, role: 'admin' });
    const workspaceId = await this.workspaces.create(manager, organizationId, {
      name: 'Default',
      slug: 'default',
      isDefault: true,
      createdBy: userId,
    });
    const firstKey = { kind: 'management_key', organizationId, userId, name: 'First management key' } as const;
    const key = await this.keys.issueWithin(manager, COMMAND_LINE, firstKey);
    return { organizationId, userId, workspaceId, managementKey: key.plaintext, managementKeyId: key.id };
  }
}
