import type { INestApplicationContext } from '@nestjs/common';
import { Command } from 'commander';
import { DataSource } from 'typeorm';
import { OrganizationsService } from '../modules/organizations/organizations.service.js';
import { ScimService } from '../modules/scim/scim.service.js';
import { withApplicationContext } from './application-context.js';
import { printJson, printLines } from './output.js';
import { UsageError } from '../boot/usage-error.js';

interface ScimOptions {
  readonly organization?: string;
  readonly json?: boolean;
}

interface AddGroupOptions extends ScimOptions {
  readonly externalId?: string;
}

/** `gatehouse scim`: stands in for an identity provider, until one pushes groups itself. */
export function scimCommand(): Command {
  return new Command('scim')
    .description('groups of an identity provider')
    .addCommand(enableCommand())
    .addCommand(addGroupCommand());
}

function enableCommand(): Command {
  return withOrganization(new Command('enable'))
    .description('open the SCIM operations for an organization')
    .action(async ({ organization, json }: ScimOptions) => {
      const organizationId = await withApplicationContext(async (context) => {
        const id = await organizationIdOf(context, organization);
        await context.get(OrganizationsService).enableScim(id);
        return id;
      });
      if (json) printJson({ organization_id: organizationId, scim_enabled: true });
      else printLines(`SCIM is enabled for ${organizationId}.`);
    });
}

function addGroupCommand(): Command {
  return withOrganization(new Command('add-group'))
    .description('add a group, as an identity provider would push it')
    .argument('<name>', 'the display name')
    .option('--external-id <id>', "the identity provider's own id")
    .action(async (name: string, { organization, externalId, json }: AddGroupOptions) => {
      const made = await withApplicationContext(async (context) => {
        const organizationId = await organizationIdOf(context, organization);
        const { manager } = context.get(DataSource);
        const id = await context.get(ScimService).addGroup(manager, organizationId, name, externalId ?? null);
        return { id, organizationId };
      });
      if (json) printJson({ scim_group_id: made.id, organization_id: made.organizationId, display_name: name });
      else printLines(`Group ${made.id} is added to ${made.organizationId}.`);
    });
}

function withOrganization(command: Command): Command {
  return command
    .option('--organization <id>', 'the organization; when left out, the one that was made first')
    .option('--json', 'print one JSON object');
}

async function organizationIdOf(context: INestApplicationContext, requested: string | undefined): Promise<string> {
  const organizations = context.get(OrganizationsService);
  const organization = requested === undefined ? await organizations.first() : await organizations.find(requested);
  if (organization === null) {
    throw new UsageError(requested === undefined ? 'There is no organization yet.' : `There is no ${requested}.`);
  }
  return organization.id;
}
