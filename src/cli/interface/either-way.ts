import type { INestApplicationContext } from '@nestjs/common';
import { valueOfVariable } from '../../bootstrap/load-environment.js';
import { UsageError } from '../../bootstrap/usage-error.js';
import { DomainError } from '../../http/errors/domain-error.js';
import { withApplicationContext } from '../application-context.js';
import { organizationIdOf } from '../organization-option.js';
import { type InterfaceClient, withInterface } from './interface-client.js';
import { Refused } from './refused.js';

/** The two ways in which a command does its work, with the same result. */
export interface EitherWay<T> {
  /** With the server of GATEHOUSE_URL, by GATEHOUSE_KEY. */
  readonly byInterface: (server: InterfaceClient) => Promise<T>;
  /** On the database of the deployment. */
  readonly byDatabase: () => Promise<T>;
}

/** The same, for work on one organization of the database. */
export interface EitherWayOnOrganization<T> extends Pick<EitherWay<T>, 'byInterface'> {
  readonly byDatabase: (context: INestApplicationContext, organizationId: string) => Promise<T>;
}

/** The same, for work on the whole deployment. */
export interface EitherWayOnDeployment<T> extends Pick<EitherWay<T>, 'byInterface'> {
  readonly byDatabase: (context: INestApplicationContext) => Promise<T>;
}

/** What refusals mean for a command, by their reasons. */
export type Sentences = Readonly<Record<string, string>>;

/**
 * Works in the way that the environment says.
 *
 * @param organization what the command was told, which the key says at a server
 * @throws Refused for what an operation refuses, in either way
 * @throws UsageError for what is wrong with GATEHOUSE_URL and GATEHOUSE_KEY
 */
export async function eitherWay<T>(
  organization: string | undefined,
  { byInterface, byDatabase }: EitherWay<T>,
): Promise<T> {
  const url = valueOfVariable('GATEHOUSE_URL');
  if (url === undefined) return refusing(byDatabase);
  const key = valueOfVariable('GATEHOUSE_KEY');
  if (key === undefined) throw new UsageError('GATEHOUSE_URL needs GATEHOUSE_KEY: a management key.');
  if (organization !== undefined) throw new UsageError('With GATEHOUSE_URL the organization is that of the key.');
  return withInterface(url, key, byInterface);
}

/**
 * Works on an organization in the way that the environment says.
 *
 * @param organization the id of one; undefined for the oldest
 * @throws UsageError also for what an operation refuses, in the same words in either way
 */
export async function onOrganization<T>(
  organization: string | undefined,
  { byInterface, byDatabase }: EitherWayOnOrganization<T>,
  sentences: Sentences = {},
): Promise<T> {
  return explaining(sentences, () =>
    eitherWay(organization, {
      byInterface,
      byDatabase: () =>
        withApplicationContext(async (context) => byDatabase(context, await organizationIdOf(context, organization))),
    }),
  );
}

/** Runs work whose refusals become sentences. @throws UsageError in place of a refusal */
export async function explaining<T>(sentences: Sentences, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    throw new UsageError(sentences[error.reason] ?? error.explanation);
  }
}

/** Runs an operation, whose errors become those that its answers would have. @throws Refused */
export async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError) || error.status >= 500) throw error;
    throw new Refused(error.status, error.reason, error.metadata);
  }
}
