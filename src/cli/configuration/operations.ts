import type {
  ApplyConfigurationRequest,
  ApplyConfigurationResponse,
  ExportConfigurationQuery,
  ExportConfigurationResponse,
  PlanConfigurationRequest,
  PlanConfigurationResponse,
} from '../../modules/configuration/dto/configuration.dto.js';

/** A refusal of the interface: nothing was changed. */
export class Refused extends Error {
  /** @param metadata of the error: its reason, its issues, its conflicts */
  constructor(
    readonly status: number,
    message: string,
    readonly metadata: Readonly<Record<string, unknown>>,
  ) {
    super(message);
  }
}

/** The operations on configuration, here or on a server. All throw {@link Refused}. */
export interface ConfigurationServer {
  plan(input: PlanConfigurationRequest): Promise<PlanConfigurationResponse>;
  apply(input: ApplyConfigurationRequest): Promise<ApplyConfigurationResponse>;
  export(input: ExportConfigurationQuery): Promise<ExportConfigurationResponse>;
  organizationId(): Promise<string>;
}
