import { valueOfVariable } from '../../bootstrap/load-environment.js';
import { UsageError } from '../../bootstrap/usage-error.js';
import { DomainError } from '../../http/errors/domain-error.js';
import { ConfigurationService } from '../../modules/configuration/configuration.service.js';
import { requireApplicable } from '../../modules/configuration/reconciliation/applicable-request.js';
import { principalOfFiles } from '../../modules/configuration/reconciliation/files-principal.js';
import { withApplicationContext } from '../application-context.js';
import { memberOf } from '../organization-option.js';
import { type ConfigurationServer, Refused } from './operations.js';
import { remoteServer, type SendToServer, withInterface } from './remote-server.js';

/**
 * Works with the server of GATEHOUSE_URL and GATEHOUSE_KEY, or without these on the database of the deployment, as the oldest administrator of
 * an organization (docs/configuration.md#commands).
 *
 * @param organization the id of one; undefined for the oldest
 */
export async function withConfigurationServer<T>(
  organization: string | undefined,
  work: (server: ConfigurationServer) => Promise<T>,
): Promise<T> {
  return byInterfaceOrElse(
    organization,
    (send) => work(remoteServer(send)),
    () =>
      withApplicationContext(async (context) => {
        const { organizationId, userId } = await memberOf(context, organization, undefined);
        return work(localServer(context.get(ConfigurationService), organizationId, userId));
      }),
  );
}

/**
 * Works with the interface of GATEHOUSE_URL by GATEHOUSE_KEY, if these are set.
 *
 * @param organization what the command was told, which the key says there
 * @param orElse what is done without them
 */
export async function byInterfaceOrElse<T>(
  organization: string | undefined,
  work: (send: SendToServer) => Promise<T>,
  orElse: () => Promise<T>,
): Promise<T> {
  const url = valueOfVariable('GATEHOUSE_URL');
  if (url === undefined) return orElse();
  const key = valueOfVariable('GATEHOUSE_KEY');
  if (key === undefined) throw new UsageError('GATEHOUSE_URL needs GATEHOUSE_KEY: a management key.');
  if (organization !== undefined) throw new UsageError('With GATEHOUSE_URL the organization is that of the key.');
  return withInterface(url, key, work);
}

function localServer(service: ConfigurationService, organizationId: string, userId: string): ConfigurationServer {
  const caller = principalOfFiles(organizationId, userId, 'command_line');
  const { signal } = new AbortController();
  return {
    plan: (input) =>
      refusing(async () => {
        requireApplicable(input);
        return service.planned(caller, input, signal);
      }),
    apply: (input) =>
      refusing(async () => {
        requireApplicable(input);
        return service.applied(caller, input, signal);
      }),
    export: (input) => refusing(() => service.exported(caller, input, signal)),
    organizationId: () => Promise.resolve(organizationId),
  };
}

/** Runs an operation, whose errors become those that its answers would have. */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError) || error.status >= 500) throw error;
    throw new Refused(error.status, error.reason, error.metadata);
  }
}
