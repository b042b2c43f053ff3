import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactElement } from 'react';
import { useMe } from '../frame/queries';
import { deferAction, tellDone } from '../frame/deferred-actions';
import { formatNumber, t } from '../texts/i18n';
import { refusedWords } from '../texts/refused-words';
import { Button } from '../ui/controls';
import { Icon } from '../ui/icon';
import { ErrorNote, Note } from '../ui/states';
import { deletionsOf, sendBatch } from './document-batches';
import { carryOut, possibleActions, refusalsOf, type BatchAction, type Outcome, type Refusal } from './batch-actions';
import { knownRows } from './document-pages';
import { QuarantineSheet, TagSheet } from './document-sheets';
import styles from './documents.module.css';

const MOST_REASONS = 5;

interface SelectionProps {
  readonly datasetId: string;
  readonly selected: ReadonlySet<string>;
  /** As many as the list has. */
  readonly total: number;
  readonly onAll: () => void;
  readonly onDone: () => void;
}

interface Order {
  readonly action: BatchAction;
  readonly ids: readonly string[];
}

interface Told {
  readonly outcome: Outcome;
  readonly refusals: readonly Refusal[];
}

/** Carries out actions over documents of a dataset and keeps what became of the last one. */
function useBatchActions(datasetId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ action, ids }: Order): Promise<Told> => {
      // As they are called now: a deleted one is in no list afterwards.
      const rows = knownRows(queries, datasetId);
      const outcome = await carryOut(action, ids, sendBatch);
      return { outcome, refusals: refusalsOf(outcome, (id) => rows.get(id)?.name) };
    },
    onSettled: () =>
      Promise.all(
        [['documents', datasetId], ['facets', datasetId], ['datasets']].map((queryKey) =>
          queries.invalidateQueries({ queryKey }),
        ),
      ),
  });
}

/** What can be done with the chosen documents, and what became of those chosen before. */
export function SelectionBar({ datasetId, selected, total, onAll, onDone }: SelectionProps): ReactElement {
  const queries = useQueryClient();
  const doing = useBatchActions(datasetId);
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  const run = (action: BatchAction): void => {
    const ids = [...selected];
    onDone();
    if (action.name !== 'delete') {
      // Where nothing is left to be read it is said over the page: the rows may be far below the top of the list.
      void doing.mutateAsync({ action, ids }).then((told) => {
        if (!isWhole(told)) return;
        doing.reset();
        tellDone(sentenceOf(told.outcome));
      }, noted);
      return;
    }
    const [first] = ids;
    const name = ids.length === 1 ? knownRows(queries, datasetId).get(first!)?.name : undefined;
    const count = ids.length;
    const text = name === undefined ? t('deferred.deletes', { count }) : t('deferred.deletesOne', { name });
    const remove = async (): Promise<unknown> => {
      const told = await doing.mutateAsync({ action, ids });
      if (told.refusals.length === 0) doing.reset();
      // The page itself says what was refused, where it is still there.
      return isHere.current && told.refusals.length > 0 ? null : refusedText(told);
    };
    deferAction({ text, done: t('done.delete', { count }), ids, run: remove, departures: deletionsOf(ids) });
  };
  return (
    <>
      {doing.isPending && (
        <p className={`quiet small ${styles['doing']}`} role="status">
          {t('pick.doing', { count: doing.variables.ids.length })}
        </p>
      )}
      {doing.error !== null && <ErrorNote error={doing.error} />}
      {doing.data !== undefined && <Became told={doing.data} onClose={() => doing.reset()} />}
      {selected.size > 0 && (
        <Bar
          datasetId={datasetId}
          ids={[...selected]}
          isPending={doing.isPending}
          total={total}
          onAll={onAll}
          onAction={run}
          onClear={onDone}
        />
      )}
    </>
  );
}

interface BarProps {
  readonly datasetId: string;
  readonly ids: readonly string[];
  readonly isPending: boolean;
  readonly total: number;
  readonly onAll: () => void;
  readonly onAction: (action: BatchAction) => void;
  readonly onClear: () => void;
}

