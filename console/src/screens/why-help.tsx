import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { api, dataOf, type Schema } from '../api/client';
import { useDataset } from '../frame/queries';
import { writePolicy } from '../frame/policy';
import { changesOf } from '../search/option-changes';
import { merged, optionsOf, withOptions, type SearchOptions } from '../search/search-options';
import { t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { ErrorNote, Note } from '../ui/states';
import { refusedWords } from '../texts/refused-words';
import { mayPass } from './failure-codes';
import { Changes } from './search-applied';
import { actionWords } from './why-words';
import styles from './why.module.css';

type Explanation = Schema<'ExplainResponse'>;
type Suggestion = Schema<'ExplainSuggestion'>;

interface HelpProps {
  readonly datasetId: string;
  readonly q: string;
  readonly options: SearchOptions;
  readonly explanation: Explanation;
}

/** What brings it back: changes of the search that were tried, or what has to be done about the document first. */
export function Help(props: HelpProps): ReactElement | null {
  const { explanation } = props;
  if (explanation.verdict === 'retrieved') return null;
  const { suggestions } = explanation;
  return (
    <aside className={styles['help']}>
      <h2>{t('why.help')}</h2>
      {explanation.verdict === 'not_indexed' && <Remedy {...props} />}
      {explanation.verdict !== 'not_indexed' && suggestions.length === 0 && <Note icon="info">{t('why.noHelp')}</Note>}
      {suggestions.length > 0 && (
        <>
          <ul className="panel">
            {suggestions.map((suggestion, index) => (
              <SuggestionRow
                key={`${suggestion.action}${JSON.stringify(suggestion.change)}`}
                {...props}
                suggestion={suggestion}
                isFirst={index === 0}
              />
            ))}
          </ul>
          <p className="small">{t('why.verified')}</p>
        </>
      )}
    </aside>
  );
}

/** Options that a dataset can have as its own. */
const DEFAULTS: readonly string[] = [
  'top_k',
  'search_method',
  'candidate_k',
  'fusion',
  'score_threshold',
  'rerank',
  'mmr',
  'use_kg',
];

interface SuggestionRowProps extends HelpProps {
  readonly suggestion: Suggestion;
  readonly isFirst: boolean;
}

/** A suggestion, what it changes, and the buttons that apply it: to this search, or to every search of the dataset. */
function SuggestionRow({ datasetId, options, explanation, suggestion, isFirst }: SuggestionRowProps): ReactElement {
  const [address] = useSearchParams();
  const [, go] = useLocation();
  const dataset = useDataset(datasetId);
  const after = merged(options, suggestion.change);
  const isForAll =
    dataset.data?.effective_permissions.includes('policies:write') === true &&
    Object.keys(suggestion.change).every((name) => DEFAULTS.includes(name));
  return (
    <li>
      <p>{actionWords(suggestion)}</p>
      <Changes changes={changesOf(options, after)} />
      <p className="small quiet">{t('why.tried', { rank: suggestion.rank })}</p>
      <p className="tools">
        <Button
          look={isFirst ? 'first' : 'usual'}
          onPress={() => go(appliedAddress(datasetId, address, suggestion.change, explanation))}
        >
          {t('why.apply')}
        </Button>
        {isForAll && <ForAll datasetId={datasetId} patch={{ ...withoutFilters(options), ...suggestion.change }} />}
      </p>
    </li>
  );
}

function withoutFilters({ filters: _filters, dataset_ids: _ids, ...rest }: SearchOptions): SearchOptions {
  return rest;
}

/** The search with a change, which its address carries whole, as it does the options before. */
function appliedAddress(
  datasetId: string,
  address: URLSearchParams,
  change: Readonly<Record<string, unknown>>,
  { evidence }: Explanation,
): string {
  const before = optionsOf(address);
  const next = withOptions(address, merged(before, change));
  for (const name of ['text', 'document', 'chunk', 'purpose', 'follow_up']) next.delete(name);
  next.set('before', withOptions(new URLSearchParams(), before).toString());
  if (evidence.chunk !== null) next.set('look', evidence.chunk.chunk_id);
  return `/d/${datasetId}/search?${next.toString()}`;
}

interface ForAllProps {
  readonly datasetId: string;
  readonly patch: Readonly<Record<string, unknown>>;
}

/** Makes the change what the dataset has for every search and answer that says nothing else; asks first, and takes it back. */
function ForAll({ datasetId, patch }: ForAllProps): ReactElement {
  const queries = useQueryClient();
  const [isAsking, ask] = useState(false);
  const applying = useMutation({
    mutationFn: () =>
      writePolicy(datasetId, t('why.comment'), ({ retrieval_defaults: former = {}, ...policy }) => ({
        ...policy,
        retrieval_defaults: merged(former as SearchOptions, patch),
      })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['search'] }),
  });
  const undoing = useMutation({
    mutationFn: (version: number) =>
      dataOf(
        api.POST('/api/v1/datasets/{id}/ingestion-policy/rollback', {
          params: { path: { id: datasetId } },
          body: { version },
        }),
      ),
    onSuccess: () => {
      applying.reset();
      ask(false);
      return queries.invalidateQueries({ queryKey: ['search'] });
    },
  });
  const again = (): void => void queries.invalidateQueries({ queryKey: ['explain'] });
  if (applying.data !== undefined) {
    const { former } = applying.data;
    return (
      <Note icon="check" title={t('why.isForAll')}>
        <p className="note-acts tools">
          <Button onPress={() => undoing.mutate(former)} isDisabled={undoing.isPending}>
            {t('soon.undo')}
          </Button>
          <Button onPress={again}>{t('why.lookAgain')}</Button>
        </p>
        {undoing.error !== null && <ErrorNote error={undoing.error} />}
      </Note>
    );
  }
  if (!isAsking) return <Button onPress={() => ask(true)}>{t('why.forAll')}</Button>;
  return (
    <Note icon="info" title={t('why.forAllAsk')}>
      <p>{t('why.forAllWhat')}</p>
      <p className="note-acts tools">
        <Button look="first" autoFocus onPress={() => applying.mutate()} isDisabled={applying.isPending}>
          {t('why.forAll')}
        </Button>
        <Button onPress={() => ask(false)}>{t('cancel')}</Button>
      </p>
      {applying.error !== null && <ErrorNote error={applying.error} />}
    </Note>
  );
}

