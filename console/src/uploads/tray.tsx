import { useEffect, useState, useSyncExternalStore, type ReactElement } from 'react';
import { Link, useLocation } from 'wouter';
import type { Problem } from '../api/problem';
import { actingTenant } from '../api/session';
import { useDataset, useDatasets } from '../frame/queries';
import { useWhoSees } from '../frame/who-sees';
import { formatBytes, formatNumber, t } from '../texts/i18n';
import { refusedWords } from '../texts/refused-words';
import { Button } from '../ui/controls';
import type { Look } from '../ui/counts';
import { Icon } from '../ui/icon';
import { useMedia } from '../ui/media';
import { forgetUnsent, unsentFiles, subscribeUnsent } from './unsent-files';
import {
  areUploadsPaused,
  clearUploads,
  currentUploads,
  nameOf,
  pauseUploads,
  retryUpload,
  subscribe,
  uploadTurn,
  type Upload,
} from './queue';
import { reserveTrayHeight } from './tray-height';

const MOST_LINES = 6;
/** How long the list stays after everything has arrived. */
const DONE_MS = 12_000;
/** So often it is said how far uploads are. */
const STEPS = 4;

/** What the tray lies over can be scrolled from below it: the page ends so much lower. */
const roomOf = (element: HTMLElement | null): (() => void) | undefined =>
  element === null ? undefined : reserveTrayHeight(element);

