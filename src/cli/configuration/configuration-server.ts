import type {
  ApplyConfigurationRequest,
  ApplyConfigurationResponse,
  ExportConfigurationQuery,
  ExportConfigurationResponse,
  PlanConfigurationRequest,
  PlanConfigurationResponse,
} from '../../modules/configuration/dto/configuration.dto.js';
import { ConfigurationService } from '../../modules/configuration/configuration.service.js';
import { requireApplicable } from '../../modules/configuration/reconciliation/applicable-request.js';
import { principalOfFiles } from '../../modules/configuration/reconciliation/files-principal.js';
import { withApplicationContext } from '../application-context.js';
import { eitherWay, refusing } from '../interface/either-way.js';
import type { InterfaceClient } from '../interface/interface-client.js';
import { memberOf } from '../organization-option.js';

/** The operations on configuration, here or on a server. All throw {@link Refused}. */
export interface ConfigurationServer {
  plan(input: PlanConfigurationRequest): Promise<PlanConfigurationResponse>;
  apply(input: ApplyConfigurationRequest): Promise<ApplyConfigurationResponse>;
  export(input: ExportConfigurationQuery): Promise<ExportConfigurationResponse>;
  organizationId(): Promise<string>;
}

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
  return eitherWay(organization, {
    byInterface: (server) => work(remoteServer(server)),
    byDatabase: () =>
      withApplicationContext(async (context) => {
        const { organizationId, userId } = await memberOf(context, organization, undefined);
        return work(localServer(context.get(ConfigurationService), organizationId, userId));
      }),
  });
}

function remoteServer(server: InterfaceClient): ConfigurationServer {
  return {
    plan: (body) => server.call('planConfiguration', { body }),
    apply: (body) => server.call('applyConfiguration', { body }),
    export: (query) => server.call('exportConfiguration', { query }),
    organizationId: () => server.organizationId(),
  };
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
