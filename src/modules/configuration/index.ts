export { ConfigurationModule } from './configuration.module.js';
export { ConfigurationRepository } from './configuration.repository.js';
export { ConfigurationService } from './configuration.service.js';
export { readFiles } from './document/configuration-document.js';
export { issuesOfReference, type Reference } from './document/references.js';
export {
  isSecretReference,
  KEEP,
  secretNameOf,
  type SecretReference,
  secretsIn,
} from './document/secret-references.js';
export {
  ApplyConfigurationRequest,
  type ApplyConfigurationResponse,
  type ExportConfigurationQuery,
  type ExportConfigurationResponse,
  type PlanConfigurationRequest,
  type PlanConfigurationResponse,
} from './dto/configuration.dto.js';
export {
  ConfiguredKind,
  everyPage,
  type Fields,
  type FurtherField,
  type KindContext,
  type ObjectAnswer,
  type ShownObject,
  type WantedObjects,
} from './kinds/configured-kind.js';
export { ConfiguredKinds } from './kinds/configured-kinds.js';
export { AddressedKind, LocalKind, ServedKind } from './kinds/served-kind.js';
export type { ConfigurationPlan, FieldChange, PlanImpact, PlannedChange } from './plan/configuration-plan.js';
export { type ModelsOfKey, ModelsOfKeys } from './plan/models-of-keys.js';
