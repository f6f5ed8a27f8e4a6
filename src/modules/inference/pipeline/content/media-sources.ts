/** How addresses begin that are not in the request itself. */
export const ON_THE_WEB = /^https?:\/\//i;

/** The head of a base64 data URL: media type (127 characters at most) and parameters. */
const BASE64_URL = /^data:([^;,]{0,127})(?:;[^,]{0,1023})?;base64,/i;

/** Where the data of media begin in their source. */
interface DataPlace {
  readonly start: number;
  /** The media type; empty if none is named. */
  readonly type: string;
}

/** The data in a source: those of a data URL in base64, or all of it. @returns undefined for addresses and other data URLs */
export function dataIn(source: string): DataPlace | undefined {
  if (ON_THE_WEB.test(source)) return undefined;
  if (!/^data:/i.test(source)) return { start: 0, type: '' };
  const [beginning, type = ''] = BASE64_URL.exec(source) ?? [];
  return beginning === undefined ? undefined : { start: beginning.length, type };
}
