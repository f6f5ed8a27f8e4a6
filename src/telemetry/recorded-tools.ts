/** What begins the name of a tool, or of an MCP server, in the place of the model of a record: no slug of a provider has a colon. */
const PREFIX = 'mcp:';

/** What a record calls the tool of a server, where it names the model of other requests. @param tool undefined for the server itself */
export function recordedName(server: string, tool?: string): string {
  return tool === undefined ? `${PREFIX}${server}` : `${PREFIX}${server}/${tool}`;
}

/** The SQL condition for the name of a server or a tool. @param model the SQL of the model of a row */
export function sqlIsRecordedName(model: string): string {
  return `${model} LIKE '${PREFIX}%'`;
}

/** The SQL of the name of the server in such a name. */
export function sqlOfServer(model: string): string {
  return `split_part(${sqlOfTool(model)}, '/', 1)`;
}

/** The SQL of a tool, as `server/tool`, in the name of one. */
export function sqlOfTool(model: string): string {
  return `substr(${model}, ${PREFIX.length + 1})`;
}
