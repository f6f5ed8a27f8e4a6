import { isObject } from '../../../../api/validation/constraints.js';

/** A function in the form of the Responses interface. */
export interface ResponsesFunction {
  readonly type: 'function';
  readonly name: string;
  readonly description?: string | null;
  readonly parameters?: Readonly<Record<string, unknown>> | null;
  readonly strict?: boolean | null;
  readonly [field: string]: unknown;
}

/** A tool that is called with a text of any form, which a grammar may describe. */
export interface ResponsesCustomTool {
  readonly type: 'custom';
  readonly name: string;
  readonly description?: string | null;
  readonly format?: Readonly<Record<string, unknown>> | null;
  readonly [field: string]: unknown;
}

/** A group of tools, each of which is called by the name of the group and its own. */
export interface ResponsesNamespace {
  readonly type: 'namespace';
  readonly name: string;
  readonly tools: readonly (ResponsesFunction | ResponsesCustomTool)[];
  readonly [field: string]: unknown;
}

/** A search of the web, which the provider would run. */
export interface ResponsesWebSearch {
  readonly type: (typeof WEB_SEARCHES)[number];
}

/** A tool in the form of the Responses interface (docs/interface/responses.md#tools). */
export type ResponsesTool = ResponsesFunction | ResponsesCustomTool | ResponsesNamespace | ResponsesWebSearch;

/** The names of the search of the web. Coding agents offer it with every request, whatever the model. */
export const WEB_SEARCHES = [
  'web_search',
  'web_search_2025_08_26',
  'web_search_preview',
  'web_search_preview_2025_03_11',
] as const;

/** A tool that the caller runs, and under which name the model is offered it. */
export interface OfferedTool {
  readonly offeredName: string;
  readonly namespace: string | undefined;
  readonly tool: ResponsesFunction | ResponsesCustomTool;
}

/** The name of a tool for models, which know no namespaces. */
export function offeredNameOf(name: string, namespace: unknown): string {
  if (typeof namespace !== 'string' || namespace === '') return name;
  return namespace.endsWith('__') ? `${namespace}${name}` : `${namespace}__${name}`;
}

/** The tools that a model is offered: those of namespaces one by one, and no search of the web. */
export function offeredToolsOf(tools: readonly ResponsesTool[] | null | undefined): OfferedTool[] {
  return (tools ?? []).flatMap((tool): OfferedTool[] => {
    switch (tool.type) {
      case 'function':
      case 'custom':
        return [{ offeredName: tool.name, namespace: undefined, tool }];
      case 'namespace':
        return tool.tools.map((one) => ({
          offeredName: offeredNameOf(one.name, tool.name),
          namespace: tool.name,
          tool: one,
        }));
      default:
        return [];
    }
  });
}

/** Whether something in a list of tools is a search of the web. */
export function isWebSearch(tool: unknown): boolean {
  return isObject(tool) && WEB_SEARCHES.some((type) => type === tool.type);
}
