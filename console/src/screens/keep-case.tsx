import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState, type ReactElement } from 'react';
import { api, dataOf, type Schema } from '../api/client';
import { Problem } from '../api/problem';
import { evidenceOf } from '../search/excerpt';
import { readableOf } from '../search/markdown-marks';
import { caseOf, isComplete, withCase, type KeptCase } from '../search/kept-case';
import { t } from '../texts/i18n';
import { Button, Field, Sheet } from '../ui/controls';
import { Icon } from '../ui/icon';
import { ErrorNote, Loading, Note } from '../ui/states';
import styles from './search.module.css';

/** The most that an evaluation case takes as words of a passage. */
const MOST_WORDS = 1000;

interface KeepCaseProps {
  readonly q: string;
  readonly result: Schema<'SearchResult'>;
  readonly onClose: () => void;
}

/** Keeps a question with the passage that should be found for it. */
export function KeepCase({ q, result, onClose }: KeepCaseProps): ReactElement {
  const sentence = evidenceOf(result, MOST_WORDS);
  return (
    <CaseSheet
      datasetId={result.dataset_id}
      kept={caseOf(q, result.document_id, sentence)}
      source={`${result.document_name}: “${readableOf(sentence)}”`}
      onClose={onClose}
    />
  );
}

interface CaseSheetProps {
  readonly datasetId: string;
  readonly kept: KeptCase;
  /** Where the answer stands; nothing for a question alone. */
  readonly source?: string;
  readonly onClose: () => void;
}

/** Puts a case into one of the dataset's case sets, or into a new one. */
export function CaseSheet({ datasetId, kept, source, onClose }: CaseSheetProps): ReactElement {
  const sets = useQuery({
    queryKey: ['case-sets', datasetId],
    queryFn: ({ signal }) => {
      const query = { dataset_id: datasetId, limit: 100, order_by: 'name' as const };
      return dataOf(api.GET('/api/v1/evaluations/case-sets', { params: { query }, signal }));
    },
  });
  return (
    <Sheet label={t('case.keep')} onClose={onClose}>
      <div className="stack">
        <h1>{t('case.keep')}</h1>
        <p>{t(source === undefined ? 'case.whatAnswer' : 'case.what')}</p>
        <blockquote className={styles['kept']}>
          <b>{kept.query}</b>
          {source !== undefined && <p>{source}</p>}
        </blockquote>
        {sets.error !== null && <ErrorNote error={sets.error} onRetry={() => void sets.refetch()} />}
        {sets.isPending && <Loading lines={3} />}
        {sets.data !== undefined && (
          <ChooseSet datasetId={datasetId} kept={kept} sets={sets.data.items} onClose={onClose} />
        )}
      </div>
    </Sheet>
  );
}

interface ChooseSetProps {
  readonly datasetId: string;
  readonly kept: KeptCase;
  readonly sets: readonly Schema<'CaseSetHead'>[];
  readonly onClose: () => void;
}

const NEW = '';

function ChooseSet({ datasetId, kept: given, sets, onClose }: ChooseSetProps): ReactElement {
  const [kept, change] = useState(given);
  const [chosen, choose] = useState(sets[0]?.id ?? NEW);
  const [name, setName] = useState(t('case.firstName'));
  const queries = useQueryClient();
  const id = useId();
  const keeping = useMutation({
    mutationFn: () => (chosen === NEW ? makeSet(datasetId, name.trim(), kept) : addTo(chosen, kept)),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['case-sets'] }),
  });
  if (keeping.data !== undefined)
    return (
      <>
        <Note icon="check" title={t('case.isKept', { name: keeping.data.name })}>
          <p>{t('case.count', { count: keeping.data.case_count })}</p>
        </Note>
        <p>
          <Button look="first" autoFocus onPress={onClose}>
            {t('close')}
          </Button>
        </p>
      </>
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete(kept) && (chosen !== NEW || name.trim() !== '')) keeping.mutate();
      }}
    >
      {(given.relevant ?? []).length === 0 && <WhatShouldCome kept={kept} onChange={change} />}
      {sets.length > 0 && (
        <div className="field">
          <label htmlFor={id}>{t('case.set')}</label>
          <select id={id} className="input" value={chosen} onChange={(event) => choose(event.target.value)}>
            {sets.map((set) => (
              <option key={set.id} value={set.id}>
                {set.name} ({t('case.count', { count: set.case_count })})
              </option>
            ))}
            <option value={NEW}>{t('case.new')}</option>
          </select>
        </div>
      )}
      {chosen === NEW && <Field label={t('case.name')} value={name} onChange={setName} maxLength={128} />}
      {keeping.error !== null && <ErrorNote error={keeping.error} />}
      <p className="tools">
        <Button look="first" type="submit" isDisabled={keeping.isPending || !isComplete(kept)}>
          <Icon name="check" />
          {t('case.keep')}
        </Button>
        <Button look="plain" onPress={onClose}>
          {t('cancel')}
        </Button>
      </p>
    </form>
  );
}

interface WhatShouldComeProps {
  readonly kept: KeptCase;
  readonly onChange: (kept: KeptCase) => void;
}

/** A question alone measures nothing: what should be answered, or that the documents do not say. */
function WhatShouldCome({ kept, onChange }: WhatShouldComeProps): ReactElement {
  const hasAnswer = kept.answerable !== false;
  return (
    <>
      {hasAnswer && (
        <Field
          label={t('case.expected')}
          value={kept.expected_answer ?? ''}
          onChange={(answer) => onChange({ ...kept, expected_answer: answer })}
          maxLength={4000}
        />
      )}
      <label className="check-line">
        <input
          type="checkbox"
          checked={!hasAnswer}
          onChange={(event) => onChange({ ...kept, expected_answer: null, answerable: !event.target.checked })}
        />
        {t('case.unanswerable')}
      </label>
    </>
  );
}

function makeSet(datasetId: string, name: string, kept: KeptCase): Promise<Schema<'CaseSetHead'>> {
  const body = { name, dataset_ids: [datasetId], cases: [kept] };
  return dataOf(api.POST('/api/v1/evaluations/case-sets', { body }));
}

/** Adds the case; one whose question the set has already is joined with that. */
async function addTo(setId: string, kept: KeptCase): Promise<Schema<'CaseSetHead'>> {
  const params = { path: { case_set_id: setId } };
  try {
    return await dataOf(api.PATCH(CASE_SET, { params, body: { add: [kept] } }));
  } catch (error) {
    if (!(error instanceof Problem) || !error.fields.some(({ code }) => code === 'unique')) throw error;
  }
  const { cases } = await dataOf(api.GET(CASE_SET, { params }));
  return dataOf(api.PATCH(CASE_SET, { params, body: { cases: withCase(cases, kept) } }));
}

const CASE_SET = '/api/v1/evaluations/case-sets/{case_set_id}';
