import type { JsonSchema } from './json-schema.js';
import { orNull, referenceTo } from './named-schemas.js';

/**
 * Lists of words that several fields share, each with a field that has it. Any other list is named after its schema and its field, as
 * generators would call it only if there were no second field of that name.
 */
export const SHARED_ENUMERATIONS: Readonly<Record<string, string>> = {
  AdjustmentAction: 'GenerationAdjustment.action',
  AlertKind: 'Alert.kind',
  AnalyticsFilterOperator: 'AnalyticsOperator.name',
  AnalyticsGranularityName: 'AnalyticsGranularity.name',
  BudgetInterval: 'BudgetState.interval',
  ChosenTool: 'ChatToolChoice',
  CodeChallengeMethod: 'CreateAuthKeysCodeRequest.code_challenge_method',
  ResetInterval: 'CreateKeyRequest.limit_reset',
  ConsentBy: 'OrganizationSettings.consent_by',
  ContentFilterAction: 'ContentFilterEntry.action',
  ContentFilterPlace: 'ContentFilterEntry.applies_to',
  ContentFilterScanScope: 'ContentFilterBuiltinEntry.scan_scope',
  ContentFilterSlug: 'ContentFilterBuiltinEntry.slug',
  CountryCode: 'Provider.headquarters',
  DataCollection: 'ProviderPreferences.data_collection',
  DataRegion: 'Generation.data_region',
  DestinationRegion: 'CreateObservabilityDestinationRequest.regions',
  DestinationState: 'DestinationDeliveries.state',
  DestinationType: 'CreateObservabilityDestinationRequest.type',
  EvaluatedOperation: 'EvaluateGuardrailRequest.operation',
  ExclusionReason: 'EvaluatedExclusion.reason',
  FeedbackCategory: 'GenerationFeedback.category',
  FinishReason: 'ChatCompletionChoice.finish_reason',
  HealthCondition: 'ProviderHealth.condition',
  ImageBackground: 'ImageGenerationRequest.background',
  InputModality: 'ModelArchitecture.input_modalities',
  InspectorFailureAction: 'Inspector.on_failure',
  InspectorProtocol: 'Inspector.protocol',
  InstructType: 'ModelArchitecture.instruct_type',
  KeysOfDeactivatedMembers: 'OrganizationSettings.keys_of_deactivated_members',
  MemberKind: 'OrganizationMember.kind',
  MemberStatus: 'OrganizationMember.status',
  ModelOperation: 'ModelCapabilities.operations',
  Necessity: 'ModelCapabilities.file_names',
  OpenAiImageFormat: 'OpenAiImageRequest.output_format',
  OpenAiImageQuality: 'OpenAiImageRequest.quality',
  OrganizationRole: 'OrganizationMember.role',
  OutputModality: 'ModelArchitecture.output_modalities',
  Permission: 'ManagementKey.scopes',
  PresetStatus: 'Preset.status',
  PrivateEndpointStatus: 'PrivateEndpoint.status',
  ProviderConnectionCredential: 'ProviderConnection.credential',
  ProviderConnectionProtocol: 'ProviderConnection.protocol',
  ProviderConnectionSource: 'ProviderConnection.sources',
  ProviderSort: 'ProviderPreferences.sort',
  Quantization: 'ModelEndpoint.quantization',
  ReasoningEffort: 'ChatCompletionRequest.reasoning_effort',
  ReasoningSummary: 'ReasoningOptions.summary',
  ResponsesModality: 'ResponsesRequest.modalities',
  ResponsesRole: 'ResponsesInputMessage.role',
  ResponsesTruncation: 'ResponsesRequest.truncation',
  Route: 'ChatCompletionRequest.route',
  ServiceTier: 'ChatCompletionRequest.service_tier',
  SupportedParameter: 'Model.supported_parameters',
  SuspensionCause: 'Key.suspension_causes',
  TimestampGranularity: 'TranscriptionRequest.timestamp_granularities',
  Tokenizer: 'ModelArchitecture.tokenizer',
  TranscriptionFormat: 'TranscriptionRequest.response_format',
  WorkspaceRole: 'WorkspaceMember.role',
};

type Schemas = Readonly<Record<string, JsonSchema>>;

/** An enumeration, and where it stands, such as `Key.status`. */
export interface PlacedEnumeration {
  readonly place: string;
  readonly values: readonly unknown[];
}

/**
 * Gives a name to each enumeration and each object that is written out inside another schema: generators call those after the field alone,
 * with a number where another field has the same name.
 *
 * @returns the schemas, with the new ones among them
 * @throws Error where a name would stand for two schemas
 */
export function withNamedParts(schemas: Schemas): Record<string, JsonSchema> {
  const parts = new PartNames(schemas);
  const named = Object.entries(schemas).map(([name, schema]) => [name, parts.inside(schema, name, name)] as const);
  return { ...Object.fromEntries(named), ...parts.found };
}

