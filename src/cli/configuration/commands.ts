import { Command, InvalidArgumentError } from 'commander';
import { stringify } from 'yaml';
import { valueOfVariable } from '../../bootstrap/load-environment.js';
import { UsageError } from '../../bootstrap/usage-error.js';
import type { PlanConfigurationRequest } from '../../modules/configuration/dto/configuration.dto.js';
import type { ConfigurationFiles } from '../../modules/configuration/files/configuration-files.js';
import { refusalInWords } from '../../modules/configuration/files/refusal-in-words.js';
import { readSecrets } from '../../modules/configuration/files/secrets-of-files.js';
import type { ConfigurationPlan } from '../../modules/configuration/plan/configuration-plan.js';
import { issueSecret } from '../../modules/keys/credentials/key-format.js';
import { Refused } from '../interface/refused.js';
import { offlineApplication } from '../offline-application.js';
import { type OrganizationOptions, withOrganization } from '../organization-option.js';
import { type JsonOption, printResult, withJson } from '../output.js';
import { type ConfigurationServer, withConfigurationServer } from './configuration-server.js';
import { filesOfCaller, inUsage } from './files-of-caller.js';
import { issuesOf } from './offline-check.js';
import { NewSecretFiles, SECRETS_OF_CALLER } from './secret-sources.js';
import { describePlan } from './shown-plan.js';

/** The exit code of a plan that would change something. */
const DIFFERS = 2;

interface FileOptions {
  readonly file: readonly string[];
  readonly vars?: string;
}

interface PlanOptions extends FileOptions, OrganizationOptions {
  readonly prune?: boolean;
  readonly cascade?: boolean;
  readonly adopt?: boolean;
}

interface DiffOptions extends PlanOptions {
  readonly replay?: number;
}

interface ApplyOptions extends PlanOptions {
  readonly revision?: string;
}

/** `gatehouse validate`: checks files without a database (docs/configuration.md#commands). */
export function validateCommand(): Command {
  return withJson(withFiles(new Command('validate'))).action(async (options: FileOptions & JsonOption) => {
    const files = await filesOfCaller(options.file, options.vars);
    const issues = await issuesOf(files.files);
    if (issues.length > 0) throw new UsageError(files.explain(issues));
    const objects = files.entries().length;
    printResult(options, { objects }, `The files are right: ${objects} objects.`);
  });
}

/** `gatehouse schema`: prints the JSON Schema of files, for editors (docs/configuration.md#editors). */
export function schemaCommand(): Command {
  return new Command('schema').action(async () => {
    // With the command that needs it: others begin sooner without it.
    const { schemaText } = await import('./schema-text.js');
    process.stdout.write(schemaText(await offlineApplication()));
  });
}

/** `gatehouse diff`: says what applying files would do (docs/configuration.md#plans). */
export function diffCommand(): Command {
  return withPlan(new Command('diff'))
    .option('--adopt', 'as if objects of these names that were made by other means were adopted')
    .option(
      '--replay <hours>',
      'what changed guardrails and limits would have refused of the requests of this time, as 24h (up to 168h)',
      hoursOf,
    )
    .action(async ({ organization, ...options }: DiffOptions) => {
      const files = await filesOfCaller(options.file, options.vars);
      const input = {
        ...requestOf(files, options),
        secrets: await inUsage(() => readSecrets(files, SECRETS_OF_CALLER)),
        ...(options.replay !== undefined && { replay_hours: options.replay }),
      };
      const plan = await explaining(files, () =>
        withConfigurationServer(organization, async (server) => (await server.plan(input)).data as ConfigurationPlan),
      );
      printResult(options, plan, ...describePlan(plan));
      if (plan.changes.length + plan.conflicts.length > 0) process.exitCode = DIFFERS;
    });
}

/** `gatehouse apply`: makes what there is that of files, all or nothing (docs/configuration.md#plans). */
export function applyCommand(): Command {
  return applying(new Command('apply'), false);
}

/** `gatehouse adopt`: applies files, and takes over what was made by other means (docs/configuration.md#owners). */
export function adoptCommand(): Command {
  return applying(new Command('adopt'), true);
}

/** `gatehouse export`: prints what there is as a file (docs/configuration.md#commands). */
export function exportCommand(): Command {
  return withOrganization(new Command('export'))
    .option('--owner <owner>', 'only what files of this owner configure')
    .option('--workspace <slug>', 'only what is in this workspace')
    .action(async ({ organization, owner, workspace, ...options }: ExportOptions) => {
      const scope = { ...(owner !== undefined && { owner }), ...(workspace !== undefined && { workspace }) };
      const { document } = await explaining(undefined, () =>
        withConfigurationServer(organization, async (server) => (await server.export(scope)).data),
      );
      printResult(options, document, stringify(document, { lineWidth: 0 }).trimEnd());
    });
}

