import { once } from 'node:events';
import { Command, InvalidArgumentError, Option } from 'commander';
import { UsageError } from '../bootstrap/usage-error.js';
import {
  type Anchor,
  AuditVerificationService,
  type ChainIssue,
  type ChainReport,
  type UncheckedChain,
} from '../modules/audit/audit-verification.service.js';
import { AuditExportService } from '../modules/audit/export/audit-export.service.js';
import { auditSearchOf, AuditService } from '../modules/audit/audit.service.js';
import { DEPLOYMENT_CHAIN } from '../modules/audit/deployment-trail.service.js';
import { OrganizationsService } from '../modules/organizations/organizations.service.js';
import { withApplicationContext } from './application-context.js';
import { eitherWay, type EitherWayOnOrganization, explaining } from './interface/either-way.js';
import { type JsonOption, printResult, withJson } from './output.js';

/** A sequence and a hash, in the form that the command prints. */
const ANCHOR = /^([1-9][0-9]{0,17}):([0-9a-f]{64})$/i;

/** The most events that one run lists. */
const MAXIMUM_LISTED = 100;

/** The most characters of the changes of an event in a line for people: an import has thousands. */
const MAXIMUM_SHOWN = 200;

interface ListOptions extends JsonOption {
  readonly deployment?: boolean;
  readonly organization?: string;
  readonly action?: string;
  readonly limit: number;
  readonly offset: number;
}

interface VerifyOptions extends JsonOption {
  readonly organization?: string;
  readonly expect: readonly Anchor[];
}

/** `gatehouse audit`: commands for the audit trail. */
export function auditCommand(): Command {
  return new Command('audit').addCommand(listCommand()).addCommand(exportCommand()).addCommand(verifyCommand());
}

interface ExportOptions {
  readonly deployment?: boolean;
  readonly organization?: string;
  readonly action?: string;
  readonly after: number;
}

function exportCommand(): Command {
  return new Command('export')
    .description('print the events of a chain as one JSON object a line, oldest first')
    .addOption(new Option('--deployment', 'what this command has done to the deployment').conflicts('organization'))
    .option('--organization <id>', 'the events of this organization; at a server they are those of the key')
    .option('--action <action>', 'only events with this action, such as provider.connect')
    .addOption(new Option('--after <sequence>', 'only events behind this one').argParser(number).default(0))
    .action(async ({ deployment, organization, action, after }: ExportOptions) => {
      await onChain(
        { deployment, organization },
        {
          byInterface: (server) => print(server.pieces('exportAuditEvents', { query: { action, after } })),
          byDatabase: (context, chain) =>
            print(context.get(AuditExportService).pieces(chain, auditSearchOf({ action }), String(after))),
        },
      );
    });
}

async function print(pieces: AsyncIterable<string | Uint8Array>): Promise<void> {
  for await (const piece of pieces) {
    if (!process.stdout.write(piece)) await once(process.stdout, 'drain');
  }
}

/**
 * Works with a chain: at a server with that of the organization of the key, as only the database has that of the deployment.
 *
 * @throws UsageError where no chain is named, and where GATEHOUSE_URL is set for that of the deployment
 */
async function onChain<T>(
  { deployment, organization }: Pick<ListOptions, 'deployment' | 'organization'>,
  { byInterface, byDatabase }: EitherWayOnOrganization<T>,
): Promise<T> {
  if (deployment === true) return withApplicationContext((context) => byDatabase(context, DEPLOYMENT_CHAIN));
  return explaining({}, () =>
    eitherWay(organization, {
      byInterface,
      byDatabase: () => {
        if (organization === undefined) throw new UsageError('Which chain? --deployment or --organization <id>.');
        return withApplicationContext((context) => byDatabase(context, organization));
      },
    }),
  );
}

function listCommand(): Command {
  return withJson(new Command('list'))
    .description('list the events of a chain, oldest first')
    .addOption(
      new Option(
        '--deployment',
        'what this command has done to the deployment, such as to its providers and its catalog',
      ).conflicts('organization'),
    )
    .option('--organization <id>', 'the events of this organization; at a server they are those of the key')
    .option('--action <action>', 'only events with this action, such as provider.connect')
    .addOption(new Option('--limit <number>', 'how many events').argParser(number).default(MAXIMUM_LISTED))
    .addOption(new Option('--offset <number>', 'how many events before are left out').argParser(number).default(0))
    .action(async ({ deployment, organization, action, limit, offset, ...options }: ListOptions) => {
      const { data, total } = await onChain(
        { deployment, organization },
        {
          byInterface: async (server) => {
            const { items, total: count } = await server.list('listAuditEvents', { action }, { offset, limit });
            return { data: items, total: count };
          },
          byDatabase: async (context, chain) => {
            const page = await context.get(AuditService).listChain(chain, { action, limit, offset });
            const isKnown = deployment === true || (await context.get(OrganizationsService).find(chain)) !== undefined;
            // A chain outlives its organization.
            if (!isKnown && page.total_count === 0) throw new UsageError(`There is no ${chain}.`);
            return { data: page.data, total: page.total_count };
          },
        },
      );
      const lines = data.map(({ sequence, created_at: time, actor, action: done, target, changes }) =>
        [sequence, time, actor.id ?? actor.kind, done, target.id, shown(JSON.stringify(changes ?? {}))].join('  '),
      );
      const rest = total - offset - data.length;
      printResult(
        options,
        { events: data, total_count: total },
        ...(data.length === 0 ? ['There is no event.'] : lines),
        ...(rest > 0 ? [`and ${rest} more: --offset ${offset + data.length}`] : []),
      );
    });
}

