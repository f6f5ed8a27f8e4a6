export { ConfigurationModule } from './configuration.module.js';
export { ConfigurationRepository } from './configuration.repository.js';
export { ConfigurationService } from './configuration.service.js';
export { readFiles } from './document/configuration-document.js';
export { classesOf, configurationSchema } from './document/configuration-schema.js';
export type { PlaceOfName } from './document/names-within.js';
export { issuesOfReference, REFERENCE, type Reference } from './document/references.js';
export { isSecretReference, KEEP } from './document/secret-references.js';
export {
  ApplyConfigurationRequest,
  type ApplyConfigurationResponse,
  type ExportConfigurationQuery,
  type ExportConfigurationResponse,
  type PlanConfigurationRequest,
  type PlanConfigurationResponse,
} from './dto/configuration.dto.js';
export { ConfigurationFiles, variablesOf } from './files/configuration-files.js';
export { refusalInWords } from './files/refusal-in-words.js';
export { readSecrets, secretInFile, type Secrets, type SecretSources } from './files/secrets-of-files.js';
export { WrongFiles } from './files/wrong-files.js';
export {
  ConfiguredKind,
  everyPage,
  type Fields,
  type FurtherField,
  type KindContext,
  type ObjectAnswer,
  type PlannedObjects,
  type ShownObject,
  type WantedObjects,
} from './kinds/configured-kind.js';
export { ConfiguredKinds } from './kinds/configured-kinds.js';
export { ObjectsOfWorkspace } from './kinds/objects-of-workspace.js';
export { AddressedKind, LocalKind, ServedKind } from './kinds/served-kind.js';
export type { ConfigurationPlan, FieldChange, PlanImpact, PlannedChange } from './plan/configuration-plan.js';
export { type ModelsOfKey, ModelsOfKeys } from './plan/models-of-keys.js';
export { type CapturedRules, type ChangedRule, type PlanReplay, RecordedTraffic } from './plan/recorded-traffic.js';
export { requireApplicable } from './reconciliation/applicable-request.js';
export { ConfigurationReconciler } from './reconciliation/configuration-reconciler.service.js';
export { principalOfFiles } from './reconciliation/files-principal.js';
export { ManagedObjectsGauge } from './reconciliation/managed-objects-gauge.service.js';
