import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { isUuid, newUuid } from '../../persistence/identifiers.js';
import { type Transaction, Statements } from '../../persistence/statements.js';
import { withEntityTag } from '../../http/entity-tags.js';
import { Precondition } from '../../http/precondition.js';
import { requireAll, requireNoIssues } from '../../http/errors/require-all.js';
import type { IssueWithReason } from '../../http/errors/issue.js';
import { toPageResponse, toPageRequest } from '../../http/pagination/pagination.js';
import { Quotas } from '../organization-limits/quotas.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { created, updated } from '../audit/audited-event.js';
import { KeyReferencesService } from '../keys/key-references.service.js';
import { WorkspaceLookupService } from '../workspaces/workspace-lookup.service.js';
import { changedConfig, DESTINATION_FIELDS, withDefaults, withInput } from './destination-changes.js';
import { ConfigCipher, EncryptedConfigs } from './encrypted-configs.js';
import { configIssues } from './config-issues.js';
import type { DestinationConfig } from './config-mask.js';
import { DestinationAddresses } from './addresses/destination-addresses.js';
import type { DestinationType } from './destination-settings.js';
import type {
  CreateObservabilityDestinationRequest,
  CreateObservabilityDestinationResponse,
  DeleteObservabilityDestinationResponse,
  DestinationPath,
  GetObservabilityDestinationResponse,
  ListDestinationsQuery,
  ListObservabilityDestinationsResponse,
  UpdateObservabilityDestinationRequest,
  UpdateObservabilityDestinationResponse,
} from './dto/destination.dto.js';
import { DeliveriesRepository } from './delivery/sight/deliveries.repository.js';
import { DestinationTests } from './delivery/sight/destination-test.service.js';
import type {
  GetObservabilityDestinationDeliveriesResponse,
  TestObservabilityDestinationResponse,
} from './dto/deliveries.dto.js';
import type { DestinationEntity } from './entities/destination.entity.js';
import { EncryptionState } from '../encryption/encryption-state.js';
import { hasNewAddress, newOriginIssues } from './addresses/new-origin.js';
import { DestinationNotFound, TooManyDestinations } from './observability.errors.js';
import {
  tagOfDestination,
  toAuditedFields,
  toDeliveriesResponse,
  toDestinationResponse,
} from './observability.mapper.js';
import { DESTINATIONS_QUOTA, ObservabilityRepository } from './observability.repository.js';

/** How many destinations of one type a workspace may have. */
const MAXIMUM_OF_A_TYPE = 5;

/** A destination to store: the body of a request, with its organization and workspace. */
interface NewDestination extends Omit<CreateObservabilityDestinationRequest, 'workspace_id'> {
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly config: DestinationConfig;
}

/** Observability destinations. */
@Injectable()
export class ObservabilityService {
  constructor(
    private readonly repository: ObservabilityRepository,
    private readonly cipher: ConfigCipher,
    private readonly configs: EncryptedConfigs,
    private readonly encryption: EncryptionState,
    private readonly addresses: DestinationAddresses,
    private readonly workspaces: WorkspaceLookupService,
    private readonly keys: KeyReferencesService,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
    private readonly quotas: Quotas,
    private readonly queues: DeliveriesRepository,
    private readonly tests: DestinationTests,
  ) {}

  /**
   * Creates a destination.
   *
   * @param gone aborted when the client has disconnected
   * @throws BadRequestError for an unknown workspace or key, a forbidden address, and a deleted default workspace
   * @throws TooManyDestinations
   * @throws TooManyHostLookups when too many names of the organization are being looked up
   * @throws EncryptionKeyMismatch
   */
  async create(
    caller: ManagementPrincipal,
    input: CreateObservabilityDestinationRequest,
    gone?: AbortSignal,
  ): Promise<CreateObservabilityDestinationResponse> {
    const { organizationId } = caller;
    const config = withDefaults(input.type, input.config);
    const lookup = { organizationId, signal: gone };
    const [workspaceId] = await requireAll([
      this.workspaces.idFor(organizationId, input.workspace_id),
      this.addresses.issuesOf(input.type, config, lookup, withDefaults(input.type, {})).then(requireNoIssues),
      this.keys.issuesOf(organizationId, 'api_key_hashes', input.api_key_hashes).then(requireNoIssues),
      this.encryption.assertFits(),
    ]);

    await this.quotas.requireBelowQuota(organizationId, DESTINATIONS_QUOTA);
    const destination = await this.statements.transaction(async (tx) => {
      const count = await this.repository.countOfType(tx, organizationId, workspaceId, input.type);
      if (count >= MAXIMUM_OF_A_TYPE) throw new TooManyDestinations();
      const made = await this.store(tx, { ...input, organizationId, workspaceId, config });
      const changes = created(toAuditedFields(made, config));
      const event = { action: 'observability_destination.create', targetId: made.id, changes };
      await this.audit.record(tx, organizationId, caller, event);
      return made;
    });
    return this.shown(destination, config);
  }

