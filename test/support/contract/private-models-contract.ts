import { readFileSync } from 'node:fs';
import type { Contract } from './public-contract.js';

/** What is known of the operations on private models of the public interface. */
const FILE = 'test/contract/private-models-contract.json';

/** The one name of its maker's, which no answer on private models fills, in the default dialect. */
const RENAMED = ['"openrouter_metadata"', '"service_metadata"'] as const;

/** How its answers differ here (docs/interface/private-models.md#differences-from-the-public-interface). */
const DIFFERENCES = {
  listPrivateEndpoints: { total_count: { type: 'integer' } },
  listPrivateProviders: { total_count: { type: 'integer' } },
} as const;

/** What a deletion answers, which the documentation of the public interface does not say. */
const DELETED = {
  'application/json': {
    schema: { type: 'object', required: ['deleted'], properties: { deleted: { const: true } } },
  },
};

/** An operation of the contract, as far as its answers are changed. */
interface DescribedOperation {
  readonly operationId: string;
  readonly responses: Record<string, { content?: { 'application/json': { schema: { properties?: object } } } }>;
}

/** @returns the contract of the operations on private models, with what is decided otherwise here */
export function readPrivateModelsContract(): Contract {
  const contract = JSON.parse(readFileSync(FILE, 'utf8').replaceAll(...RENAMED)) as Contract;
  for (const operation of Object.values(contract.paths).flatMap((methods) => Object.values(methods))) {
    const { operationId, responses } = operation as DescribedOperation;
    const success = Object.entries(responses).find(([status]) => status.startsWith('2'))![1];
    success.content ??= DELETED;
    const further = DIFFERENCES[operationId as keyof typeof DIFFERENCES];
    if (further !== undefined) Object.assign(success.content['application/json'].schema.properties!, further);
  }
  const { PrivateEndpoint: endpoint } = contract.components.schemas;
  const properties = endpoint!['properties'] as Record<string, object>;
  properties['created_at'] = { type: 'string', format: 'date-time' };
  properties['pricing'] = { anyOf: [properties['pricing'], { type: 'null' }] };
  return contract;
}
