import { Injectable } from '@nestjs/common';
import { ADMINISTRATOR } from '../../auth/roles.js';
import { BackgroundStatements } from '../../persistence/background-statements.js';
import { statement } from '../../persistence/statement.js';
import type { Transaction } from '../../persistence/statements.js';
import { COMMAND_LINE } from '../audit/audit-trail.js';
import { CatalogImportService } from '../catalog/import/catalog-import.service.js';
import { KeysService } from '../keys/keys.service.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import { WorkspaceLookupService } from '../workspaces/workspace-lookup.service.js';

/** The transaction-wide advisory lock under which a deployment is set up: any number, the same for every replica. */
const INSTALLATION_LOCK = 7_103_482_002;

/** Lets one replica at a time set the deployment up. */
export const LOCK_INSTALLATION = statement<object, [lock: number]>(
  'installation_lock',
  'SELECT pg_advisory_xact_lock($1)',
);

/** The first administrator of an organization. */
export interface Administrator {
  readonly organizationName: string;
  readonly name: string;
  readonly email: string;
}

/** A new organization. The management key is only known now. */
export interface NewOrganization {
  readonly organizationId: string;
  readonly userId: string;
  readonly workspaceId: string;
  readonly managementKey: string;
  /** The id of the key's row. */
  readonly managementKeyId: string;
}

type KeylessOrganization = Omit<NewOrganization, 'managementKey' | 'managementKeyId'>;

const FIRST_ADMINISTRATOR: Administrator = {
  organizationName: 'Default organization',
  name: 'Administrator',
  email: 'administrator@localhost',
};

/** Sets up deployments and organizations. */
@Injectable()
export class InstallationService {
  constructor(
    private readonly statements: BackgroundStatements,
    private readonly organizations: OrganizationsService,
    private readonly workspaces: WorkspaceLookupService,
    private readonly keys: KeysService,
    private readonly catalogImport: CatalogImportService,
  ) {}

  /**
   * Creates the first organization and the catalog of a deployment, if they do not exist; replicas that start at the same
   * time wait for each other.
   *
   * @param handOver gives the management key to the operator before the commit: if the start fails until then, nothing was created, and
   *   the next start creates an organization and its key. Without it no key is made
   * @returns whether the organization was created now
   */
  async ensure(handOver?: (created: NewOrganization) => Promise<void>): Promise<boolean> {
    const isCreated = await this.statements.transaction(async (tx) => {
      await tx.rows(LOCK_INSTALLATION, [INSTALLATION_LOCK]);
      if ((await this.organizations.first(tx)) !== undefined) return false;
      const created = await this.createWithin(tx, FIRST_ADMINISTRATOR);
      if (handOver !== undefined) await handOver(await this.withManagementKey(tx, created));
      return true;
    });
    await this.ensureCatalog();
    return isCreated;
  }

  /** Creates an organization with its administrator, default workspace and management key. */
  async createOrganization(administrator: Administrator): Promise<NewOrganization> {
    return this.statements.transaction(async (tx) =>
      this.withManagementKey(tx, await this.createWithin(tx, administrator)),
    );
  }

  /** Loads the starter catalog, if there is no catalog yet. */
  async ensureCatalog(): Promise<void> {
    if (!(await this.catalogImport.isEmpty())) return;
    const { default: starter } = await import('../../../catalog/starter.json', { with: { type: 'json' } });
    await this.catalogImport.import([{ source: 'catalog/starter.json', content: starter }]);
  }

  private async createWithin(tx: Transaction, administrator: Administrator): Promise<KeylessOrganization> {
    const { organizationName, name, email } = administrator;
    const organizationId = await this.organizations.create(tx, organizationName);
    const userId = await this.organizations.addMember(tx, organizationId, { name, email, role: ADMINISTRATOR });
    const workspaceId = await this.workspaces.create(tx, organizationId, {
      name: 'Default',
      slug: 'default',
      isDefault: true,
      createdBy: userId,
    });
    return { organizationId, userId, workspaceId };
  }

  private async withManagementKey(tx: Transaction, organization: KeylessOrganization): Promise<NewOrganization> {
    const { organizationId, userId } = organization;
    const firstKey = { kind: 'management_key', organizationId, userId, name: 'First management key' } as const;
    const key = await this.keys.issue(COMMAND_LINE, firstKey, tx);
    return { ...organization, managementKey: key.plaintext, managementKeyId: key.id };
  }
}
