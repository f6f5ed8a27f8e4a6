import type { ReactNode } from 'react';
import { api, answered } from '../../api/client';
import { CreateKeyRequest } from '../../api/descriptions';
import { nameOfMember, useMembers, useWorkspaces } from '../../api/names';
import { useChange } from '../../api/use-change';
import { FormDialog } from '../../components/dialog';
import { requestFields, SelectField, TextField } from '../../components/fields';
import { fromLocalInput } from '../../components/filters';
import { setterOf, useKeptForm } from '../../components/kept-form';
import { SecretDialog } from '../../components/secret-dialog';
import { KeySnippets } from './key-snippets';
import { KeyFields, toRequest, UNLIMITED } from './key-form';

/** What stands in the form of a new key; the time as its input has it. */
const NEW_KEY = { settings: UNLIMITED, workspace: '', owner: '', expiry: '' };

/** Makes a key, and shows its secret once. */
export function CreateKey({ onClose }: { readonly onClose: () => void }): ReactNode {
  const workspaces = useWorkspaces();
  const members = useMembers();
  const kept = useKeptForm('new key', () => NEW_KEY);
  const { settings, workspace, owner, expiry } = kept.draft;
  const set = setterOf(kept);
  const create = useChange({
    run: () =>
      answered(
        api.POST('/api/v1/keys', {
          body: {
            ...toRequest(settings),
            ...(workspace !== '' && { workspace_id: workspace }),
            ...(owner !== '' && { creator_user_id: owner }),
            expires_at: fromLocalInput(expiry),
          },
        }),
      ),
    invalidates: ['keys'],
    says: ({ data }) => `The key ${data.name} was created.`,
  });
  if (create.data !== undefined) {
    return (
      <SecretDialog title={`The key ${create.data.data.name}`} secret={create.data.key} onClose={onClose}>
        <KeySnippets hash={create.data.data.hash} />
      </SecretDialog>
    );
  }
  const of = requestFields(CreateKeyRequest, create.error);
  return (
    <FormDialog title="Create a key" submit="Create the key" change={create} kept={kept} onClose={onClose}>
      <KeyFields value={settings} onChange={(changed) => set({ settings: changed })} error={create.error} />
      <SelectField
        label="Workspace"
        {...of('workspace_id')}
        value={workspace}
        options={[['', 'The default workspace'], ...workspaces.map(({ id, name }) => [id, name] as const)]}
        onChange={(changed) => set({ workspace: changed })}
      />
      <SelectField
        label="Owner"
        {...of('creator_user_id')}
        value={owner}
        options={[['', 'You'], ...members.map((member) => [member.id, nameOfMember(member)] as const)]}
        onChange={(changed) => set({ owner: changed })}
      />
      <TextField
        label="Expires"
        type="datetime-local"
        {...of('expires_at')}
        value={expiry}
        onChange={(changed) => set({ expiry: changed })}
      />
    </FormDialog>
  );
}
