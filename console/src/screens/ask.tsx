import { useEffect, useRef, useState, useSyncExternalStore, type ReactElement } from 'react';
import { Link, useSearchParams } from 'wouter';
import { FirstDataset } from '../frame/first-dataset';
import { PlaceHead } from '../frame/place-head';
import { usePageTitle } from '../frame/page-title';
import { useIsQuoting } from '../frame/models';
import { useDataset, useDatasets } from '../frame/queries';
import { t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { Icon } from '../ui/icon';
import { keepQuestion, QuestionBox } from '../ui/question-box';
import { ErrorNote, ErrorPage, faultOf, Loading } from '../ui/states';
import { useFirstPlace } from './open-ahead';
import { Sources } from './sources';
import { TurnView } from './turn';
import {
  beginAt,
  conversationOf,
  leaveAt,
  subscribePlaces,
  type Conversation,
  type Shown,
  type Turn,
} from './conversation';
import styles from './ask.module.css';

/** So many datasets may be asked at once. */
const MOST_DATASETS = 50;

/** Questions and answers over one dataset, or over everything that I may see. `c` in the address is the conversation. */
export default function Ask({ datasetId }: { readonly datasetId?: string }): ReactElement {
  return datasetId === undefined ? <AskAll /> : <AskOne datasetId={datasetId} />;
}

function AskOne({ datasetId }: { readonly datasetId: string }): ReactElement {
  const dataset = useDataset(datasetId);
  const conversation = useConversation(datasetId);
  if (faultOf(dataset) !== null) return <ErrorPage error={dataset.error} onRetry={() => void dataset.refetch()} />;
  if (dataset.data === undefined)
    return (
      <main className="body">
        <Loading lines={6} />
      </main>
    );
  return (
    <>
      <PlaceHead dataset={dataset.data} tab="ask">
        <Ways place={datasetId} />
      </PlaceHead>
      <Talk conversation={conversation} place={datasetId} datasetIds={[datasetId]} />
    </>
  );
}

function AskAll(): ReactElement {
  const datasets = useDatasets();
  const conversation = useConversation('');
  const { turns, title } = useSyncExternalStore(conversation.subscribe, conversation.current);
  usePageTitle(t('tab.ask'), t('ask.all'));
  if (faultOf(datasets) !== null) return <ErrorPage error={datasets.error} onRetry={() => void datasets.refetch()} />;
  if (datasets.data === undefined)
    return (
      <main className="body">
        <Loading lines={6} />
      </main>
    );
  const { items, total } = datasets.data;
  const single = singleOf(turns, new Set(items.map(({ id }) => id)));
  const asked = single === undefined ? items.slice(0, MOST_DATASETS) : items.filter(({ id }) => id === single);
  return (
    <>
      <header className="head">
        <div className="head-line">
          <h1 className="cut">{title ?? t('ask.all')}</h1>
          {asked.length > 0 && (
            <p className="quiet small say">
              {single === undefined && total > 1
                ? t(asked.length < total ? 'ask.overSome' : 'ask.over', { count: asked.length, total })
                : t(single === undefined ? 'ask.overNamed' : 'ask.overOne', { name: asked[0]!.name })}
            </p>
          )}
          <span className="push tools">
            <Ways place="" />
          </span>
        </div>
        <div className="tabs" />
      </header>
      {asked.length === 0 ? (
        <main className="body">
          <NoDataset />
        </main>
      ) : (
        <Talk conversation={conversation} place={single ?? ''} datasetIds={asked.map(({ id }) => id)} hasTabs={false} />
      )}
    </>
  );
}

/** Nothing can be asked yet: the question of the address is kept for the dataset that is made now. */
function NoDataset(): ReactElement {
  const [search] = useSearchParams();
  const q = search.get('q') ?? '';
  useEffect(() => keepQuestion(q), [q]);
  return <FirstDataset>{q !== '' && <p>{t('ask.kept', { question: q })}</p>}</FirstDataset>;
}

/** A conversation about a single dataset goes on with that one. */
function singleOf(turns: readonly Turn[], visible: ReadonlySet<string>): string | undefined {
  const asked = turns.at(-1)?.datasetIds ?? [];
  const [id] = asked;
  return asked.length === 1 && visible.has(id!) && visible.size > 1 ? id : undefined;
}

/** The conversation of the address, else the last one at this place. */
function useConversation(place: string): Conversation {
  const [search, setSearch] = useSearchParams();
  const id = search.get('c') ?? undefined;
  const q = search.get('q') ?? '';
  // Who comes with a question begins anew with it.
  useState(() => {
    if (id === undefined && q !== '' && conversationOf(place).current().turns.at(-1)?.question !== q) leaveAt(place);
  });
  // "New" changes neither address nor state of a page that has no conversation in its address.
  const conversation = useSyncExternalStore(subscribePlaces, () => conversationOf(place, id));
  const shown = useSyncExternalStore(conversation.subscribe, conversation.current);
  useEffect(() => {
    if (id !== undefined && conversation.current().id === undefined) void conversation.load(id);
  }, [conversation, id]);
  useEffect(() => {
    if (shown.id !== undefined && shown.id !== id) setSearch({ c: shown.id }, { replace: true });
  }, [shown.id, id]);
  return conversation;
}

/** Ways to other conversations. */
function Ways({ place }: { readonly place: string }): ReactElement {
  const [, setSearch] = useSearchParams();
  return (
    <>
      <Link className="button" href="/conversations">
        <Icon name="clock" />
        {t('conversations.title')}
      </Link>
      <Button
        onPress={() => {
          beginAt(place);
          setSearch({});
        }}
      >
        <Icon name="plus" />
        {t('ask.new')}
      </Button>
    </>
  );
}

interface TalkProps {
  readonly conversation: Conversation;
  readonly place: string;
  readonly datasetIds: readonly string[];
  /** Whether the head above has a row of tabs. */
  readonly hasTabs?: boolean;
}

function Talk({ conversation, place, datasetIds, hasTabs = true }: TalkProps): ReactElement {
  const shown = useSyncExternalStore(conversation.subscribe, conversation.current);
  const { turns } = shown;
  const [search] = useSearchParams();
  const [chosen, choose] = useState<{ readonly turn: number; readonly marker: string }>();
  const end = useRef<HTMLDivElement>(null);
  const isQuoting = useIsQuoting();
  const q = search.get('q') ?? '';
  const ask = (question: string): void => void conversation.ask(question, datasetIds);
  // The address holds the question until it is asked.
  useEffect(() => {
    if (q !== '' && conversation.current().turns.at(-1)?.question !== q) ask(q);
  }, [q]);
  const isComing = turns.some(({ state }) => state === 'coming');
  const newest = turns.at(-1)?.id;
  useFirstPlace(turns.at(-1)?.citations[0]);
  useEffect(() => {
    const last = end.current?.previousElementSibling;
    const isTall = (last?.clientHeight ?? 0) > window.innerHeight / 2;
    // A long answer is read from its question on. In some browsers this answers with a promise, which is no clean-up.
    if (isTall) last?.scrollIntoView({ block: 'start' });
    else end.current?.scrollIntoView({ block: 'end' });
  }, [newest, isComing]);
  // An answer that was there when the page was opened is not said.
  const [heard, hear] = useState<number>();
  useEffect(() => {
    if (isComing) hear(newest);
  }, [isComing, newest]);
  // What was looked at of an earlier answer is not beside a new question.
  useEffect(() => choose(undefined), [newest]);
  const looked = turns.find(({ id }) => id === chosen?.turn) ?? turns.at(-1);
  const isGone = !shown.isReady && shown.error !== undefined;
  return (
    <main className={hasTabs ? styles['talk'] : `${styles['talk']} ${styles['low']}`}>
      <p className="hidden-text" role="status" data-said="answer">
        {heard === newest && said(turns.at(-1))}
      </p>
      <div className={styles['turns']}>
        <Beginning conversation={conversation} shown={shown} />
        {turns.map((turn) => (
          <TurnView
            key={turn.id}
            turn={turn}
            conversation={conversation}
            place={place}
            marker={chosen?.turn === turn.id ? chosen.marker : undefined}
            onCite={(marker) => choose({ turn: turn.id, marker })}
            onAgain={() => void conversation.again(turn, datasetIds)}
          />
        ))}
        <div ref={end} className={styles['end']} />
        {!isGone && (
          <div className={styles['composer']}>
            <QuestionBox
              label={t(turns.length === 0 ? 'start.placeholder' : 'ask.followUp')}
              focusFor={turns.length === 0 && shown.isReady ? conversation : undefined}
              onAsk={ask}
              onStop={isComing ? () => conversation.stop() : undefined}
            />
            {isQuoting && <p className={styles['quotes']}>{t('ask.quotes')}</p>}
          </div>
        )}
      </div>
      <Sources
        turn={looked}
        marker={chosen?.turn === looked?.id ? chosen?.marker : undefined}
        isOneOfMany={turns.length > 1}
      />
    </main>
  );
}

/** For who does not see the answer: it is not read out word by word while it comes. What has failed is said where it is shown. */
function said(turn: Turn | undefined): string {
  if (turn?.state === 'coming') return t('said.coming');
  if (turn?.state === 'stopped') return t('said.stopped');
  if (turn?.state !== 'done') return '';
  if (turn.refusal !== undefined) return t(turn.sources.length === 0 ? 'refused.title' : 'said.noAnswer');
  return t('said.answered', { count: new Set(turn.citations.map(({ marker }) => marker)).size });
}

interface BeginningProps {
  readonly conversation: Conversation;
  readonly shown: Shown;
}

/** What stands above the turns: nothing yet, the way to earlier ones, or why there are none. */
function Beginning({ conversation, shown }: BeginningProps): ReactElement | null {
  const [error, fail] = useState<unknown>();
  const { id, turns, previous, isReady } = shown;
  if (!isReady && shown.error === undefined) return <Loading lines={6} />;
  if (!isReady) return <ErrorNote error={shown.error} onRetry={() => void conversation.load(id!)} />;
  if (turns.length === 0) return <p className={styles['begin']}>{t('ask.begin')}</p>;
  if (previous === null) return null;
  return (
    <div className={styles['earlier']}>
      {error !== undefined && <ErrorNote error={error} />}
      <Button
        onPress={() => {
          fail(undefined);
          conversation.loadEarlier().catch(fail);
        }}
      >
        <Icon name="up" />
        {t('ask.earlier')}
      </Button>
    </div>
  );
}