  /**
   * Lists the destinations of a workspace, oldest first. An unknown workspace, or one of another organization, has
   * none.
   */
  async list(
    caller: ManagementPrincipal,
    input: ListDestinationsQuery,
  ): Promise<ListObservabilityDestinationsResponse> {
    const page = await this.repository.page(caller.organizationId, input.workspace_id, toPageRequest(input));
    const configs = await this.configs.ofAll(page.items);
    const states = await this.queues.statesOf(
      caller.organizationId,
      page.items.map(({ id }) => id),
    );
    const items = page.items.map((destination, index) =>
      toDestinationResponse(destination, configs[index], states.get(destination.id)),
    );
    return toPageResponse({ ...page, items }, (item) => item);
  }

  /**
   * Returns a destination with masked credentials. A configuration that cannot be decrypted is shown as masks.
   *
   * @throws DestinationNotFound also for an id that is not a UUID
   */
  async get(caller: ManagementPrincipal, input: DestinationPath): Promise<GetObservabilityDestinationResponse> {
    const destination = await this.find(caller.organizationId, input.id);
    return this.shown(destination, await this.configs.of(destination));
  }

  /**
   * Changes the fields in the request; without a change nothing is written. A configuration that cannot be decrypted
   * is replaced as a whole.
   *
   * @param gone aborted when the client has disconnected
   * @throws DestinationNotFound
   * @throws BadRequestError for a configuration that does not fit the type, an unknown mask, a forbidden address,
   *   missing credentials for a new origin, and an unknown key
   * @throws TooManyHostLookups when too many names of the organization are being looked up
   * @throws EncryptionKeyMismatch
   */
  async update(
    caller: ManagementPrincipal,
    input: DestinationPath & UpdateObservabilityDestinationRequest,
    gone?: AbortSignal,
    precondition = Precondition.NONE,
  ): Promise<UpdateObservabilityDestinationResponse> {
    const { organizationId } = caller;
    const known = await this.find(organizationId, input.id);
    const before = await this.configs.of(known);
    const after = configAfter(known.type, before, input);
    const [wrongAddresses, unknownKeys] = await Promise.all([
      this.addresses.issuesOf(known.type, after ?? {}, { organizationId, signal: gone }, before),
      this.keys.issuesOf(organizationId, 'api_key_hashes', input.api_key_hashes, known.apiKeyHashes),
      this.encryption.assertFits(),
    ]);
    const wrongForms = changeIssues(known.type, before, after, input);
    const malformed = new Set(wrongForms.map(({ path }) => path));
    // Skip address issues of settings whose format is already reported.
    requireNoIssues([...wrongForms, ...wrongAddresses.filter(({ path }) => !malformed.has(path)), ...unknownKeys]);
    const destination = await this.statements.transaction((tx) => this.change(tx, caller, input, precondition));
    return this.shown(destination, await this.configs.of(destination));
  }

  /**
   * How deliveries to a destination go.
   *
   * @throws DestinationNotFound
   */
  async deliveries(
    { organizationId }: ManagementPrincipal,
    { id }: DestinationPath,
  ): Promise<GetObservabilityDestinationDeliveriesResponse> {
    const destination = await this.find(organizationId, id);
    const deliveries = await this.queues.of(organizationId, destination.id);
    if (deliveries === undefined) throw new DestinationNotFound();
    return { data: toDeliveriesResponse(destination, deliveries) };
  }

  /**
   * Tries a stored destination.
   *
   * @param gone aborted when the client has disconnected
   * @throws DestinationNotFound
   */
  async test(
    { organizationId }: ManagementPrincipal,
    { id }: DestinationPath,
    gone: AbortSignal,
  ): Promise<TestObservabilityDestinationResponse> {
    return { data: await this.tests.ofStored(await this.find(organizationId, id), gone) };
  }

  /**
   * Tries a configuration that is not stored.
   *
   * @param gone aborted when the client has disconnected
   * @throws BadRequestError for a forbidden address
   * @throws TooManyHostLookups when too many names of the organization are being looked up
   */
  async testNew(
    caller: ManagementPrincipal,
    type: DestinationType,
    config: DestinationConfig,
    gone: AbortSignal,
  ): Promise<TestObservabilityDestinationResponse> {
    return { data: await this.tests.ofNew(caller, type, config, gone) };
  }

