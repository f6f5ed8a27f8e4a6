import { Command } from 'commander';
import { VERSION } from '../config/version.js';

/** A command by its name, with what the help says of it, and how it is loaded. */
type ListedCommand = readonly [name: string, description: string, load: () => Promise<Command>];

/** All commands, in the order of the help. */
const COMMANDS: readonly ListedCommand[] = [
  [
    'init',
    'create an organization with its administrator, its default workspace and a management key',
    async () => (await import('./init.command.js')).initCommand(),
  ],
  [
    'organization',
    'the organizations of the deployment',
    async () => (await import('./organization.command.js')).organizationCommand(),
  ],
  ['member', 'the members of an organization', async () => (await import('./member.command.js')).memberCommand()],
  [
    'management-key',
    'create another management key for an organization',
    async () => (await import('./management-key.command.js')).managementKeyCommand(),
  ],
  [
    'sign-in-link',
    'make a link that signs a member in to the console once, within ten minutes',
    async () => (await import('./sign-in-link.command.js')).signInLinkCommand(),
  ],
  ['catalog', 'manage the catalog of models', async () => (await import('./catalog.command.js')).catalogCommand()],
  [
    'model',
    'add models of your own to the catalog, list and remove them',
    async () => (await import('./model.command.js')).modelCommand(),
  ],
  [
    'provider',
    'manage the connections of the deployment to providers',
    async () => (await import('./provider.command.js')).providerCommand(),
  ],
  [
    'guardrail',
    'try guardrails before they are assigned',
    async () => (await import('./guardrail.command.js')).guardrailCommand(),
  ],
  [
    'validate',
    'check configuration files, without a database',
    async () => (await import('./configuration/commands.js')).validateCommand(),
  ],
  [
    'schema',
    'print the JSON Schema of configuration files, for editors',
    async () => (await import('./configuration/commands.js')).schemaCommand(),
  ],
  [
    'diff',
    'say what applying configuration files would do',
    async () => (await import('./configuration/commands.js')).diffCommand(),
  ],
  [
    'apply',
    'make what there is that of configuration files, all or nothing',
    async () => (await import('./configuration/commands.js')).applyCommand(),
  ],
  [
    'adopt',
    'apply configuration files, and take over what was made by other means',
    async () => (await import('./configuration/commands.js')).adoptCommand(),
  ],
  [
    'export',
    'print what there is as a configuration file',
    async () => (await import('./configuration/commands.js')).exportCommand(),
  ],
  [
    'key-secret',
    'print a secret for a new API key',
    async () => (await import('./configuration/commands.js')).keySecretCommand(),
  ],
  [
    'import',
    'make a configuration file of that of another gateway, without a database',
    async () => (await import('./import.command.js')).importCommand(),
  ],
  [
    'scim',
    'manage groups in place of an identity provider',
    async () => (await import('./scim.command.js')).scimCommand(),
  ],
  [
    'demo',
    'create the objects that are needed to call every operation, new ones each time, and print them',
    async () => (await import('./demo.command.js')).demoCommand(),
  ],
  ['audit', 'read and check the audit trail', async () => (await import('./audit.command.js')).auditCommand()],
  [
    'migrate',
    'run the pending migrations of the database, and grant the role of the service what it needs',
    async () => (await import('./migrate.command.js')).migrateCommand(),
  ],
  [
    'rotate-encryption',
    'encrypt all stored credentials with the first key of ENCRYPTION_KEY',
    async () => (await import('./rotate-encryption.command.js')).rotateEncryptionCommand(),
  ],
  [
    'distribute',
    'distribute the tables of a database with the extension citus by organization, or print the plan for it',
    async () => (await import('./distribute.command.js')).distributeCommand(),
  ],
  [
    'completion',
    'print the script with which a shell completes the words of this command',
    async () => (await import('./completion/completion.command.js')).completionCommand(() => withCommands(() => true)),
  ],
];

/**
 * The command `gatehouse` (docs/operations.md). Nothing runs until it parses words.
 *
 * @param words those that it is going to parse: only the command that they name is loaded, because each needs much of the service
 */
export async function commandLine(words: readonly string[]): Promise<Command> {
  const [first, second] = words.filter((word) => !word.startsWith('-'));
  const named = first === 'help' ? second : first;
  return withCommands((name) => name === named);
}

/** @param isLoaded whether a command is loaded with its options; any other has its name alone */
async function withCommands(isLoaded: (name: string) => boolean): Promise<Command> {
  const program = new Command('gatehouse')
    .description('Manages a Gatehouse deployment. Works while the service runs.')
    .version(VERSION, '-V, --version', 'print the version');
  for (const [name, description, load] of COMMANDS) {
    const command = isLoaded(name) ? await load() : new Command(name);
    program.addCommand(command.description(description));
  }
  return program;
}
