export { ModelListFilters } from './list/model-list-filters.js';
export { ReferenceForms } from './reference-forms.js';
export { capabilitiesOf } from './capabilities/default-capabilities.js';
export { type ChatOperation, ModelCapabilities, SchemaSupport, ToolNames } from './capabilities/model-capabilities.js';
export { CATALOG_EDITION } from './catalog.repository.js';
export type { CatalogEndpoint, ImageOffer } from './catalog-endpoint.js';
export { type Catalog, type CatalogModel, namedModel, toEndpointOffer } from './catalog-model.js';
export { UNKNOWN_MODEL, UNKNOWN_PROVIDER } from './catalog.errors.js';
export { CatalogModule, ModelObjectsModule } from './catalog.module.js';
export { CatalogLookup } from './catalog-lookup.service.js';
export { CatalogService, ListModelsResponse, type ModelOffer, UserModelsQuery } from './catalog.service.js';
export type { CatalogDocument } from './import/catalog-document.js';
export { InvalidCatalog } from './import/invalid-catalog.js';
export { CatalogImportService } from './import/catalog-import.service.js';
export type { ImportReport, ListReport } from './import/import-report.js';
export type { ImagePrice, ModelPricing, Percentiles } from './model-facts.js';
export { authorOf, fullNamesOf, isVariant, modelReferenceOf } from './model-reference.js';
export {
  INPUT_MODALITIES,
  OUTPUT_MODALITIES,
  QUANTIZATIONS,
  REASONING_EFFORTS,
  SUPPORTED_PARAMETERS,
} from './model-vocabulary.js';
export { hasCompletions, InvalidOwnModel, OwnModelsService } from './own-models/own-models.service.js';
export { isPricePerMillion, perMillion } from './own-models/price-per-million.js';
export { TOKEN_PRICES, type TokenPrices, tokenPricesIn } from './own-models/token-prices.js';
export {
  CHARGED_UNITS,
  type ChargedUnit,
  isUnitPrice,
  PRICES_OF_UNITS,
  unitPricesIn,
  type UnitPrices,
} from './own-models/charged-units.js';
export { namesSpeakers } from './named-speakers.js';
export { PrivateEndpointEntity } from './entities/private-endpoint.entity.js';
export { COUNTRIES } from './countries.js';
export { PrivateProviderEntity } from './entities/private-provider.entity.js';
export { PrivateCatalog } from './private/private-catalog.js';
export {
  PRIVATE_CATALOG_VERSION,
  PRIVATE_ENDPOINT_COLUMNS,
  type PlannedPrivateEndpoint,
  type PrivateEndpointRow,
} from './private/private-catalog.repository.js';
export {
  DECLARED_REGIONS,
  type DeclaredRegion,
  PRIVATE_ENDPOINT_STATUSES,
  type PrivateDataPolicy,
  type PrivateEndpointStatus,
  type PrivatePricing,
} from './private/private-endpoint.js';
export { addressOfEndpoint, privateEndpointOf, type PrivateModels } from './private/private-models.js';
export {
  hasNoPrice,
  possiblePrices,
  priceFaultOf,
  type PossiblePrices,
  type PricedRequest,
  priceInForce,
  type PriceName,
  type Prices,
  pricesInForce,
} from './price-rules.js';