interface ExportOptions extends OrganizationOptions {
  readonly owner?: string;
  readonly workspace?: string;
}

/** `gatehouse key-secret`: prints a secret for a new key, for `secret_from` (docs/configuration.md#keys). */
export function keySecretCommand(): Command {
  return withOrganization(new Command('key-secret')).action(
    async ({ organization, ...options }: OrganizationOptions) => {
      const organizationId = await explaining(undefined, () =>
        withConfigurationServer(organization, (server) => server.organizationId()),
      );
      const { plaintext: key } = issueSecret('api_key', organizationId);
      printResult(options, { key }, key);
    },
  );
}

function applying(command: Command, adopt: boolean): Command {
  return withPlan(command)
    .option('--revision <text>', 'what the files are from, as a commit (default: GITHUB_SHA or CI_COMMIT_SHA)')
    .action(async ({ organization, ...options }: ApplyOptions) => {
      const files = await filesOfCaller(options.file, options.vars);
      const secrets = await inUsage(() => readSecrets(files, SECRETS_OF_CALLER));
      const input = { ...requestOf(files, { ...options, adopt }), secrets };
      await explaining(files, () =>
        withConfigurationServer(organization, (server) => planAndApply(server, files, input, options)),
      );
    });
}

/** Applies exactly the plan that it shows. */
async function planAndApply(
  server: ConfigurationServer,
  files: ConfigurationFiles,
  input: PlanConfigurationRequest,
  options: ApplyOptions,
): Promise<void> {
  const plan = (await server.plan(input)).data as ConfigurationPlan;
  if (options.json !== true) process.stdout.write(`${describePlan(plan).join('\n')}\n`);
  if (plan.conflicts.length > 0) throw new UsageError(refusalInWords({ conflicts: plan.conflicts }, undefined));
  const revision = options.revision ?? valueOfVariable('GITHUB_SHA') ?? valueOfVariable('CI_COMMIT_SHA');
  const written = await NewSecretFiles.write(files, plan.changes, () => server.organizationId());
  const applied = await appliedOr(written, () =>
    server.apply({
      ...input,
      secrets: { ...input.secrets, ...written.secrets },
      plan_id: plan.id,
      ...(revision !== undefined && { revision }),
    }),
  );
  printResult(
    options,
    applied,
    applied.was_applied ? 'This plan had been applied already.' : 'Applied.',
    ...written.names.map((file) => `The secret of a new key is in ${file}`),
    ...applied.new_keys.map(({ workspace, name, key }) => `New key ${workspace ?? 'default'}/${name}: ${key}`),
  );
}

/**
 * Runs the request, and removes the secrets of new keys when it is refused. They stay where it is not known whether it was done, because
 * the keys may be there.
 */
async function appliedOr<Data>(written: NewSecretFiles, apply: () => Promise<{ readonly data: Data }>): Promise<Data> {
  try {
    return (await apply()).data;
  } catch (error) {
    if (error instanceof Refused) await written.remove();
    else if (written.names.length > 0) {
      process.stderr.write(
        `It is not known whether it was applied. Run diff: if it still creates the keys, remove ${written.names.join(', ')} first.\n`,
      );
    }
    throw error;
  }
}

/** @throws UsageError in place of a refusal: it names files and lines */
async function explaining<T>(files: ConfigurationFiles | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const explanation = refusalInWords(error.metadata, files);
    throw new UsageError(explanation === '' ? error.explanation : explanation);
  }
}

function requestOf(files: ConfigurationFiles, { prune, cascade, adopt }: PlanOptions): PlanConfigurationRequest {
  return {
    files: files.files as PlanConfigurationRequest['files'],
    ...(prune === true && { prune }),
    ...(cascade === true && { cascade }),
    ...(adopt === true && { adopt }),
  };
}

/** @throws InvalidArgumentError for what is no number of hours */
function hoursOf(text: string): number {
  const [, hours] = /^([1-9]\d{0,2})h$/.exec(text) ?? [];
  if (hours !== undefined) return Number(hours);
  throw new InvalidArgumentError('It is a number of hours, as 24h.');
}

function withFiles(command: Command): Command {
  return command
    .requiredOption(
      '-f, --file <path>',
      'a file, - for standard input, or a directory with *.yaml, *.yml and *.json; may be given several times',
      (value: string, before: readonly string[] | undefined) => [...(before ?? []), value],
    )
    .option('--vars <file>', 'a file with the values of {var: NAME}');
}

function withPlan(command: Command): Command {
  return withOrganization(withFiles(command))
    .option('--prune', 'delete objects of the owner that no file has any more')
    .option('--cascade', 'delete them although something depends on them');
}