function Bar({ datasetId, ids, isPending, total, onAll, onAction, onClear }: BarProps): ReactElement {
  const me = useMe();
  const queries = useQueryClient();
  const [sheet, show] = useState<'quarantine' | 'tag'>();
  const able = possibleActions(ids, knownRows(queries, datasetId));
  const mayGovern = me.data?.permissions.includes('governance:write') === true;
  const close = (): void => show(undefined);
  return (
    <div className={styles['pick']} role="toolbar" aria-label={t('pick.label')}>
      <b>{t('pick.count', { count: ids.length })}</b>
      {/* What is most of it may be moved to the side where there is little room; what follows stays in sight. */}
      <div className={styles['actions']}>
        {able.retry && (
          <Button look="plain" onPress={() => onAction({ name: 'retry' })} isDisabled={isPending}>
            <Icon name="retry" />
            {t('pick.retry')}
          </Button>
        )}
        {able.reingest && (
          <Button look="plain" onPress={() => onAction({ name: 'reingest' })} isDisabled={isPending}>
            {t('pick.reingest')}
          </Button>
        )}
        {able.cancel && (
          <Button look="plain" onPress={() => onAction({ name: 'cancel' })} isDisabled={isPending}>
            <Icon name="stop" />
            {t('pick.cancel')}
          </Button>
        )}
        <Button look="plain" onPress={() => show('tag')} isDisabled={isPending}>
          <Icon name="tag" />
          {t('document.tags')}
        </Button>
        {mayGovern && able.quarantine && (
          <Button look="plain" onPress={() => show('quarantine')} isDisabled={isPending}>
            {t('pick.quarantine')}
          </Button>
        )}
        {mayGovern && able.release && (
          <Button look="plain" onPress={() => onAction({ name: 'release' })} isDisabled={isPending}>
            {t('pick.release')}
          </Button>
        )}
        <span className="push" />
        {ids.length < total && (
          <Button look="plain" onPress={onAll}>
            {t('pick.all', { total: formatNumber(total) })}
          </Button>
        )}
      </div>
      <Button look="danger" onPress={() => onAction({ name: 'delete' })} isDisabled={isPending}>
        <Icon name="trash" />
        {t('pick.delete')}
      </Button>
      <Button look="plain" square aria-label={t('pick.clear')} onPress={onClear}>
        <Icon name="cross" />
      </Button>
      {sheet === 'quarantine' && <QuarantineSheet count={ids.length} onAction={onAction} onClose={close} />}
      {sheet === 'tag' && <TagSheet datasetId={datasetId} ids={ids} onAction={onAction} onClose={close} />}
    </div>
  );
}

/** Whether all was done: nothing was refused, and nothing waits for another person. */
const isWhole = ({ outcome, refusals }: Told): boolean => refusals.length + outcome.awaiting.length === 0;

/** An error of the mutation is shown from its state. */
const noted = (): void => undefined;

/** How many were accepted, how many wait for another person, and how many were refused. */
function sentenceOf({ action, accepted, rejected, awaiting }: Outcome): string {
  const isNone = rejected.length + awaiting.length === 0;
  const parts = [
    (accepted.length > 0 || isNone) && t(`done.${action}`, { count: accepted.length }),
    awaiting.length > 0 && t('pick.awaiting', { count: awaiting.length }),
    rejected.length > 0 && t('pick.refused', { count: rejected.length }),
  ];
  return parts.filter((part) => part !== false).join(', ');
}

/** For who has gone to another page meanwhile; nothing where none was refused. */
function refusedText({ outcome, refusals }: Told): string | undefined {
  return refusals.length === 0
    ? undefined
    : `${sentenceOf(outcome)}: ${refusedWords(refusals[0]!.code, refusals[0]!.detail)}`;
}

interface BecameProps {
  readonly told: Told;
  readonly onClose: () => void;
}

/** What became of the chosen documents: how many were accepted, and the reasons for the others. */
function Became({ told: { outcome, refusals }, onClose }: BecameProps): ReactElement {
  const isRefused = refusals.length > 0;
  return (
    <div className={styles['became']}>
      <Note kind={isRefused ? 'warn' : 'plain'} icon={isRefused ? 'info' : 'check'} title={sentenceOf(outcome)}>
        {refusals.slice(0, MOST_REASONS).map(({ code, detail, count, names }) => (
          <p key={detail}>
            {detail === '' ? t('error.away') : refusedWords(code, detail)}{' '}
            <span className="quiet">
              {names.join(', ')}
              {count > names.length && names.length > 0 && ` ${t('pick.andMore', { count: count - names.length })}`}
            </span>
          </p>
        ))}
        {refusals.length > MOST_REASONS && <p>{t('pick.reasons', { count: refusals.length - MOST_REASONS })}</p>}
      </Note>
      <Button look="plain" square aria-label={t('tray.close')} onPress={onClose}>
        <Icon name="cross" />
      </Button>
    </div>
  );
}