/** All enumerations that are written out in schemas. */
export function enumerationsOf(schemas: Schemas): PlacedEnumeration[] {
  const found: PlacedEnumeration[] = [];
  const visit = (schema: JsonSchema, place: string): void => {
    const values = wordsOf(schema);
    if (values.length > 1) found.push({ place, values });
    for (const [name, child] of Object.entries(schema.properties ?? {})) visit(child, `${place}.${name}`);
    const { items, additionalProperties, anyOf = [], oneOf = [] } = schema;
    const others = [items, typeof additionalProperties === 'object' ? additionalProperties : undefined];
    for (const child of [...others, ...anyOf, ...oneOf]) if (child !== undefined) visit(child, place);
  };
  for (const [name, schema] of Object.entries(schemas)) visit(schema, name);
  return found;
}

class PartNames {
  readonly found: Record<string, JsonSchema> = {};
  private readonly shared: ReadonlyMap<string, readonly [name: string, values: readonly unknown[]]>;

  constructor(private readonly schemas: Schemas) {
    const places = new Map(enumerationsOf(schemas).map(({ place, values }) => [place, values]));
    const known = Object.entries(SHARED_ENUMERATIONS).flatMap(([name, place]) => {
      const values = places.get(place);
      return values === undefined ? [] : [[keyOf(values), [name, values]] as const];
    });
    this.shared = new Map(known);
  }

  /** A schema with its parts named. @param name of the schema: parts are called after it */
  inside(schema: JsonSchema, name: string, place: string): JsonSchema {
    const { properties, items, additionalProperties, anyOf, oneOf } = schema;
    const part = (child: JsonSchema, suffix = ''): JsonSchema => this.part(child, `${name}${suffix}`, place);
    return {
      ...schema,
      ...(properties && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([field, child]) => [
            field,
            this.part(child, name + inPascalCase(field), `${place}.${field}`),
          ]),
        ),
      }),
      ...(items && { items: part(items, isEnumeration(items) ? '' : 'Item') }),
      ...(typeof additionalProperties === 'object' && { additionalProperties: part(additionalProperties, 'Value') }),
      ...(anyOf && { anyOf: anyOf.map((child) => part(child, child.properties ? 'Object' : '')) }),
      ...(oneOf && { oneOf: oneOf.map((child) => part(child, child.properties ? 'Object' : '')) }),
    };
  }

  private part(schema: JsonSchema, name: string, place: string): JsonSchema {
    if (isEnumeration(schema)) return this.enumeration(schema, name);
    if (schema.properties === undefined) return this.inside(schema, name, place);
    const { description, examples, type, ...rest } = schema;
    const object = this.inside({ ...rest, type: 'object', ...(description && { description }) }, name, place);
    return around({ ...(description && { description }), ...(examples && { examples }) }, this.add(name, object), type);
  }

  private enumeration(schema: JsonSchema, name: string): JsonSchema {
    const { enum: _values, type, ...rest } = schema;
    const words = wordsOf(schema);
    const kind = [type ?? 'string'].flat().find((one) => one !== 'null')!;
    if (words.length === 1) {
      const only: JsonSchema = { type: kind, const: words[0] };
      return isNullable(type) ? { ...rest, ...orNull(only) } : { ...rest, ...only };
    }
    const [known, values] = this.shared.get(keyOf(words)) ?? [name, words];
    return around(rest, this.add(known, { type: kind, enum: values }), type);
  }

  /** @returns a reference to the part */
  private add(name: string, schema: JsonSchema): JsonSchema {
    const before = this.found[name] ?? this.schemas[name];
    if (before !== undefined && JSON.stringify(before) !== JSON.stringify(schema)) {
      throw new Error(`there are two schemas ${name}`);
    }
    this.found[name] = schema;
    return referenceTo(name);
  }
}

/** A reference with what is said of it at its place. @param type of what was there */
function around(outer: JsonSchema, reference: JsonSchema, type: JsonSchema['type']): JsonSchema {
  return isNullable(type) ? { ...outer, ...orNull(reference) } : { ...outer, ...reference };
}

function isNullable(type: JsonSchema['type']): boolean {
  return [type].flat().includes('null');
}

/** Words: numbers that are enumerated stay where they are. */
function isEnumeration(schema: JsonSchema): boolean {
  return wordsOf(schema).length > 0;
}

function wordsOf({ enum: values = [] }: JsonSchema): readonly unknown[] {
  const words = values.filter((value) => value !== null);
  return words.every((word) => typeof word === 'string') ? words : [];
}

function keyOf(values: readonly unknown[]): string {
  return [...values].sort().join('\n');
}

function inPascalCase(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
}
