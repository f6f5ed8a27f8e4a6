import { type ReactNode, type SubmitEvent, useState } from 'react';
import { api, answered } from '../../api/client';
import { UpdateOrganizationSettingsRequest } from '../../api/descriptions';
import { useMay } from '../../api/session';
import type { Schema } from '../../api/types';
import { useChange } from '../../api/use-change';
import { Facts } from '../../components/facts';
import { Failure } from '../../components/failure';
import { NumberField, requestFields, SelectField } from '../../components/fields';
import { Section } from '../../components/page';
import { usd } from '../../components/values';

type Settings = Schema<'OrganizationSettings'>;

const CONSENT_BY = [
  ['members', 'Every member'],
  ['administrators', 'Administrators only'],
] as const;

/** Who may allow applications a key, and up to which limit. */
export function ConsentSettings({ settings }: { readonly settings: Settings }): ReactNode {
  const may = useMay();
  return (
    <Section title="Applications that ask for a key">
      {may('settings_write') ? (
        <ConsentForm settings={settings} />
      ) : (
        <Facts
          facts={[
            ['Allowed by', CONSENT_BY.find(([value]) => value === settings.consent_by)?.[1]],
            ['Highest limit', settings.consent_maximum_limit === null ? 'Any' : usd(settings.consent_maximum_limit)],
          ]}
        />
      )}
    </Section>
  );
}

function ConsentForm({ settings }: { readonly settings: Settings }): ReactNode {
  const [by, setBy] = useState(settings.consent_by);
  const [maximum, setMaximum] = useState(settings.consent_maximum_limit);
  const save = useChange({
    run: () =>
      answered(
        api.PATCH('/api/v1/organization/settings', { body: { consent_by: by, consent_maximum_limit: maximum } }),
      ),
    invalidates: ['settings'],
    says: 'The settings were saved.',
  });
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!save.isPending) save.mutate();
  };
  const of = requestFields(UpdateOrganizationSettingsRequest, save.error);
  return (
    <form className="narrow" onSubmit={send}>
      <SelectField
        label="Who may allow them a key"
        {...of('consent_by')}
        value={by}
        options={CONSENT_BY}
        onChange={(chosen) => setBy(chosen as Settings['consent_by'])}
      />
      <NumberField
        label="Highest limit of such a key in US dollars"
        {...of('consent_maximum_limit')}
        min={0}
        step="any"
        value={maximum}
        onChange={setMaximum}
      />
      <Failure error={save.error} />
      <div className="actions">
        <button type="submit" aria-disabled={save.isPending}>
          Save
        </button>
      </div>
    </form>
  );
}
