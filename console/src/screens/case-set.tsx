import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { api, dataOf, type Schema } from '../api/client';
import { t } from '../texts/i18n';
import { Confirm } from '../ui/confirm';
import { Button, Sheet } from '../ui/controls';
import { Icon } from '../ui/icon';
import { Row, Rows } from '../ui/rows';
import { ErrorNote, Loading } from '../ui/states';

type Case = Schema<'EvaluationCaseView'>;

/** A set with its cases; of a version, as an evaluation asked them. */
export const caseSetQuery = (id: string, version?: number) =>
  queryOptions({
    queryKey: ['case-sets', 'cases', id, version],
    queryFn: ({ signal }) => {
      const query = version === undefined ? {} : { version };
      const params = { path: { case_set_id: id }, query };
      return dataOf(api.GET('/api/v1/evaluations/case-sets/{case_set_id}', { params, signal }));
    },
  });

/** What should come of a case: an answer, a refusal, or text that is found. */
export function expectedWords({ answerable, expected_answer: answer, relevant = [] }: Case): readonly string[] {
  if (answerable === false) return [t('case.unanswerable')];
  const texts = relevant.flatMap(({ text }) => (text === undefined || text === null ? [] : [text]));
  return [
    ...(answer === null || answer === undefined ? [] : [t('questions.expected', { answer })]),
    ...texts.map((text) => t('case.find', { text })),
  ];
}

interface CaseSetSheetProps {
  readonly set: Schema<'CaseSetHead'>;
  readonly onClose: () => void;
}

/** The cases of a set, each of which can be taken out, and the way to delete them all. */
export function CaseSetSheet({ set, onClose }: CaseSetSheetProps): ReactElement {
  const [isAsking, ask] = useState(false);
  const queries = useQueryClient();
  const shown = useQuery(caseSetQuery(set.id));
  const params = { path: { case_set_id: set.id } };
  const onSuccess = (): Promise<void> => queries.invalidateQueries({ queryKey: ['case-sets'] });
  const removing = useMutation({
    mutationFn: (cases: Case[]) =>
      dataOf(api.PATCH('/api/v1/evaluations/case-sets/{case_set_id}', { params, body: { cases } })),
    onSuccess,
  });
  const deleting = useMutation({
    mutationFn: () => api.DELETE('/api/v1/evaluations/case-sets/{case_set_id}', { params }),
    onSuccess: async () => {
      onClose();
      await onSuccess();
    },
  });
  const cases = shown.data?.cases ?? [];
  // A set without a case is none: the last one goes with it.
  const remove = (gone: Case): void => {
    if (cases.length === 1) ask(true);
    else removing.mutate(cases.filter((one) => one !== gone));
  };
  return (
    <Sheet label={set.name} isWide onClose={onClose}>
      <div className="stack">
        <h1>{set.name}</h1>
        {shown.error !== null && <ErrorNote error={shown.error} onRetry={() => void shown.refetch()} />}
        {shown.isPending && <Loading lines={4} />}
        {cases.length > 0 && (
          <Rows label={t('evaluation.cases')}>
            {cases.map((one) => (
              <Row key={one.query} title={one.query} about={expectedWords(one)}>
                <Button
                  look="plain"
                  square
                  aria-label={t('case.remove', { question: one.query })}
                  isDisabled={removing.isPending}
                  onPress={() => remove(one)}
                >
                  <Icon name="trash" />
                </Button>
              </Row>
            ))}
          </Rows>
        )}
        {removing.error !== null && <ErrorNote error={removing.error} />}
        <p className="tools">
          <Button look="first" onPress={onClose}>
            {t('close')}
          </Button>
          <Button look="danger" onPress={() => ask(true)}>
            {t('case.deleteSet')}
          </Button>
        </p>
        {isAsking && (
          <Confirm
            title={t('case.deleteSetAsk', { name: set.name })}
            submitLabel={t('case.deleteSet')}
            isPending={deleting.isPending}
            error={deleting.error}
            onSubmit={() => deleting.mutate()}
            onClose={() => ask(false)}
          >
            <p>{t('case.deleteSetWhat')}</p>
          </Confirm>
        )}
      </div>
    </Sheet>
  );
}
