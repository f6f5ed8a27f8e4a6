import {
  AzureContentSafetyInspectorSettings,
  BedrockInspectorSettings,
  ClassifierInspectorSettings,
  LakeraInspectorSettings,
  ModelArmorInspectorSettings,
  ModelInspectorSettings,
  OpenAiModerationInspectorSettings,
  PresidioInspectorSettings,
  TextsInspectorSettings,
} from '../../api/descriptions';
import type { Schema } from '../../api/types';
import type { Option } from '../../components/fields';

export type InspectorProtocol = Schema<'InspectorProtocol'>;

/** One of the settings of a protocol, as the form has it. */
export interface SettingField<Name extends string = string> {
  readonly name: Name;
  readonly label: string;
  /** A line, several lines, a number, a list with one a line, or an object as JSON. */
  readonly kind: 'line' | 'text' | 'number' | 'list' | 'json';
  /** What can be chosen; empty for nothing chosen. */
  readonly options?: readonly Option[];
  readonly isRequired?: true;
}

/** What inspectors of a protocol are told, and how the form calls it. */
interface ProtocolForm {
  readonly label: string;
  /** Absent for one that names its server in each inspector; else what it is where none is named. */
  readonly usualAddress?: string;
  /** Absent for a model of the gateway: it has no server, and so no address and no secrets. */
  readonly key?: 'required' | 'optional';
  /** Whether requests are signed, if there is a secret for that. */
  readonly isSigned?: true;
  /** What the interface says of its settings. */
  readonly descriptions?: Readonly<Record<string, string>>;
  readonly settings: readonly SettingField[];
}

/** The settings of a class of the interface: the compiler names one that is not there any more. */
function settings<Settings extends object>(
  ...fields: readonly SettingField<keyof Settings & string>[]
): readonly SettingField[] {
  return fields;
}

/** The protocols by name, the usual one first. */
export const PROTOCOLS: Readonly<Record<InspectorProtocol, ProtocolForm>> = {
  texts: {
    label: 'Texts (LiteLLM)',
    key: 'optional',
    isSigned: true,
    descriptions: TextsInspectorSettings,
    settings: settings<Schema<'TextsInspectorSettings'>>({
      name: 'parameters',
      label: 'Parameters',
      kind: 'json',
    }),
  },
  messages: { label: 'Messages (agentgateway, kgateway)', key: 'optional', isSigned: true, settings: [] },
  portkey: { label: 'Portkey', key: 'optional', isSigned: true, settings: [] },
  model: {
    label: 'Judge model of the gateway',
    descriptions: ModelInspectorSettings,
    settings: settings<Schema<'ModelInspectorSettings'>>(
      {
        name: 'model',
        label: 'Model',
        kind: 'line',
        isRequired: true,
      },
      {
        name: 'form',
        label: 'How it is asked',
        kind: 'line',
        options: [
          ['', 'As Llama Guard'],
          ['verdict', 'With a prompt of your own, for a verdict'],
        ],
      },
      { name: 'prompt', label: 'Prompt', kind: 'text' },
      {
        name: 'categories',
        label: 'Codes that block',
        kind: 'list',
      },
    ),
  },
  bedrock: {
    label: 'Amazon Bedrock Guardrails',
    usualAddress: 'that of the region',
    key: 'required',
    descriptions: BedrockInspectorSettings,
    settings: settings<Schema<'BedrockInspectorSettings'>>(
      { name: 'region', label: 'Region', kind: 'line', isRequired: true },
      { name: 'guardrail_id', label: 'Guardrail', kind: 'line', isRequired: true },
      { name: 'guardrail_version', label: 'Version', kind: 'line' },
    ),
  },
  'azure-content-safety': {
    label: 'Azure AI Content Safety',
    key: 'required',
    descriptions: AzureContentSafetyInspectorSettings,
    settings: settings<Schema<'AzureContentSafetyInspectorSettings'>>(
      {
        name: 'threshold',
        label: 'Severity from which texts are blocked',
        kind: 'number',
        options: [
          ['', 'Low (2)'],
          ['4', 'Medium (4)'],
          ['6', 'High (6)'],
        ],
      },
      {
        name: 'categories',
        label: 'Categories',
        kind: 'list',
      },
      { name: 'blocklists', label: 'Blocklists', kind: 'list' },
    ),
  },
  'azure-prompt-shields': { label: 'Azure Prompt Shields', key: 'required', settings: [] },
  'model-armor': {
    label: 'Google Model Armor',
    usualAddress: 'that of the location',
    key: 'required',
    descriptions: ModelArmorInspectorSettings,
    settings: settings<Schema<'ModelArmorInspectorSettings'>>(
      { name: 'project', label: 'Project', kind: 'line', isRequired: true },
      { name: 'location', label: 'Location', kind: 'line', isRequired: true },
      { name: 'template', label: 'Template', kind: 'line', isRequired: true },
    ),
  },
  lakera: {
    label: 'Lakera Guard',
    usualAddress: 'https://api.lakera.ai',
    key: 'required',
    descriptions: LakeraInspectorSettings,
    settings: settings<Schema<'LakeraInspectorSettings'>>({
      name: 'project_id',
      label: 'Project',
      kind: 'line',
    }),
  },
  'openai-moderation': {
    label: 'OpenAI moderation',
    usualAddress: 'https://api.openai.com/v1',
    key: 'optional',
    descriptions: OpenAiModerationInspectorSettings,
    settings: settings<Schema<'OpenAiModerationInspectorSettings'>>(
      { name: 'model', label: 'Model', kind: 'line' },
      { name: 'categories', label: 'Categories that block', kind: 'list' },
    ),
  },
  presidio: {
    label: 'Presidio',
    key: 'optional',
    descriptions: PresidioInspectorSettings,
    settings: settings<Schema<'PresidioInspectorSettings'>>(
      { name: 'language', label: 'Language', kind: 'line' },
      { name: 'entities', label: 'Entities', kind: 'list' },
      { name: 'score_threshold', label: 'Score from which an entity counts', kind: 'number' },
      {
        name: 'action',
        label: 'What happens to entities',
        kind: 'line',
        options: [
          ['', 'They are masked'],
          ['block', 'They block'],
        ],
      },
    ),
  },
  classifier: {
    label: 'Classifier (text-embeddings-inference)',
    key: 'optional',
    descriptions: ClassifierInspectorSettings,
    settings: settings<Schema<'ClassifierInspectorSettings'>>(
      { name: 'labels', label: 'Labels that block', kind: 'list', isRequired: true },
      {
        name: 'threshold',
        label: 'Score that they have together from which a text is blocked',
        kind: 'number',
      },
    ),
  },
};

/** The protocols as a choice. */
export const PROTOCOL_OPTIONS: readonly Option[] = Object.entries(PROTOCOLS).map(([name, { label }]) => [name, label]);
