import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { isUuid, newUuid } from '../../database/identifiers.js';
import { type StatementRunner, Statements } from '../../database/statements.js';
import { BadRequestError } from '../../http/errors/domain-error.js';
import type { ReasonedIssue } from '../../http/errors/issue.js';
import { toPageResponse, windowOf } from '../../http/pagination/page.js';
import { Quotas } from '../../limits/quotas.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { type AuditTarget, created, updated } from '../audit/audited-event.js';
import { KeysService } from '../keys/keys.service.js';
import { WorkspacesService } from '../workspaces/workspaces.service.js';
import { changedConfig, withDefaults } from './config-changes.js';
import { ConfigCipher } from './config-cipher.js';
import { configFaults } from './config-faults.js';
import type { DestinationConfig } from './credential-mask.js';
import { DestinationAddresses } from './destination-addresses.js';
import type { DestinationType } from './destination-type.js';
import type { DestinationPath } from './dto/destination-path.dto.js';
import type {
  CreateObservabilityDestinationRequest,
  UpdateObservabilityDestinationRequest,
} from './dto/destination-request.dto.js';
import type {
  CreateObservabilityDestinationResponse,
  DeleteObservabilityDestinationResponse,
  GetObservabilityDestinationResponse,
  ListObservabilityDestinationsResponse,
  UpdateObservabilityDestinationResponse,
} from './dto/destination.dto.js';
import type { ListDestinationsQuery } from './dto/list-destinations-query.dto.js';
import type { DestinationEntity } from './entities/destination.entity.js';
import { EncryptionState } from './encryption-state.js';
import { type NewDestination, newDestination } from './new-destination.js';
import { newOriginFaults } from './new-origin.js';
import { DestinationNotFound, TooManyDestinations, unknownKey } from './observability.errors.js';
import { toAuditedFields, toDestinationResponse } from './observability.mapper.js';
import { DESTINATIONS_QUOTA, ObservabilityRepository } from './observability.repository.js';
import { patchedDestination } from './patched-destination.js';
import { StoredConfigs } from './stored-configs.js';

/** How many destinations of one type a workspace may have. */
const MAXIMUM_OF_A_TYPE = 5;

/** Where generations are reported to. */
@Injectable()
export class ObservabilityService {
  constructor(
    private readonly repository: ObservabilityRepository,
    private readonly cipher: ConfigCipher,
    private readonly configs: StoredConfigs,
    private readonly encryption: EncryptionState,
    private readonly addresses: DestinationAddresses,
    private readonly workspaces: WorkspacesService,
    private readonly keys: KeysService,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
    private readonly quotas: Quotas,
  ) {}

  /**
   * Creates a destination.
   *
   * @param gone aborted when the client does not wait for the answer any more
   * @throws BadRequestError for a workspace or key that there is not, an address that is not allowed, and without a
   *   default workspace
   * @throws TooManyDestinations
   * @throws RateLimitExceededError when too many names of the organization are being looked up
   * @throws EncryptionKeyMismatch
   */
  async create(
    caller: ManagementPrincipal,
    input: CreateObservabilityDestinationRequest,
    gone?: AbortSignal,
  ): Promise<CreateObservabilityDestinationResponse> {
    const { organizationId } = caller;
    const config = withDefaults(input.type, input.config);
    const [workspaceId, unknownKeys, wrongAddresses] = await Promise.all([
      this.workspaces.idFor(organizationId, input.workspace_id),
      this.unknownKeys(organizationId, input.api_key_hashes),
      this.addresses.faultsOf(input.type, config, { organizationId, signal: gone }, withDefaults(input.type, {})),
      this.encryption.assertFits(),
    ]);
    const faults = [...wrongAddresses, ...unknownKeys];
    if (typeof workspaceId !== 'string') throw BadRequestError.of([workspaceId, ...faults]);
    if (faults.length > 0) throw BadRequestError.of(faults);

    await this.quotas.requireRoom(organizationId, DESTINATIONS_QUOTA);
    const fields = { ...input, organizationId, workspaceId, config };
    const destination = await this.statements.transaction(async (on) => {
      const count = await this.repository.countOfType(on, organizationId, workspaceId, input.type);
      if (count >= MAXIMUM_OF_A_TYPE) throw new TooManyDestinations();
      const made = await this.store(on, fields);
      const changes = created(toAuditedFields(made, config));
      const event = { action: 'observability_destination.create', target: target(made), changes };
      await this.audit.record(on, organizationId, caller, event);
      return made;
    });
    return { data: toDestinationResponse(destination, config) };
  }

  /** Lists the destinations of a workspace, oldest first. A workspace that is not the caller's has none. */
  async list(
    caller: ManagementPrincipal,
    input: ListDestinationsQuery,
  ): Promise<ListObservabilityDestinationsResponse> {
    const page = await this.repository.page(caller.organizationId, input.workspace_id, windowOf(input));
    const configs = await this.configs.ofAll(page.items);
    const items = page.items.map((destination, index) => toDestinationResponse(destination, configs[index]));
    return toPageResponse({ ...page, items }, (item) => item);
  }

  /**
   * One destination, its credentials masked. Of a configuration that cannot be decrypted nothing is shown.
   *
   * @throws DestinationNotFound also for an id that is not a UUID
   */
  async get(caller: ManagementPrincipal, input: DestinationPath): Promise<GetObservabilityDestinationResponse> {
    const destination = await this.find(caller.organizationId, input.id);
    return { data: toDestinationResponse(destination, await this.configs.of(destination)) };
  }