/** Uploads, and files that never arrived, on every page for as long as there are any. */
export function Tray(): ReactElement | null {
  const uploads = useSyncExternalStore(subscribe, currentUploads);
  const isPaused = useSyncExternalStore(subscribe, areUploadsPaused);
  // Small, it lies over little of the page; large where there is something to read.
  const [chosen, choose] = useState<boolean>();
  const left = useUnsent();
  const count = (state: Upload['state']): number => uploads.filter((upload) => upload.state === state).length;
  const open = count('waiting') + count('sending') + count('cut');
  const refused = count('refused');
  const isNarrow = useMedia('(width < 640px)');
  const known = count('known');
  const isVain = uploads.some(isInVain);
  const isSmall = chosen ?? (isNarrow || (refused === 0 && !isVain));
  useEffect(() => {
    if (open === 0) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [open]);
  const isTold = uploads.length > 0 && open === 0 && refused === 0 && !isVain && chosen === undefined;
  const [isLookedAt, look] = useState(false);
  useEffect(() => {
    if (!isTold || isLookedAt) return undefined;
    const timer = setTimeout(clearUploads, DONE_MS);
    return () => clearTimeout(timer);
  }, [isTold, isLookedAt]);
  return (
    <>
      {/* It has to be there before there is something to say. */}
      <p className="hidden-text" role="status" data-said="uploads">
        {uploads.length > 0 && saidOf(open, refused, known, uploads.length)}
      </p>
      {(uploads.length > 0 || left.length > 0) && (
        <aside
          ref={roomOf}
          className="tray"
          aria-label={t('tray.label')}
          onPointerEnter={() => look(true)}
          onPointerLeave={() => look(false)}
          onFocus={() => look(true)}
          onBlur={() => look(false)}
        >
          {uploads.length > 0 && (
            <>
              <header>
                <h2>{titleOf(open, refused, known, uploads.length)}</h2>
                <span className="push" />
                {open > 0 && (
                  <Button
                    look="plain"
                    square
                    aria-label={t(isPaused ? 'tray.goOn' : 'tray.pause')}
                    onPress={() => pauseUploads(!isPaused)}
                  >
                    <Icon name={isPaused ? 'up' : 'pause'} />
                  </Button>
                )}
                <Button
                  look="plain"
                  square
                  aria-label={t(isSmall ? 'tray.large' : 'tray.small')}
                  aria-expanded={!isSmall}
                  onPress={() => choose(!isSmall)}
                >
                  <Icon name="down" />
                </Button>
                {open === 0 && (
                  <Button look="plain" square aria-label={t('tray.close')} onPress={clearUploads}>
                    <Icon name="cross" />
                  </Button>
                )}
              </header>
              {placesOf(uploads).map((place) => (
                <WhoSeesThere key={place.datasetId} place={place} />
              ))}
              <Sum uploads={uploads} count={count} />
              {open > 0 && !isPaused && <Breath />}
              {!isSmall && (
                <ul>
                  {linesOf(uploads, chosen === undefined).map((upload) => (
                    <Line key={upload.id} upload={upload} />
                  ))}
                </ul>
              )}
            </>
          )}
          {left.map((place) => (
            <UnsentLines key={place.id} place={place} />
          ))}
        </aside>
      )}
    </>
  );
}

/** While the service takes no further files in this minute. */
function Breath(): ReactElement | null {
  const end = useSyncExternalStore(subscribe, uploadTurn);
  const [now, tick] = useState(Date.now);
  useEffect(() => {
    if (end <= Date.now()) return undefined;
    tick(Date.now());
    const timer = setInterval(() => tick(Date.now()), 500);
    return () => clearInterval(timer);
  }, [end]);
  const seconds = Math.ceil((end - now) / 1000);
  if (seconds <= 0) return null;
  return (
    <div className="sum breath">
      <Icon name="clock" />
      <span aria-hidden="true">{t('tray.breath', { count: seconds })}</span>
      {/* A screen reader would say each second. */}
      <span className="hidden-text" role="status">
        {t('said.breath')}
      </span>
    </div>
  );
}

/** Where files are on their way to. */
function placesOf(uploads: readonly Upload[]): readonly Upload[] {
  const open = uploads.filter(({ state }) => state === 'waiting' || state === 'sending' || state === 'cut');
  return [...new Map(open.map((upload) => [upload.datasetId, upload])).values()];
}

/** Who will see the files of a dataset, asked of its own organisation: another one may be looked at meanwhile. */
function WhoSeesThere({ place: { datasetId, tenantId } }: { readonly place: Upload }): ReactElement {
  // What pages ask for is known already.
  const elsewhere = tenantId === actingTenant() ? undefined : tenantId;
  const dataset = useDataset(datasetId, elsewhere);
  const who = useWhoSees(dataset.data, elsewhere);
  return (
    <p className="who">
      <Icon name="people" />
      {dataset.data === undefined ? '' : t('tray.sees', { name: dataset.data.name, who })}
    </p>
  );
}

/** For who does not see the tray: that it begins, a few steps on the way, and what came of it. A bar that moves would never be silent. */
function saidOf(open: number, refused: number, known: number, total: number): string {
  if (open === 0) {
    if (known === total) return t('tray.doneKnown', { count: total });
    const arrived = refused === total ? '' : arrivedOf(total - refused, total);
    return refused === 0 ? arrived : `${arrived} ${t('said.refused', { count: refused })}`.trim();
  }
  const steps = Math.floor((STEPS * (total - open)) / total);
  return steps === 0 ? t('tray.sending', { count: total }) : arrivedOf(Math.ceil((total * steps) / STEPS), total);
}

const arrivedOf = (count: number, total: number): string =>
  count === total ? t('said.arrived', { count }) : t('said.arrivedSome', { count: formatNumber(count), total });

interface UnsentOfDataset {
  readonly id: string;
  readonly dataset: string;
  readonly names: readonly string[];
}

/** Files that never arrived, by dataset; the dataset's own list says it itself. */
function useUnsent(): readonly UnsentOfDataset[] {
  const files = useSyncExternalStore(subscribeUnsent, unsentFiles);
  const datasets = useDatasets();
  const [location] = useLocation();
  const places = (datasets.data?.items ?? []).map(({ id, name }) => ({
    id,
    dataset: name,
    names: files.filter(({ datasetId }) => datasetId === id).map((file) => file.name),
  }));
  return places.filter(({ id, names }) => names.length > 0 && location !== `/d/${id}/documents`);
}

function UnsentLines({ place: { id, dataset, names } }: { readonly place: UnsentOfDataset }): ReactElement {
  const more = names.length - MOST_LINES;
  return (
    <section className="left" aria-label={dataset}>
      <header>
        <h2>{t('unsent.title', { count: names.length })}</h2>
        <span className="push" />
        <Button look="plain" square aria-label={t('unsent.forget')} onPress={() => forgetUnsent(id)}>
          <Icon name="cross" />
        </Button>
      </header>
      <div className="sum">
        {t('unsent.what')}{' '}
        <Link className="link" href={`/d/${id}/documents`}>
          {dataset}
        </Link>
      </div>
      <ul>
        {names.slice(0, MOST_LINES).map((name) => (
          <li key={name} className="cut" title={name}>
            {name}
          </li>
        ))}
        {more > 0 && <li>{t('pick.andMore', { count: more })}</li>}
      </ul>
    </section>
  );
}

/** A mended file whose content another document has: the one that it was for stays as it is. */
const isInVain = ({ state, isMended = false }: Upload): boolean => isMended && state === 'known';

function titleOf(open: number, refused: number, known: number, total: number): string {
  if (open > 0) return t('tray.sending', { count: total });
  if (known === total) return t('tray.doneKnown', { count: total });
  return refused === 0
    ? t('tray.done', { count: total })
    : t('tray.doneSome', { count: formatNumber(total - refused), total });
}

function Sum({
  uploads,
  count,
}: {
  readonly uploads: readonly Upload[];
  readonly count: (state: Upload['state']) => number;
}): ReactElement {
  const sent = uploads.reduce((sum, upload) => sum + upload.sentBytes, 0);
  const all = uploads.reduce((sum, { file }) => sum + file.size, 0);
  const parts = [
    count('sent') > 0 && t('tray.sent', { count: count('sent') }),
    count('replaced') > 0 && t('tray.replaced', { count: count('replaced') }),
    count('known') > 0 && t('tray.known', { count: count('known') }),
    count('again') > 0 && t('tray.again', { count: count('again') }),
    count('sending') > 0 && t('tray.onTheWay', { count: count('sending') }),
    count('cut') > 0 && t('tray.cut', { count: count('cut') }),
    count('waiting') > 0 && t('tray.waiting', { count: count('waiting') }),
    count('refused') > 0 && t('tray.refused', { count: count('refused') }),
  ].filter((part) => part !== false);
  const bar: readonly (readonly [Look, number])[] = [
    ['ready', count('sent') + count('replaced') + count('known') + count('again')],
    ['working', count('sending')],
    ['failed', count('refused')],
    ['waiting', count('waiting') + count('cut')],
  ];
  return (
    <div className="sum">
      {parts.join(', ')} · {t('tray.bytes', { sent: formatBytes(sent), all: formatBytes(all) })}
      <span className="bar" aria-hidden="true">
        {bar
          .filter(([, files]) => files > 0)
          .map(([look, files]) => (
            <i key={look} className={look} style={{ flexGrow: files }} />
          ))}
      </span>
    </div>
  );
}

/** What is there under another name than its own. */
const isElsewhere = (upload: Upload): boolean => upload.knownAs !== undefined && upload.knownAs !== nameOf(upload);

/** What was refused stands first, then what is on its way; a few lines tell enough. Where nobody has asked for more, only what was refused, in vain, or is there under another name. */
function linesOf(uploads: readonly Upload[], isBrief: boolean): readonly Upload[] {
  const all: readonly Upload['state'][] = [
    'refused',
    'cut',
    'sending',
    'waiting',
    'again',
    'replaced',
    'known',
    'sent',
  ];
  const told = isBrief
    ? uploads.filter((upload) => upload.state === 'refused' || isInVain(upload) || isElsewhere(upload))
    : uploads;
  return all.flatMap((state) => told.filter((upload) => upload.state === state)).slice(0, MOST_LINES);
}

/** Codes of refusals that lie in the file: sent once more it is refused again. */
const FOR_GOOD: readonly string[] = [
  'documents.type_not_supported',
  'documents.type_not_allowed',
  'documents.file_too_large',
  'documents.too_large_for_policy',
  'documents.rejected_by_policy',
];
const isForGood = (problem: Problem | undefined): boolean => problem !== undefined && FOR_GOOD.includes(problem.code);

function Line({ upload }: { readonly upload: Upload }): ReactElement {
  const { state, file, sentBytes, problem, knownAs } = upload;
  const percent = file.size === 0 ? 100 : Math.floor((sentBytes / file.size) * 100);
  return (
    <li>
      <span className="cut" title={upload.path ?? file.name}>
        {file.name}
      </span>
      <small>
        {state === 'sending' && `${percent} %`}
        {state === 'sent' && t('tray.isSent')}
        {state === 'replaced' && t('tray.isReplaced')}
        {state === 'known' && !isElsewhere(upload) && t('tray.isKnown')}
        {state === 'again' && t('tray.isAgain')}
        {state === 'cut' && t('tray.isCut')}
        {state === 'waiting' && t('tray.isWaiting')}
        {state === 'refused' && !isForGood(problem) && (
          <button type="button" className="link" onClick={() => retryUpload(upload.id)}>
            {t('tray.retry')}
          </button>
        )}
      </small>
      {isElsewhere(upload) && <small className="as">{t('tray.isKnownAs', { name: knownAs! })}</small>}
      {problem !== undefined && (
        <small className="failed">
          {problem.message === '' ? t('error.away') : refusedWords(problem.code, problem.message)}
        </small>
      )}
    </li>
  );
}
