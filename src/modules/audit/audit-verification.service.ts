import { Injectable } from '@nestjs/common';
import { errorMessage } from '../../persistence/database-failures.js';
import {
  AuditVerificationRepository,
  type ChainEnd,
  type CheckedEvent,
  type CheckedLink,
} from './audit-verification.repository.js';
import { GUARD_FUNCTIONS, GUARD_TRIGGERS } from './audit-guards.js';

/** The number of links or events that one statement checks. An event may have megabytes. */
const BATCH_SIZE = 50;

/** The maximum number of issues of one chain that are reported in detail. */
const MAXIMUM_ISSUES = 100;

/** An issue in a chain. */
export interface ChainIssue {
  readonly kind:
    | 'gap'
    | 'missing_event'
    | 'changed'
    | 'changed_copy'
    | 'unlinked_event'
    | 'missing_chain'
    | 'missing_head'
    | 'cut_off'
    | 'changed_head'
    | 'anchor';
  /** The sequence of the link; undefined if the issue is not about a link. */
  readonly sequence?: string;
  readonly eventId?: string;
  readonly message: string;
}

/** A link from an earlier verification. */
export interface Anchor {
  readonly sequence: string;
  /** In lowercase hexadecimal. */
  readonly hash: string;
}

/** The result of checking a chain. */
export interface ChainReport {
  readonly organizationId: string;
  /** The number of events in the chain, and the hash of the last one in hexadecimal: an anchor for the next verification. */
  readonly events: string;
  readonly hash: string;
  readonly issues: readonly ChainIssue[];
  /** The number of further issues. */
  readonly omittedIssues: number;
}

/** A chain that could not be checked, and why. */
export interface UncheckedChain {
  readonly organizationId: string;
  readonly cause: string;
}

/** Checks that the audit trail has not been changed since it was written. */
@Injectable()
export class AuditVerificationService {
  constructor(private readonly repository: AuditVerificationRepository) {}

  /**
   * Checks that the triggers that protect the trail exist, are enabled and have not been changed.
   *
   * @returns what is wrong, in sentences without a full stop; empty if nothing is
   */
  async guardIssues(): Promise<string[]> {
    const triggers = await this.repository.triggersOf([...new Set(GUARD_TRIGGERS.map(({ table }) => table))]);
    const functions = await this.repository.functionsNamed(Object.keys(GUARD_FUNCTIONS));
    const issuesOfTriggers = GUARD_TRIGGERS.map(({ table, name, definition }) => {
      const stored = triggers.find((trigger) => trigger.table_name === table && trigger.name === name);
      if (stored === undefined) return `the trigger ${name} of ${table} is missing`;
      if (stored.definition !== definition) return `the trigger ${name} of ${table} has been changed`;
      return stored.is_enabled ? [] : `the trigger ${name} of ${table} is disabled or fires in replica mode only`;
    });
    const issuesOfFunctions = Object.entries(GUARD_FUNCTIONS).map(([name, source]) => {
      const stored = functions.find((candidate) => candidate.name === name);
      return stored?.source === source ? [] : `the function ${name} has been changed`;
    });
    return [...issuesOfTriggers, ...issuesOfFunctions].flat();
  }

  /**
   * Looks for traces of organizations in a database without organizations and chains, which may have been removed.
   *
   * @returns the traces found, in sentences without a full stop
   */
  async signsOfRemovedChains(): Promise<string[]> {
    const signs = await this.repository.signsOfOrganizations();
    return [
      signs.logged_at === null ? [] : `heads of chains were written to the log at ${signs.logged_at}`,
      signs.has_log ? [] : 'the row of audit_head_log that the migrations make is missing',
      signs.has_users ? 'there are users' : [],
      signs.has_counts ? 'rows of organizations were counted in list_counts' : [],
    ].flat();
  }

  /**
   * Checks the chains of all organizations, one after the other. A chain that cannot be checked does not stop the
   * verification.
   */
  async *verifyAll(): AsyncGenerator<ChainReport | UncheckedChain> {
    for await (const organizationId of this.organizations()) yield this.tryToVerify(organizationId);
  }

