import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { useLocation } from 'wouter';
import { api, dataOf, type Schema } from '../api/client';
import { t } from '../texts/i18n';
import { Field } from '../ui/controls';
import { FormSheet } from '../ui/form-sheet';
import { evaluationAddress } from './addresses';

const LONGEST_NAME = 200;

interface StartEvaluationProps {
  readonly datasetId: string;
  readonly set: Schema<'CaseSetHead'>;
  /** Number of cases that will be asked. */
  readonly count: number;
  readonly onClose: () => void;
}

/** Has all cases of a set asked, and goes to what comes of it. */
export function StartEvaluation({ datasetId, set, count, onClose }: StartEvaluationProps): ReactElement {
  const [name, setName] = useState(set.name);
  const [isAnswered, answer] = useState(true);
  const queries = useQueryClient();
  const [, go] = useLocation();
  const starting = useMutation({
    mutationFn: () => {
      const variants = [{ name: 'default', ...(isAnswered ? { chat: {} } : {}) }];
      const body = { name: name.trim(), dataset_ids: set.dataset_ids, case_set_id: set.id, variants };
      return dataOf(api.POST('/api/v1/evaluations/jobs', { body }));
    },
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: ['evaluations'] });
      go(evaluationAddress(datasetId, id));
    },
  });
  return (
    <FormSheet
      title={t('evaluations.startOf', { name: set.name })}
      submitLabel={t('evaluations.start')}
      isReady={name.trim() !== ''}
      isPending={starting.isPending}
      error={starting.error}
      onSubmit={() => starting.mutate()}
      onClose={onClose}
    >
      <p>{t('evaluations.startWhat', { count })}</p>
      <Field label={t('evaluations.name')} value={name} onChange={setName} maxLength={LONGEST_NAME} />
      <label className="check-line">
        <input type="checkbox" checked={isAnswered} onChange={(event) => answer(event.target.checked)} />
        {t('evaluations.withAnswers')}
      </label>
    </FormSheet>
  );
}
