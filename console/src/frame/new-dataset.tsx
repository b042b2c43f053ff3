import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { Form } from 'react-aria-components';
import { useLocation } from 'wouter';
import { api, dataOf, type Schema } from '../api/client';
import { Problem } from '../api/problem';
import { t, type TextKey } from '../texts/i18n';
import { Button, Field, Sheet } from '../ui/controls';
import { ErrorNote } from '../ui/states';

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
  const nameError =
    making.error instanceof Problem
      ? (making.error.fields.find(({ pointer }) => pointer.endsWith('name'))?.detail ??
        (making.error.code === 'datasets.name_taken' ? making.error.message : undefined))
      : undefined;
  return (
    <Sheet label={t('dataset.new')} onClose={onClose}>
      <Form
        onSubmit={(event) => {
          event.preventDefault();
          making.mutate();
        }}
      >
        <h1>{t('dataset.new')}</h1>
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
        {making.error !== null && nameError === undefined && <ErrorNote error={making.error} />}
        <p className="tools">
          <Button look="first" type="submit" isDisabled={name.trim() === '' || making.isPending}>
            {t('dataset.make')}
          </Button>
          <Button look="plain" onPress={onClose}>
            {t('cancel')}
          </Button>
        </p>
      </Form>
    </Sheet>
  );
}