  /** As {@link verify}, but returns a report for a chain that cannot be checked. */
  async tryToVerify(organizationId: string, anchors: readonly Anchor[] = []): Promise<ChainReport | UncheckedChain> {
    try {
      return await this.verify(organizationId, anchors);
    } catch (error) {
      return { organizationId, cause: errorMessage(error) };
    }
  }

  /** All organizations that exist or have rows in the trail. */
  async *organizations(): AsyncGenerator<string> {
    let organizationId = await this.repository.organizationAfter('');
    while (organizationId !== undefined) {
      yield organizationId;
      organizationId = await this.repository.organizationAfter(organizationId);
    }
  }

  /**
   * Checks the chain of an organization, link by link. It takes no locks, and does not check links that are added meanwhile.
   *
   * @param anchors links from earlier verifications
   */
  async verify(organizationId: string, anchors: readonly Anchor[] = []): Promise<ChainReport> {
    const issues = new IssueList();
    const end = await this.repository.endOf(organizationId);
    issues.add(...issuesOfEnd(end));
    for await (const link of this.checkedLinks(organizationId, end.last_sequence)) issues.add(...issuesOfLink(link));
    for await (const event of this.checkedEvents(organizationId)) {
      if (!event.is_linked) {
        issues.add({ kind: 'unlinked_event', eventId: event.id, message: 'the event is in no chain' });
      }
    }
    for (const { sequence, hash } of anchors) {
      const found = await this.repository.hashOf(organizationId, sequence);
      if (found === hash) continue;
      const message = found === undefined ? 'the link that was anchored is gone' : `the anchored hash is ${hash}`;
      issues.add({ kind: 'anchor', sequence, message });
    }
    return {
      organizationId,
      events: end.last_sequence ?? '0',
      hash: end.last_hash ?? '',
      issues: issues.named,
      omittedIssues: issues.omitted,
    };
  }

  private async *checkedLinks(organizationId: string, last: string | null): AsyncGenerator<CheckedLink> {
    if (last === null) return;
    let after: CheckedLink | undefined;
    do {
      const batch = await this.repository.checkLinks(organizationId, after, last, BATCH_SIZE);
      yield* batch;
      after = batch.at(-1);
    } while (after !== undefined);
  }

  private async *checkedEvents(organizationId: string): AsyncGenerator<CheckedEvent> {
    let after: CheckedEvent | undefined;
    do {
      const batch = await this.repository.checkEvents(organizationId, after, BATCH_SIZE);
      yield* batch;
      after = batch.at(-1);
    } while (after !== undefined);
  }
}

/** Issues: the first are stored, the others only counted. */
class IssueList {
  readonly named: ChainIssue[] = [];
  omitted = 0;

  add(...issues: ChainIssue[]): void {
    for (const issue of issues) {
      if (this.named.length < MAXIMUM_ISSUES) this.named.push(issue);
      else this.omitted += 1;
    }
  }
}

function issuesOfEnd(end: ChainEnd): ChainIssue[] {
  const { head_sequence: head, last_sequence: last } = end;
  if (head === null && last === null) {
    return end.has_organization ? [{ kind: 'missing_chain', message: 'the organization has no chain' }] : [];
  }
  if (head === null) return [{ kind: 'missing_head', message: 'the chain has no head' }];
  if (last === null || BigInt(last) < BigInt(head)) {
    return [{ kind: 'cut_off', message: `the chain ends at ${last ?? '0'}, and its head says ${head}` }];
  }
  if (last === head && end.last_hash === end.head_hash) return [];
  return [{ kind: 'changed_head', message: `the head is not what the last link is: ${head} and ${last}` }];
}

function issuesOfLink(link: CheckedLink): ChainIssue[] {
  const { sequence, event_id: eventId, expected } = link;
  const place = { sequence, eventId };
  // After a gap the expected hash is unknown.
  if (sequence !== expected) {
    return [{ kind: 'gap', ...place, message: `${sequence} stands where ${expected} is expected` }];
  }
  if (!link.has_event) return [{ kind: 'missing_event', ...place, message: 'the event is missing' }];
  if (!link.has_hash) return [{ kind: 'changed', ...place, message: 'the event or its link has been changed' }];
  if (link.has_copies) return [];
  return [{ kind: 'changed_copy', ...place, message: 'the link shows another actor, action, target, time or digest' }];
}
