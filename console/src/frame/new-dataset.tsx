import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { useLocation } from 'wouter';
import { api, dataOf, type Schema } from '../api/client';
import { t, type TextKey } from '../texts/i18n';
import { nameFault } from '../texts/refused-words';
import { Field } from '../ui/controls';
import { FormSheet } from '../ui/form-sheet';

type Sight = NonNullable<Schema<'CreateDatasetRequest'>['acl']>;
const SIGHTS: readonly (readonly [Sight, TextKey])[] = [
  ['only_me', 'sight.only_me'],
  ['all_team_members', 'sight.all_team_members'],
];

/** Asks for a name and who will see it, makes the dataset and goes there. */
export function NewDataset({ onClose }: { readonly onClose: () => void }): ReactElement {
  const [name, setName] = useState('');
  const [acl, setAcl] = useState<Sight>('only_me');
  const [, go] = useLocation();
  const queries = useQueryClient();
  const making = useMutation({
    mutationFn: () => dataOf(api.POST('/api/v1/datasets/', { body: { name: name.trim(), acl } })),
    onSuccess: async (dataset) => {
      await queries.invalidateQueries({ queryKey: ['datasets'] });
      onClose();
      go(`/d/${dataset.id}/documents`);
    },
  });
  const nameError = nameFault(making.error);
  return (
    <FormSheet
      title={t('dataset.new')}
      submitLabel={t('dataset.make')}
      isReady={name.trim() !== ''}
      isPending={making.isPending}
      error={nameError === undefined ? making.error : null}
      onSubmit={() => making.mutate()}
      onClose={onClose}
    >
      <Field label={t('dataset.name')} value={name} onChange={setName} error={nameError} autoFocus isRequired />
      <fieldset className="choices">
        <legend>{t('dataset.whoSees')}</legend>
        {SIGHTS.map(([value, key]) => (
          <label key={value}>
            <input type="radio" name="acl" checked={acl === value} onChange={() => setAcl(value)} />
            {t(key)}
          </label>
        ))}
      </fieldset>
    </FormSheet>
  );
}