function shown(changes: string): string {
  return changes.length <= MAXIMUM_SHOWN ? changes : `${changes.slice(0, MAXIMUM_SHOWN)}... (all of it: --json)`;
}

function number(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It is a number from 0.');
  return Number(text);
}

function verifyCommand(): Command {
  return withJson(new Command('verify'))
    .description(
      'check that no event was changed, removed or inserted; the exit code is 1 if one was, or if a chain cannot be checked',
    )
    .option('--organization <id>', 'only this organization')
    .addOption(
      new Option(
        '--expect <sequence:hash>',
        'a sequence and hash that an earlier run printed for the organization; may be repeated',
      )
        .argParser(anchors)
        .default([], 'none'),
    )
    .action(async ({ organization, expect, ...options }: VerifyOptions) => {
      if (expect.length > 0 && organization === undefined) {
        throw new UsageError('--expect needs --organization, because every organization has its own chain.');
      }
      const { unguarded, signsOfRemovedChains, chains } = await verify(organization, expect);
      const unchecked = chains.filter(isUnchecked).length;
      const broken = chains.filter((chain) => isUnchecked(chain) || chain.issues.length > 0).length;
      const isEmpty = chains.length === 0 && signsOfRemovedChains.length === 0;
      const isIntact = broken === 0 && unguarded.length === 0 && signsOfRemovedChains.length === 0;
      printResult(
        options,
        {
          intact: isIntact,
          unguarded,
          signs_of_removed_chains: signsOfRemovedChains,
          organizations: chains.map(toJson),
        },
        ...unguarded.map((message) => `The tables are not guarded: ${message}`),
        ...signsOfRemovedChains.map((message) => `All chains and organizations are gone: ${message}`),
        ...(isEmpty ? ['There is no organization yet.'] : chains.flatMap(describe)),
      );
      if (isIntact) return;
      const counts = broken === 0 ? '' : `: ${broken} of ${chains.length} organizations`;
      const others = unchecked === 0 ? '' : ` (${unchecked} could not be checked)`;
      throw new UsageError(`The audit trail is not intact${counts}${others}.`);
    });
}

function anchors(text: string, others: readonly Anchor[]): Anchor[] {
  const [, sequence, hash] = ANCHOR.exec(text) ?? [];
  if (sequence === undefined || hash === undefined) {
    throw new InvalidArgumentError('The form is a sequence, a colon and a hash of 64 hexadecimal digits.');
  }
  return [...others, { sequence, hash: hash.toLowerCase() }];
}

interface TrailReport {
  /** What is wrong with the triggers that protect the tables. */
  readonly unguarded: readonly string[];
  /** Signs of removed chains, in a database without chains and organizations. */
  readonly signsOfRemovedChains: readonly string[];
  readonly chains: readonly (ChainReport | UncheckedChain)[];
}

function verify(organization: string | undefined, expected: readonly Anchor[]): Promise<TrailReport> {
  return withApplicationContext(async (context) => {
    const verification = context.get(AuditVerificationService);
    const unguarded = await verification.guardIssues();
    if (organization === undefined) {
      const chains: (ChainReport | UncheckedChain)[] = [];
      for await (const chain of verification.verifyAll()) chains.push(chain);
      const signsOfRemovedChains = chains.length === 0 ? await verification.signsOfRemovedChains() : [];
      return { unguarded, signsOfRemovedChains, chains };
    }
    const chain = await verification.tryToVerify(organization, expected);
    const isKnown = isUnchecked(chain) || chain.events !== '0' || chain.issues.length > 0;
    // A chain outlives its organization; for a mistyped id there is neither.
    if (!isKnown && (await context.get(OrganizationsService).find(organization)) === undefined) {
      throw new UsageError(`There is no ${organization}.`);
    }
    return { unguarded, signsOfRemovedChains: [], chains: [chain] };
  });
}

function isUnchecked(chain: ChainReport | UncheckedChain): chain is UncheckedChain {
  return 'cause' in chain;
}

function describe(chain: ChainReport | UncheckedChain): string[] {
  if (isUnchecked(chain)) return [`${chain.organizationId}: could not be checked: ${chain.cause}`];
  const { organizationId, events, hash, issues, omittedIssues } = chain;
  const end = events === '0' ? '' : `, ${events}:${hash}`;
  return [
    `${organizationId}: ${events} events${end}${issues.length === 0 ? ', intact' : ''}`,
    ...issues.map(({ kind, sequence, eventId, message }) =>
      ['  ', kind, sequence && ` at ${sequence}`, eventId && ` (${eventId})`, `: ${message}`].filter(Boolean).join(''),
    ),
    ...(omittedIssues > 0 ? [`  and ${omittedIssues} more`] : []),
  ];
}

function toJson(chain: ChainReport | UncheckedChain): object {
  if (isUnchecked(chain)) return { organization_id: chain.organizationId, unchecked: chain.cause };
  const { organizationId, events, hash, issues, omittedIssues } = chain;
  return {
    organization_id: organizationId,
    events: Number(events),
    hash,
    issues: issues.map(issueToJson),
    omitted_issues: omittedIssues,
  };
}

function issueToJson({ kind, sequence, eventId, message }: ChainIssue): object {
  return {
    kind,
    ...(sequence !== undefined && { sequence: Number(sequence) }),
    ...(eventId !== undefined && { event_id: eventId }),
    message,
  };
}
