import { useEffect, useRef, useState, useSyncExternalStore, type ReactElement } from 'react';
import { Link, useSearchParams } from 'wouter';
import type { Schema } from '../api/client';
import { PlaceHead } from '../frame/place-head';
import { useDataset, useDatasets } from '../frame/queries';
import { t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { Icon } from '../ui/icon';
import { QuestionBox } from '../ui/question-box';
import { Empty, ErrorNote, Loading } from '../ui/states';
import { placeAddress, whereOf } from './addresses';
import { TurnView } from './turn';
import { conversationOf, type Turn } from './conversation';
import styles from './ask.module.css';

const MOST_DATASETS = 50;

/** Questions and answers over one dataset, or over everything that I may see. */
export default function Ask({ datasetId }: { readonly datasetId?: string }): ReactElement {
  return datasetId === undefined ? <AskAll /> : <AskOne datasetId={datasetId} />;
}

function AskOne({ datasetId }: { readonly datasetId: string }): ReactElement {
  const dataset = useDataset(datasetId);
  if (dataset.error !== null)
    return (
      <main className="body">
        <ErrorNote error={dataset.error} onRetry={() => void dataset.refetch()} />
      </main>
    );
  if (dataset.data === undefined)
    return (
      <main className="body">
        <Loading lines={6} />
      </main>
    );
  return (
    <>
      <PlaceHead dataset={dataset.data} tab="ask">
        <NewButton place={datasetId} />
      </PlaceHead>
      <Talk place={datasetId} datasetIds={[datasetId]} />
    </>
  );
}

function AskAll(): ReactElement {
  const datasets = useDatasets();
  if (datasets.error !== null)
    return (
      <main className="body">
        <ErrorNote error={datasets.error} onRetry={() => void datasets.refetch()} />
      </main>
    );
  if (datasets.data === undefined)
    return (
      <main className="body">
        <Loading lines={6} />
      </main>
    );
  const ids = datasets.data.items.slice(0, MOST_DATASETS).map(({ id }) => id);
  return (
    <>
      <header className="head">
        <div className="head-line">
          <h1>{t('ask.all')}</h1>
          <p className="quiet small say">{t('ask.over', { count: ids.length })}</p>
          <span className="push tools">
            <NewButton place="" />
          </span>
        </div>
        <div className="tabs" />
      </header>
      {ids.length === 0 ? (
        <main className="body">
          <Empty title={t('start.emptyTitle')} />
        </main>
      ) : (
        <Talk place="" datasetIds={ids} />
      )}
    </>
  );
}

function NewButton({ place }: { readonly place: string }): ReactElement {
  return (
    <Button onPress={() => conversationOf(place).clear()}>
      <Icon name="plus" />
      {t('ask.new')}
    </Button>
  );
}

function Talk({ place, datasetIds }: { readonly place: string; readonly datasetIds: readonly string[] }): ReactElement {
  const conversation = conversationOf(place);
  const turns = useSyncExternalStore(conversation.subscribe, conversation.current);
  const [search, setSearch] = useSearchParams();
  const [chosen, choose] = useState<{ readonly turn: number; readonly marker: string }>();
  const end = useRef<HTMLDivElement>(null);
  const q = search.get('q') ?? '';
  const ask = (question: string): void => {
    setSearch({ q: question }, { replace: true });
    void conversation.ask(question, datasetIds);
  };
  // The address holds the question: who comes with one, asks it, unless it was the last one asked.
  useEffect(() => {
    if (q !== '' && conversation.current().at(-1)?.question !== q) void conversation.ask(q, datasetIds);
  }, [q]);
  const isComing = turns.at(-1)?.state === 'coming';
  useEffect(() => {
    // In some browsers it answers with a promise, which is no clean-up.
    end.current?.scrollIntoView({ block: 'end' });
  }, [turns.length]);
  const shown = turns.find(({ id }) => id === chosen?.turn) ?? turns.at(-1);
  return (
    <main className={styles['talk']}>
      <div className={styles['turns']}>
        {turns.length === 0 && <p className={styles['begin']}>{t('ask.begin')}</p>}
        {turns.map((turn) => (
          <TurnView
            key={turn.id}
            turn={turn}
            place={place}
            marker={chosen?.turn === turn.id ? chosen.marker : undefined}
            onCite={(marker) => choose({ turn: turn.id, marker })}
            onAgain={() => ask(turn.question)}
          />
        ))}
        <div ref={end} />
        <div className={styles['composer']}>
          <QuestionBox
            label={t(turns.length === 0 ? 'start.placeholder' : 'ask.followUp')}
            onAsk={ask}
            onStop={isComing ? () => conversation.stop() : undefined}
          />
        </div>
      </div>
      <Sources turn={shown} marker={chosen?.turn === shown?.id ? chosen?.marker : undefined} />
    </main>
  );
}

interface SourcesProps {
  readonly turn: Turn | undefined;
  readonly marker: string | undefined;
}

function Sources({ turn, marker }: SourcesProps): ReactElement {
  const cited = (turn?.sources ?? []).filter((source) => citationsOf(turn!, source.marker).length > 0);
  const others = (turn?.sources.length ?? 0) - cited.length;
  return (
    <aside className={styles['sources']} aria-label={t('ask.sources')}>
      <h2>{t('ask.sources')}</h2>
      {cited.length === 0 && <p className="quiet small">{t('ask.noSources')}</p>}
      {cited.map((source) => (
        <SourceCard key={source.marker} turn={turn!} source={source} isHere={source.marker === marker} />
      ))}
      {others > 0 && turn?.state === 'done' && <p className="quiet small">{t('ask.notCited', { count: others })}</p>}
    </aside>
  );
}

function citationsOf(turn: Turn, marker: string): readonly Schema<'ChatCitation'>[] {
  return turn.citations.filter((citation) => citation.marker === marker);
}

interface CardProps {
  readonly turn: Turn;
  readonly source: Schema<'ChatAnswerSource'>;
  readonly isHere: boolean;
}

function SourceCard({ turn, source, isHere }: CardProps): ReactElement {
  const citations = citationsOf(turn, source.marker);
  const [first] = citations;
  return (
    <article className={isHere ? 'source here' : 'source'}>
      <header>
        <span className={isHere ? 'cite here' : 'cite'}>{source.marker.slice(1, -1)}</span>
        <span className="cut" title={source.path ?? source.document_name}>
          {source.document_name}
        </span>
      </header>
      <blockquote>
        {citations.map(({ id, cited_text: text }) => (
          <p key={id}>
            <mark>{text}</mark>
          </p>
        ))}
      </blockquote>
      <p className="tools source-foot">
        <small>{whereOf(source)}</small>
        {first !== undefined && (
          <Link className="link small push" href={placeAddress(first)}>
            {t('ask.open')}
          </Link>
        )}
      </p>
    </article>
  );
}