/** No change of a search helps while the document is not there to be found. */
function Remedy({ datasetId, explanation }: HelpProps): ReactElement {
  const queries = useQueryClient();
  const { code, evidence } = explanation;
  const id = evidence.document?.document_id;
  const isFailed = evidence.document?.status === 'failed' && mayPass(evidence.document.error_code ?? undefined);
  const retrying = useMutation({
    mutationFn: (document: string) =>
      dataOf(api.POST('/api/v1/documents/batch/retry', { body: { document_ids: [document] } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['documents'] }),
  });
  const refused = retrying.data?.rejected[0];
  return (
    <Note icon="info" title={t('why.first')}>
      <p>{t(`remedy.${REMEDIES[code] ?? 'document'}`)}</p>
      <p className="note-acts tools">
        {id !== undefined && isFailed && (
          <Button onPress={() => retrying.mutate(id)} isDisabled={retrying.isPending}>
            {t('pick.retry')}
          </Button>
        )}
        {id !== undefined && (
          <Link className="button" href={`/d/${evidence.document?.dataset_id ?? datasetId}/documents/${id}`}>
            {t('why.openDocument')}
          </Link>
        )}
        <Link className="button" href={`/d/${datasetId}/quality`}>
          {t('tab.quality')}
        </Link>
        {retrying.data !== undefined && (
          <Button onPress={() => void queries.invalidateQueries({ queryKey: ['explain'] })}>
            {t('why.lookAgain')}
          </Button>
        )}
      </p>
      {refused !== undefined && <p>{refusedWords(refused.code, refused.detail)}</p>}
      {retrying.error !== null && <ErrorNote error={retrying.error} />}
    </Note>
  );
}

const REMEDIES: Readonly<Record<string, 'words' | 'document' | 'embedding' | 'unknown'>> = {
  LOST_AT_PARSE: 'words',
  LOST_AT_CHUNKING: 'words',
  STALE_EMBEDDING: 'embedding',
  VECTOR_MISSING: 'embedding',
  DOCUMENT_UNKNOWN: 'unknown',
  DELETED: 'unknown',
};