  /**
   * Deletes a destination.
   *
   * @throws DestinationNotFound
   */
  async delete(
    caller: ManagementPrincipal,
    { id }: DestinationPath,
    precondition = Precondition.NONE,
  ): Promise<DeleteObservabilityDestinationResponse> {
    const event = { action: 'observability_destination.delete', targetId: id.toLowerCase() };
    if (!isUuid(id)) throw new DestinationNotFound();
    const remove = async (tx?: Transaction): Promise<DeleteObservabilityDestinationResponse> => {
      if (await this.repository.delete(caller.organizationId, id, caller, event, tx)) return { deleted: true };
      throw new DestinationNotFound();
    };
    if (!precondition.isGiven) return remove();
    return this.statements.transaction(async (tx) => {
      await this.locked(tx, caller, id, precondition);
      return remove(tx);
    });
  }

  /** Stores a new destination without checking its addresses or the number of destinations. */
  async store(
    tx: Transaction,
    { organizationId, workspaceId, config, ...input }: NewDestination,
  ): Promise<DestinationEntity> {
    const owner = { id: newUuid(), organizationId, workspaceId, type: input.type };
    const encryptedConfig = this.cipher.encrypt(owner, config);
    return this.repository.insert(tx, { ...owner, ...withInput(DESTINATION_FIELDS.made({}), input), encryptedConfig });
  }

  private async change(
    tx: Transaction,
    caller: ManagementPrincipal,
    input: DestinationPath & UpdateObservabilityDestinationRequest,
    precondition: Precondition,
  ): Promise<DestinationEntity> {
    const { organizationId } = caller;
    const { destination: stored, config: before } = await this.locked(tx, caller, input.id, precondition);
    const after = configAfter(stored.type, before, input);
    // Another request may have changed the configuration since, so a mask may no longer match.
    requireNoIssues(changeIssues(stored.type, before, after, input));

    const hasNewConfig = !isDeepStrictEqual(after, before);
    const patched = withInput(stored, input);
    if (!hasNewConfig && isDeepStrictEqual(patched, stored)) return stored;
    const written = {
      ...patched,
      // Every change stores the configuration in the current format and under the first key.
      encryptedConfig: after === undefined ? stored.encryptedConfig : this.cipher.encrypt(stored, after),
    };
    const dropsWaiting = after !== undefined && hasNewAddress(stored.type, before, after);
    const destination = await this.repository.update(tx, written, dropsWaiting);
    const [was, is] = [toAuditedFields(stored, before), toAuditedFields(destination, after)];
    // A credential may have changed into one that has the same mask.
    const changes = {
      ...updated(was, is),
      ...(hasNewConfig && { config: { before: was.config, after: is.config } }),
    };
    const event = { action: 'observability_destination.update', targetId: stored.id, changes };
    await this.audit.record(tx, organizationId, caller, event);
    return destination;
  }

  /** Locks a destination. @throws DestinationNotFound, PreconditionFailed */
  private async locked(
    tx: Transaction,
    { organizationId }: ManagementPrincipal,
    id: string,
    precondition: Precondition,
  ): Promise<{ destination: DestinationEntity; config: DestinationConfig | undefined }> {
    const destination = await this.repository.lockForUpdate(tx, organizationId, id);
    if (destination === undefined) throw new DestinationNotFound();
    const config = await this.configs.of(destination);
    precondition.require(tagOfDestination(destination, config));
    return { destination, config };
  }

  /** The answer that shows a destination. */
  private async shown(
    destination: DestinationEntity,
    config: DestinationConfig | undefined,
  ): Promise<GetObservabilityDestinationResponse> {
    const states = await this.queues.statesOf(destination.organizationId, [destination.id]);
    const answer = { data: toDestinationResponse(destination, config, states.get(destination.id)) };
    return withEntityTag(answer, tagOfDestination(destination, config));
  }

  private async find(organizationId: string, id: string): Promise<DestinationEntity> {
    const destination = isUuid(id) ? await this.repository.find(organizationId, id) : undefined;
    if (destination === undefined) throw new DestinationNotFound();
    return destination;
  }
}

/** @param before undefined if it cannot be decrypted; then the request has the whole configuration, or none */
function configAfter(
  type: DestinationType,
  before: DestinationConfig | undefined,
  { config }: UpdateObservabilityDestinationRequest,
): DestinationConfig | undefined {
  if (config === undefined) return before;
  return changedConfig(type, before ?? withDefaults(type, {}), config);
}

/** Checks the changed configuration, except where its addresses lead to. */
function changeIssues(
  type: DestinationType,
  before: DestinationConfig | undefined,
  after: DestinationConfig | undefined,
  { config }: UpdateObservabilityDestinationRequest,
): IssueWithReason[] {
  if (config === undefined || after === undefined) return [];
  const issues = configIssues(type, after);
  // A malformed address has no origin to compare.
  return issues.length > 0 || before === undefined ? issues : newOriginIssues(type, before, after, config);
}
