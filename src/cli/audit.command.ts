import { Command, InvalidArgumentError } from 'commander';
import { UsageError } from '../boot/usage-error.js';
import {
  type Anchor,
  AuditVerificationService,
  type ChainFault,
  type ChainReport,
} from '../modules/audit/audit-verification.service.js';
import { OrganizationsService } from '../modules/organizations/organizations.service.js';
import { withApplicationContext } from './application-context.js';
import { printJson, printLines } from './output.js';

/** A sequence and a hash, as the command itself prints them. */
const ANCHOR = /^([1-9][0-9]{0,17}):([0-9a-f]{64})$/i;

interface VerifyOptions {
  readonly organization?: string;
  readonly expect: readonly Anchor[];
  readonly json?: boolean;
}

/** `gatehouse audit`: what was done. */
export function auditCommand(): Command {
  return new Command('audit').description('who did what').addCommand(verifyCommand());
}

function verifyCommand(): Command {
  return new Command('verify')
    .description('check that no event has been changed, removed or slipped in; exit code 1 when one has')
    .option('--organization <id>', 'only this organization')
    .option(
      '--expect <sequence:hash>',
      'what an earlier run has printed of that organization; may be repeated',
      anchors,
      [],
    )
    .option('--json', 'print one JSON object')
    .action(async ({ organization, expect, json }: VerifyOptions) => {
      if (expect.length > 0 && organization === undefined) {
        throw new UsageError('--expect needs --organization: every organization has a chain of its own.');
      }
      const reports = await verify(organization, expect);
      const broken = reports.filter(({ faults }) => faults.length > 0).length;
      if (json) printJson({ intact: broken === 0, organizations: reports.map(toJson) });
      else printLines(...(reports.length > 0 ? reports.flatMap(describe) : ['There is no event yet.']));
      if (broken > 0) throw new UsageError(`The audit trail is not intact: ${broken} of ${reports.length}.`);
    });
}

function anchors(text: string, others: readonly Anchor[]): Anchor[] {
  const [, sequence, hash] = ANCHOR.exec(text) ?? [];
  if (sequence === undefined || hash === undefined) {
    throw new InvalidArgumentError('A sequence, a colon and a hash of 64 hexadecimal digits.');
  }
  return [...others, { sequence, hash: hash.toLowerCase() }];
}

function verify(organization: string | undefined, expected: readonly Anchor[]): Promise<ChainReport[]> {
  return withApplicationContext(async (context) => {
    const verification = context.get(AuditVerificationService);
    if (organization !== undefined) {
      const report = await verification.verify(organization, expected);
      const isKnown = report.events !== '0' || report.faults.length > 0;
      // A chain outlives its organization; a slip of the pen has neither.
      if (!isKnown && (await context.get(OrganizationsService).find(organization)) === null) {
        throw new UsageError(`There is no ${organization}.`);
      }
      return [report];
    }
    const reports: ChainReport[] = [];
    for await (const id of verification.organizations()) reports.push(await verification.verify(id));
    return reports;
  });
}

function describe({ organizationId, events, hash, faults, omittedFaults }: ChainReport): string[] {
  const end = events === '0' ? '' : `, ${events}:${hash}`;
  return [
    `${organizationId}: ${events} events${end}${faults.length === 0 ? ', intact' : ''}`,
    ...faults.map(({ kind, sequence, eventId, message }) =>
      ['  ', kind, sequence && ` at ${sequence}`, eventId && ` (${eventId})`, `: ${message}`].filter(Boolean).join(''),
    ),
    ...(omittedFaults > 0 ? [`  and ${omittedFaults} more`] : []),
  ];
}

function toJson({ organizationId, events, hash, faults, omittedFaults }: ChainReport): object {
  return {
    organization_id: organizationId,
    events: Number(events),
    hash,
    faults: faults.map(faultToJson),
    omitted_faults: omittedFaults,
  };
}

function faultToJson({ kind, sequence, eventId, message }: ChainFault): object {
  return {
    kind,
    ...(sequence !== undefined && { sequence: Number(sequence) }),
    ...(eventId !== undefined && { event_id: eventId }),
    message,
  };
}