  /**
   * Changes what a request names. When that changes nothing, nothing is written. A configuration that cannot be decrypted is
   * replaced as a whole.
   *
   * @param gone aborted when the client does not wait for the answer any more
   * @throws DestinationNotFound
   * @throws BadRequestError for a configuration that is not one of the type, a mask of nothing that is stored, an address
   *   that is not allowed, credentials that a new origin needs again, and a key that there is not
   * @throws RateLimitExceededError when too many names of the organization are being looked up
   * @throws EncryptionKeyMismatch
   */
  async update(
    caller: ManagementPrincipal,
    input: DestinationPath & UpdateObservabilityDestinationRequest,
    gone?: AbortSignal,
  ): Promise<UpdateObservabilityDestinationResponse> {
    const { organizationId } = caller;
    const known = await this.find(organizationId, input.id);
    const before = await this.configs.of(known);
    const after = configAfter(known.type, before, input);
    const [wrongAddresses, unknownKeys] = await Promise.all([
      this.addresses.faultsOf(known.type, after ?? {}, { organizationId, signal: gone }, before),
      this.unknownKeys(organizationId, input.api_key_hashes, known.apiKeyHashes ?? []),
      this.encryption.assertFits(),
    ]);
    const wrongForms = changeFaults(known.type, before, after, input);
    const malformed = new Set(wrongForms.map(({ path }) => path));
    // What has not its form leads nowhere.
    const faults = [...wrongForms, ...wrongAddresses.filter(({ path }) => !malformed.has(path)), ...unknownKeys];
    if (faults.length > 0) throw BadRequestError.of(faults);
    const destination = await this.statements.transaction((on) => this.change(on, caller, input));
    return { data: toDestinationResponse(destination, await this.configs.of(destination)) };
  }

  /**
   * Deletes a destination.
   *
   * @throws DestinationNotFound
   */
  async delete(caller: ManagementPrincipal, { id }: DestinationPath): Promise<DeleteObservabilityDestinationResponse> {
    const event = { action: 'observability_destination.delete', target: target({ id: id.toLowerCase() }) };
    if (isUuid(id) && (await this.repository.delete(caller.organizationId, id, caller, event)))
      return { deleted: true };
    throw new DestinationNotFound();
  }

  /** Stores a new destination, whatever there is already and wherever it leads to. */
  async store(on: StatementRunner, fields: NewDestination): Promise<DestinationEntity> {
    const id = newUuid();
    const destination = newDestination(id, fields, this.cipher.encrypt({ ...fields, id }, fields.config));
    return this.repository.insert(on, destination);
  }

  private async change(
    on: StatementRunner,
    caller: ManagementPrincipal,
    input: DestinationPath & UpdateObservabilityDestinationRequest,
  ): Promise<DestinationEntity> {
    const { organizationId } = caller;
    const stored = await this.repository.findForUpdate(on, organizationId, input.id);
    if (stored === undefined) throw new DestinationNotFound();
    const before = await this.configs.of(stored);
    const after = configAfter(stored.type, before, input);
    // Somebody may have changed it meanwhile, so that a mask is that of nothing any more.
    const faults = changeFaults(stored.type, before, after, input);
    if (faults.length > 0) throw BadRequestError.of(faults);

    const hasNewConfig = !isDeepStrictEqual(after, before);
    const patched = patchedDestination(stored, input);
    if (!hasNewConfig && isDeepStrictEqual(patched, stored)) return stored;
    const destination = await this.repository.update(on, {
      ...patched,
      // Whatever changes, the configuration is kept in the present format and under the first key from then on.
      encryptedConfig: after === undefined ? stored.encryptedConfig : this.cipher.encrypt(stored, after),
    });
    const [was, is] = [toAuditedFields(stored, before), toAuditedFields(destination, after)];
    // A credential may have changed into one that has the same mask.
    const changes = {
      ...updated(was, is),
      ...(hasNewConfig && { config: { before: was['config'], after: is['config'] } }),
    };
    const event = { action: 'observability_destination.update', target: target(stored), changes };
    await this.audit.record(on, organizationId, caller, event);
    return destination;
  }

  private async find(organizationId: string, id: string): Promise<DestinationEntity> {
    const destination = isUuid(id) ? await this.repository.find(organizationId, id) : undefined;
    if (destination === undefined) throw new DestinationNotFound();
    return destination;
  }

  /** @param known hashes that are stored already, whose keys may be deleted by now */
  private async unknownKeys(
    organizationId: string,
    hashes: readonly string[] | null | undefined,
    known: readonly string[] = [],
  ): Promise<ReasonedIssue[]> {
    const kept = new Set(known);
    const asked = [...new Set(hashes)].filter((hash) => !kept.has(hash));
    if (asked.length === 0) return [];
    const found = await this.keys.byHashes(this.statements, organizationId, asked);
    return (hashes ?? []).flatMap((hash, index) => (kept.has(hash) || found.has(hash) ? [] : [unknownKey(index)]));
  }
}

/** @param before undefined where it cannot be decrypted: then the request gives the whole configuration, or none */
function configAfter(
  type: DestinationType,
  before: DestinationConfig | undefined,
  { config }: UpdateObservabilityDestinationRequest,
): DestinationConfig | undefined {
  if (config === undefined) return before;
  return changedConfig(type, before ?? withDefaults(type, {}), config);
}

/** What is wrong with the configuration that a request makes of the stored one, apart from where its addresses lead to. */
function changeFaults(
  type: DestinationType,
  before: DestinationConfig | undefined,
  after: DestinationConfig | undefined,
  { config }: UpdateObservabilityDestinationRequest,
): ReasonedIssue[] {
  if (config === undefined || after === undefined) return [];
  const faults = configFaults(type, after);
  // What has not its form leads to no origin.
  return faults.length > 0 || before === undefined ? faults : newOriginFaults(type, before, after, config);
}

function target({ id }: Pick<DestinationEntity, 'id'>): AuditTarget {
  return { type: 'observability_destination', id };
}
