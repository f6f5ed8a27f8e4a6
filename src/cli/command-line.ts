import { Command } from 'commander';
import { auditCommand } from './audit.command.js';
import { catalogCommand } from './catalog.command.js';
import { demoCommand } from './demo.command.js';
import { distributeCommand } from './distribute.command.js';
import { guardrailCommand } from './guardrail.command.js';
import { initCommand } from './init.command.js';
import { managementKeyCommand } from './management-key.command.js';
import { VERSION } from '../config/version.js';
import { memberCommand } from './member.command.js';
import { migrateCommand } from './migrate.command.js';
import { modelCommand } from './model.command.js';
import { organizationCommand } from './organization.command.js';
import { providerCommand } from './provider.command.js';
import { rotateEncryptionCommand } from './rotate-encryption.command.js';
import { scimCommand } from './scim.command.js';
import { signInLinkCommand } from './sign-in-link.command.js';

/** The command `gatehouse` with all of its commands (docs/operations.md). Nothing runs until it parses words. */
export function commandLine(): Command {
  return new Command('gatehouse')
    .description('Manages a Gatehouse deployment. Works while the service runs.')
    .version(VERSION, '-V, --version', 'print the version')
    .addCommand(initCommand())
    .addCommand(organizationCommand())
    .addCommand(memberCommand())
    .addCommand(managementKeyCommand())
    .addCommand(signInLinkCommand())
    .addCommand(catalogCommand())
    .addCommand(modelCommand())
    .addCommand(providerCommand())
    .addCommand(guardrailCommand())
    .addCommand(scimCommand())
    .addCommand(demoCommand())
    .addCommand(auditCommand())
    .addCommand(migrateCommand())
    .addCommand(rotateEncryptionCommand())
    .addCommand(distributeCommand());
}
