import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import { type ConfigBinding, ConfigCipher } from '../../../src/modules/observability/encrypted-configs.js';
import type { DestinationConfig } from '../../../src/modules/observability/config-mask.js';
import type { DestinationType } from '../../../src/modules/observability/destination-settings.js';
import type {
  CreateObservabilityDestinationResponse,
  ObservabilityDestination,
} from '../../../src/modules/observability/dto/destination.dto.js';
import { HostResolver } from '../../../src/modules/observability/addresses/host-resolver.js';
import { expectToFitContract } from '../contract/contract-answers.js';
import { DESTINATION_SAMPLES, SECRET_MARK } from './destination-samples.js';
import { storedText } from '../database/stored-text.js';
import type { TestApplication } from '../application/test-application.js';
import { digestOfRows } from '../database/digest-of-rows.js';

/** What a destination is that nothing was set in but its name and its configuration. */
export const DESTINATION_DEFAULTS = {
  delivery_state: 'off',
  enabled: true,
  regions: ['global'],
  privacy_mode: false,
  sampling_rate: 1,
  broadcast_generation_cost: false,
  broadcast_generation_identity: false,
  broadcast_generation_request_context: false,
  api_key_hashes: null,
  filter_rules: null,
};

/** Every optional field of a new destination, each with another value than its default. */
export const EVERY_DESTINATION_OPTION = {
  enabled: false,
  regions: ['us', 'europe'],
  privacy_mode: true,
  sampling_rate: 0.125,
  broadcast_generation_cost: true,
  broadcast_generation_identity: true,
  broadcast_generation_request_context: true,
  filter_rules: {
    enabled: false,
    groups: [
      {
        logic: 'or',
        rules: [
          { field: 'model', operator: 'starts_with', value: 'openai/' },
          { field: 'total_cost', operator: 'gte', value: 0.25 },
          { field: 'user_id', operator: 'not_exists' },
        ],
      },
      { rules: [] },
    ],
  },
} as const;

/** Makes a destination over HTTP. @param fields besides, or in place of, those of the type's sample */
export async function newDestination(
  app: TestApplication,
  organization: NewOrganization,
  type: DestinationType = 'langfuse',
  fields: Readonly<Record<string, unknown>> = {},
): Promise<ObservabilityDestination> {
  const answer = await app.api.post<CreateObservabilityDestinationResponse>('/observability/destinations', {
    key: organization.managementKey,
    json: { type, name: `New ${type}`, config: DESTINATION_SAMPLES[type].config, ...fields },
  });
  expect({ status: answer.status, text: answer.text }).toEqual({ status: 201, text: answer.text });
  expectToFitContract('createObservabilityDestination', 201, answer.body);
  return answer.body.data;
}

/** What the database really holds of a destination's configuration. */
export async function storedConfig(app: TestApplication, id: string): Promise<DestinationConfig> {
  const [row] = await app.rows<ConfigBinding & { encrypted_config: Buffer }>(
    `SELECT organization_id AS "organizationId", workspace_id AS "workspaceId", id, type, encrypted_config
     FROM observability_destinations WHERE id = $1`,
    [id],
  );
  return app.application.get(ConfigCipher).decrypt(row!, row!.encrypted_config);
}

/** A digest of all destinations and of the events that tell of anything, to be the same before and after. */
export function destinationState(app: TestApplication): Promise<unknown> {
  return digestOfRows(app, 'SELECT * FROM observability_destinations', 'SELECT id FROM audit_events');
}

/** No table has a credential of the samples in it, as text or as bytes, and no log line has. */
export async function expectNoCredentialStored(app: TestApplication): Promise<void> {
  const hex = Buffer.from(SECRET_MARK).toString('hex');
  for (const text of [...(await storedText(app)).values(), app.logLines.join('')]) {
    expect(text).not.toContain(SECRET_MARK);
    expect(text).not.toContain(hex);
  }
}

/**
 * Has an application live in an internet of which a test knows every name, in place of the one that this machine may or may
 * not reach.
 *
 * @param names with the addresses that each means; any other means none
 */
export function resolveHostsTo(app: TestApplication, names: Readonly<Record<string, readonly string[]>> = {}): void {
  app.application.get(HostResolver).addressesOf = (host) => Promise.resolve(names[host] ?? [host].filter(isAddress));
}

function isAddress(host: string): boolean {
  return /^[0-9.]+$|:/.test(host);
}
