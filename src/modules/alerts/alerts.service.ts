import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { withEntityTag } from '../../http/entity-tags.js';
import { Precondition } from '../../http/precondition.js';
import { requireAll, requireNoIssues } from '../../http/errors/require-all.js';
import { type NamedPageQuery, toPageRequest, toPageResponse } from '../../http/pagination/pagination.js';
import { newUuid } from '../../persistence/identifiers.js';
import { Statements, type Transaction } from '../../persistence/statements.js';
import { UNKNOWN_KEY } from '../keys/keys.errors.js';
import { Quotas } from '../organization-limits/quotas.js';
import { WorkspaceLookupService } from '../workspaces/workspace-lookup.service.js';
import { type AlertKind, DEFAULT_DAYS_BEFORE, DEFAULT_THRESHOLDS } from './alert-kinds.js';
import { NO_RECEIVER, UNKNOWN_GUARDRAIL, UNKNOWN_LIMIT, UNKNOWN_WEBHOOK } from './alerts.errors.js';
import { toAlertResponse } from './alerts.mapper.js';
import { ALERTS, ALERTS_PAGE, AlertsRepository, type ShownAlert } from './alerts.repository.js';
import {
  type AlertPath,
  type CreateAlertRequest,
  type CreateAlertResponse,
  type DeleteAlertResponse,
  fieldsOfOtherKinds,
  type GetAlertResponse,
  type ListAlertsResponse,
  type UpdateAlertRequest,
  type UpdateAlertResponse,
} from './dto/alert.dto.js';
import { RecipientsService } from './recipients/recipients.service.js';

const HASH = /^[0-9a-f]{64}$/;

/** Alerts of organizations on budgets, limits, keys that expire and destinations that pause (docs/interface/alerts.md). */
@Injectable()
export class AlertsService {
  constructor(
    private readonly repository: AlertsRepository,
    private readonly recipients: RecipientsService,
    private readonly workspaces: WorkspaceLookupService,
    private readonly statements: Statements,
    private readonly quotas: Quotas,
  ) {}

  /**
   * Creates an alert, and has its addresses sent links to confirm with.
   *
   * @throws BadRequestError for a workspace, guardrail, key, limit or webhook that the organization does not have, for addresses in a deployment
   *   without e-mail, and beyond the quota
   * @throws TooManyConfirmationMails
   */
  async create(caller: ManagementPrincipal, input: CreateAlertRequest): Promise<CreateAlertResponse> {
    const { organizationId } = caller;
    const emails = this.recipients.addressesOf(input.emails ?? []);
    await this.quotas.requireBelowQuota(organizationId, ALERTS.quota);
    requireNoIssues((input.destination_id ?? null) === null && emails.length === 0 ? [NO_RECEIVER.at('')] : []);
    const [workspaceId, { keyId }] = await requireAll([
      this.workspaceIdOf(organizationId, input.workspace_id ?? null),
      this.requireValid(organizationId, input, emails),
    ]);
    const id = newUuid();
    const row = { organizationId, id, ...ALERTS.made(input), ...stagesOf(input.kind, input), workspaceId, keyId };
    const replace = (tx: Transaction): Promise<void> => this.recipients.replace(tx, organizationId, id, emails);
    return shown(await ALERTS.create(this.statements, caller, row, replace));
  }

  /** Lists the alerts of the organization, oldest first. */
  async list(caller: ManagementPrincipal, input: NamedPageQuery): Promise<ListAlertsResponse> {
    const page = await this.statements.page(ALERTS_PAGE, [caller.organizationId], toPageRequest(input));
    return toPageResponse(page, toAlertResponse);
  }

  /** @throws AlertNotFound also for an id that is not a UUID */
  async get(caller: ManagementPrincipal, { id }: AlertPath): Promise<GetAlertResponse> {
    return shown(await ALERTS.get(this.statements, caller.organizationId, id));
  }

  /**
   * Changes the fields in the request; without a change nothing is written. New addresses are sent links to confirm with, and so are those
   * whose link has expired.
   *
   * @throws AlertNotFound
   * @throws PreconditionFailed
   * @throws BadRequestError as `create`, and for an alert that would be left without a receiver
   * @throws TooManyConfirmationMails
   */
  async update(
    caller: ManagementPrincipal,
    input: AlertPath & UpdateAlertRequest,
    precondition = Precondition.NONE,
  ): Promise<UpdateAlertResponse> {
    const { organizationId } = caller;
    const known = await ALERTS.get(this.statements, organizationId, input.id);
    requireNoIssues(fieldsOfOtherKinds(known.kind, input));
    const added = input.emails && this.recipients.addressesOf(input.emails);
    const isNew = (email: string): boolean => known.recipients.every((recipient) => recipient.email !== email);
    const destination = { destination_id: input.destination_id ?? null };
    await this.requireValid(organizationId, destination, (added ?? []).filter(isNew));
    const changed = await this.statements.transaction((tx) =>
      this.change(tx, caller, { ...input, precondition }, added),
    );
    return shown(changed);
  }

