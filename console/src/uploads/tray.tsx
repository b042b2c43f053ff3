import { useEffect, useState, useSyncExternalStore, type ReactElement } from 'react';
import { WhoSees } from '../frame/who-sees';
import { formatBytes, formatNumber, t } from '../texts/i18n';
import { refusedWords } from '../texts/refused-words';
import { Button } from '../ui/controls';
import type { Look } from '../ui/counts';
import { Icon } from '../ui/icon';
import {
  areUploadsPaused,
  clearUploads,
  currentUploads,
  pauseUploads,
  retryUpload,
  subscribe,
  type Upload,
} from './queue';

const MOST_LINES = 6;

/** Uploads, on every page for as long as there are any. */
export function Tray(): ReactElement | null {
  const uploads = useSyncExternalStore(subscribe, currentUploads);
  const isPaused = useSyncExternalStore(subscribe, areUploadsPaused);
  const [isSmall, makeSmall] = useState(() => matchMedia('(width < 640px)').matches);
  const count = (state: Upload['state']): number => uploads.filter((upload) => upload.state === state).length;
  const open = count('waiting') + count('sending') + count('cut');
  useEffect(() => {
    if (open === 0) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [open]);
  if (uploads.length === 0) return null;
  return (
    <aside className="tray" aria-label={t('tray.label')}>
      <header>
        <h2>{titleOf(open, count('refused'), uploads.length)}</h2>
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
          onPress={() => makeSmall(!isSmall)}
        >
          <Icon name="down" />
        </Button>
        {open === 0 && (
          <Button look="plain" square aria-label={t('tray.close')} onPress={clearUploads}>
            <Icon name="cross" />
          </Button>
        )}
      </header>
      {open > 0 && <WhoSees datasetId={uploads.at(-1)!.datasetId} />}
      <Sum uploads={uploads} count={count} />
      {!isSmall && (
        <ul>
          {linesOf(uploads).map((upload) => (
            <Line key={upload.id} upload={upload} />
          ))}
        </ul>
      )}
    </aside>
  );
}

function titleOf(open: number, refused: number, total: number): string {
  if (open > 0) return t('tray.sending', { count: total });
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
    count('known') > 0 && t('tray.known', { count: count('known') }),
    count('again') > 0 && t('tray.again', { count: count('again') }),
    count('sending') > 0 && t('tray.onTheWay', { count: count('sending') }),
    count('cut') > 0 && t('tray.cut', { count: count('cut') }),
    count('waiting') > 0 && t('tray.waiting', { count: count('waiting') }),
    count('refused') > 0 && t('tray.refused', { count: count('refused') }),
  ].filter((part) => part !== false);
  const bar: readonly (readonly [Look, number])[] = [
    ['ready', count('sent') + count('known') + count('again')],
    ['working', count('sending')],
    ['failed', count('refused')],
    ['waiting', count('waiting') + count('cut')],
  ];
  return (
    <div className="sum" role="status">
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

/** What was refused stands first, then what is on its way; a few lines tell enough. */
function linesOf(uploads: readonly Upload[]): readonly Upload[] {
  const order: readonly Upload['state'][] = ['refused', 'cut', 'sending', 'waiting', 'again', 'known', 'sent'];
  return order.flatMap((state) => uploads.filter((upload) => upload.state === state)).slice(0, MOST_LINES);
}

function Line({ upload }: { readonly upload: Upload }): ReactElement {
  const { state, file, sentBytes, problem } = upload;
  const percent = file.size === 0 ? 100 : Math.floor((sentBytes / file.size) * 100);
  return (
    <li>
      <span className="cut" title={upload.path ?? file.name}>
        {file.name}
      </span>
      <small>
        {state === 'sending' && `${percent} %`}
        {state === 'sent' && t('tray.isSent')}
        {state === 'known' && t('tray.isKnown')}
        {state === 'again' && t('tray.isAgain')}
        {state === 'cut' && t('tray.isCut')}
        {state === 'waiting' && t('tray.isWaiting')}
        {state === 'refused' && (
          <button type="button" className="link" onClick={() => retryUpload(upload.id)}>
            {t('tray.retry')}
          </button>
        )}
      </small>
      {problem !== undefined && (
        <small className="failed">
          {problem.message === '' ? t('error.away') : refusedWords(problem.code, problem.message)}
        </small>
      )}
    </li>
  );
}
