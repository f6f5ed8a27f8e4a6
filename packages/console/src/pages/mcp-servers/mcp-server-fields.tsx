import type { ReactNode } from 'react';
import { CreateMcpServerRequest } from '../../api/descriptions';
import { useWorkspaces } from '../../api/names';
import { CheckField, NumberField, requestFields, SelectField, TextArea, TextField } from '../../components/fields';
import { isByTokens, type McpServerDraft } from './mcp-server-draft';

/** How a server is shown who asks, and how forms call it. */
const AUTHENTICATIONS = {
  none: 'Nothing',
  bearer: 'A bearer token',
  header: 'A header of its own',
  oauth_client_credentials: 'A token for the gateway (OAuth)',
  oauth_member: 'A token of each member (OAuth)',
} as const satisfies Readonly<Record<McpServerDraft['authentication'], string>>;

interface McpServerFieldsProps {
  readonly draft: McpServerDraft;
  readonly onChange: (draft: McpServerDraft) => void;
  readonly secret: string;
  readonly onSecret: (secret: string) => void;
  readonly error: Error | null;
  /** The mask of the secret that it has; undefined for a new server, whose name can be chosen. */
  readonly mask?: string | null;
}

/** The fields of an MCP server. */
export function McpServerFields({ draft, onChange, secret, onSecret, error, mask }: McpServerFieldsProps): ReactNode {
  const workspaces = useWorkspaces();
  const of = requestFields(CreateMcpServerRequest, error);
  const set = (changed: Partial<McpServerDraft>): void => onChange({ ...draft, ...changed });
  return (
    <>
      {mask === undefined && (
        <TextField label="Name" {...of('name')} isRequired value={draft.name} onChange={(name) => set({ name })} />
      )}
      <TextField
        label="Address"
        type="url"
        {...of('url')}
        isRequired
        value={draft.url}
        onChange={(url) => set({ url })}
      />
      <SelectField
        label="It is shown"
        {...of('authentication')}
        value={draft.authentication}
        options={Object.entries(AUTHENTICATIONS)}
        onChange={(chosen) => set({ authentication: chosen as McpServerDraft['authentication'] })}
      />
      {draft.authentication === 'header' && (
        <TextField
          label="Header"
          {...of('header')}
          isRequired
          value={draft.header}
          onChange={(header) => set({ header })}
        />
      )}
      {isByTokens(draft.authentication) && (
        <>
          <TextField
            label="Authorization server"
            {...of('authorization_server')}
            value={draft.authorizationServer}
            onChange={(authorizationServer) => set({ authorizationServer })}
          />
          <TextField
            label="Client ID"
            {...of('client_id')}
            isRequired={draft.authentication === 'oauth_client_credentials'}
            value={draft.clientId}
            onChange={(clientId) => set({ clientId })}
          />
          <TextField label="Scope" {...of('scope')} value={draft.scope} onChange={(scope) => set({ scope })} />
        </>
      )}
      {draft.authentication !== 'none' && (
        <TextField
          label="Secret"
          type="password"
          {...of('secret')}
          {...(mask != null && { hint: `Empty: it stays ${mask}.` })}
          isRequired={mask == null && draft.authentication !== 'oauth_member'}
          value={secret}
          onChange={onSecret}
        />
      )}
      <CheckField label="Enabled" {...of('enabled')} value={draft.enabled} onChange={(enabled) => set({ enabled })} />
      <CheckField
        label="Trust what it says of effects"
        {...of('trusted')}
        value={draft.trusted}
        onChange={(trusted) => set({ trusted })}
      />
      <CheckField
        label="Follow it without approvals"
        {...of('follow')}
        value={draft.follow}
        onChange={(follow) => set({ follow })}
      />
      <CheckField
        label="All workspaces"
        {...of('workspace_ids')}
        value={draft.workspaces === null}
        onChange={(isAll) => set({ workspaces: isAll ? null : [] })}
      />
      {draft.workspaces !== null && (
        <fieldset>
          <legend>Workspaces whose keys may use it</legend>
          {workspaces.map(({ id, name }) => (
            <label key={id} className="choice">
              <input
                type="checkbox"
                checked={draft.workspaces!.includes(id)}
                onChange={(event) =>
                  set({
                    workspaces: event.target.checked
                      ? [...draft.workspaces!, id]
                      : draft.workspaces!.filter((other) => other !== id),
                  })
                }
              />
              {name}
            </label>
          ))}
        </fieldset>
      )}
      <details>
        <summary>Prices and time</summary>
        <NumberField
          label="Price per call in US dollars"
          {...of('price_per_call')}
          min={0}
          step="any"
          value={draft.price}
          onChange={(price) => set({ price })}
        />
        <TextArea
          label="Prices of single tools"
          {...of('tool_prices')}
          value={draft.toolPrices}
          onChange={(toolPrices) => set({ toolPrices })}
        />
        <p className="hint">
          One a line, as <code>search_code=0.01</code>.
        </p>
        <NumberField
          label="Time limit in milliseconds"
          {...of('timeout_ms')}
          min={500}
          max={600_000}
          value={draft.timeout}
          onChange={(timeout) => set({ timeout })}
        />
      </details>
    </>
  );
}