  /** @throws AlertNotFound, PreconditionFailed */
  async delete(
    caller: ManagementPrincipal,
    { id }: AlertPath,
    precondition = Precondition.NONE,
  ): Promise<DeleteAlertResponse> {
    return ALERTS.delete(this.statements, caller, id, precondition);
  }

  private async change(
    tx: Transaction,
    caller: ManagementPrincipal,
    input: AlertPath & UpdateAlertRequest & { readonly precondition: Precondition },
    emails: readonly string[] | undefined,
  ): Promise<ShownAlert> {
    const { organizationId } = caller;
    const before = await ALERTS.hold(tx, organizationId, input.id, input.precondition);
    const patched = ALERTS.changed(before, {
      ...input,
      destination_id: input.destination_id?.toLowerCase() ?? input.destination_id,
    });
    const stages = stagesOf(before.kind, { thresholds: patched.thresholds, days_before: patched.daysBefore });
    const changed = { ...patched, ...stages };
    const receivers = emails ?? before.recipients;
    const removesReceiver = input.destination_id === null || emails?.length === 0;
    if (removesReceiver && changed.destinationId === null && receivers.length === 0) {
      requireNoIssues([NO_RECEIVER.at('')]);
    }
    if (emails !== undefined) await this.recipients.replace(tx, organizationId, before.id, emails);
    const { recipients } = await ALERTS.get(tx, organizationId, before.id);
    return ALERTS.update(tx, caller, before, { ...changed, recipients });
  }

  /** @throws BadRequestError for a workspace that the organization does not have */
  private async workspaceIdOf(organizationId: string, requested: string | null): Promise<string | null> {
    return requested === null ? null : this.workspaces.idFor(organizationId, requested);
  }

  /** @throws BadRequestError for what the organization does not have, and for new addresses in a deployment without e-mail */
  private async requireValid(
    organizationId: string,
    input: Pick<CreateAlertRequest, 'guardrail_id' | 'key_hash' | 'limit_id' | 'destination_id'>,
    newEmails: readonly string[],
  ): Promise<{ readonly keyId: string | null }> {
    const { guardrail_id: guardrail = null, key_hash: hash = null, limit_id: limit = null } = input;
    const { destination_id: destination = null } = input;
    const { hasGuardrail, keyId, hasLimit, hasWebhook } = await this.repository.references(organizationId, {
      guardrailId: guardrail,
      keyHash: hash !== null && HASH.test(hash) ? hash : null,
      limitId: limit,
      destinationId: destination,
    });
    requireNoIssues([
      ...(guardrail === null || hasGuardrail ? [] : [UNKNOWN_GUARDRAIL.at('guardrail_id')]),
      ...(hash === null || keyId !== null ? [] : [UNKNOWN_KEY.at('key_hash')]),
      ...(limit === null || hasLimit ? [] : [UNKNOWN_LIMIT.at('limit_id')]),
      ...(destination === null || hasWebhook ? [] : [UNKNOWN_WEBHOOK.at('destination_id')]),
      ...this.recipients.issuesOf(newEmails),
    ]);
    return { keyId };
  }
}

function shown(alert: ShownAlert): GetAlertResponse {
  return withEntityTag({ data: toAlertResponse(alert) }, ALERTS.tagOf(alert));
}

/** The thresholds of an alert of a kind, which has one sort of them. What is null or absent has its default. */
function stagesOf(
  kind: AlertKind,
  { thresholds, days_before: daysBefore }: Pick<CreateAlertRequest, 'thresholds' | 'days_before'>,
): Pick<ShownAlert, 'thresholds' | 'daysBefore'> {
  return {
    thresholds: kind === 'budget' ? ascending(thresholds ?? DEFAULT_THRESHOLDS) : null,
    daysBefore: kind === 'key_expiry' ? descending(daysBefore ?? DEFAULT_DAYS_BEFORE) : null,
  };
}

function ascending(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((one, other) => one - other);
}

function descending(numbers: readonly number[]): number[] {
  return ascending(numbers).reverse();
}
