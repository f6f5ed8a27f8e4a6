import type { NewOrganization } from '../../../../src/modules/installation/installation.service.js';
import { GeneratedClient } from './generated-client.js';
import { INFERENCE_PATHS } from '../../../support/contract/public-contract.js';
import { type ContractRequests, contractRequests } from '../../../support/contract/contract-requests.js';
import { TestApplication } from '../../../support/application/test-application.js';

/** The vendors whose names clients of the public interface know (docs/interface/conventions.md#dialects). */
const VENDORS = { a: 'anthropic', b: 'openai', c: 'google', d: 'xai' } as const;

/** The other point in which the public dialect differs (docs/interface/conventions.md#dialects). */
const PUBLIC_STATUSES = { createScimGroupMapping: 201 } as const;

/** What API_DIALECT can be. */
export const DIALECTS = ['public', 'specification'] as const;

/** One of them. */
export type DialectName = (typeof DIALECTS)[number];

/** An application that speaks a dialect, and what a client of it starts with. */
export interface ClientFixture {
  readonly app: TestApplication;
  readonly client: GeneratedClient;
  readonly organization: NewOrganization;
  /** The organization's first management key. */
  readonly key: string;
}

/**
 * The contract of management in the names of a dialect. That of inference is tried by public clients
 * (test/e2e/inference) and with the operations on provider keys (test/e2e/providers).
 */
export function contractIn(dialect: DialectName): ContractRequests {
  const { operations, resolve } = spokenContract(dialect);
  const ofManagement = [...operations].filter(([, { path }]) => !INFERENCE_PATHS.includes(path));
  return { operations: new Map(ofManagement), resolve };
}

function spokenContract(dialect: DialectName): ContractRequests {
  if (dialect === 'specification') return contractRequests();
  const [specified, spoken] = [vendorFields('specification'), vendorFields('public')];
  return contractRequests((text) =>
    specified.reduce((rest, name, index) => rest.replaceAll(`"${name}"`, `"${spoken[index]}"`), text),
  );
}

/** The names of the fields of the four vendors, in their order. */
export function vendorFields(dialect: DialectName): readonly string[] {
  return Object.entries(VENDORS).map(([place, vendor]) =>
    dialect === 'public' ? `enforce_zdr_${vendor}` : `enforce_zdr_vendor_${place}`,
  );
}

/** Starts one, with what the interface has no operation for: a catalog, a first key, and SCIM. */
export async function clientFixture(contract: ContractRequests, dialect: DialectName): Promise<ClientFixture> {
  // The hosts of the destinations need not exist.
  const variables = { API_DIALECT: dialect, ALLOW_PRIVATE_DESTINATIONS: 'true' };
  const app = await TestApplication.start({ variables });
  const organization = await app.factory.organization();
  await app.factory.starterCatalog();
  await app.factory.enableScim(organization);
  const client = new GeneratedClient(contract, `${app.origin}/api/v1`, dialect === 'public' ? PUBLIC_STATUSES : {});
  return { app, client, organization, key: organization.managementKey };
}
