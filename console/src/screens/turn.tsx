import { useState, type ReactElement } from 'react';
import { ROOT } from '../api/root';
import { t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { copyText } from '../ui/copy';
import { Icon } from '../ui/icon';
import { ErrorNote, Note } from '../ui/states';
import { placeAddress } from './addresses';
import { Answer } from './answer';
import { numbersOf, plainOf } from './answer-pieces';
import type { Conversation, Turn } from './conversation';
import { Thumbs } from './feedback';
import { Refused } from './refused';
import { SharePanel } from './share';
import { SourcesBelow } from './sources';

interface TurnProps {
  readonly turn: Turn;
  readonly conversation: Conversation;
  /** Id of the dataset, or `''` for all. */
  readonly place: string;
  /** The citation that is looked at. */
  readonly marker: string | undefined;
  readonly onCite: (marker: string) => void;
  readonly onAgain: () => void;
}

export function TurnView({ turn, conversation, place, marker, onCite, onAgain }: TurnProps): ReactElement {
  const { state } = turn;
  return (
    <article className="turn" aria-busy={state === 'coming'}>
      <h2 className="asked">{turn.question}</h2>
      {turn.refusal === undefined ? (
        <>
          <Answer turn={turn} marker={marker} onCite={onCite} />
          <SourcesBelow turn={turn} marker={marker} />
        </>
      ) : (
        <>
          <Refused turn={turn} place={place} />
          <p className="quiet small">{t('refused.whoReads')}</p>
        </>
      )}
      {state === 'failed' && turn.text !== '' && <p className="aside">{t('ask.brokeOff')}</p>}
      {state === 'failed' && turn.isWaiting === true && (
        <Note kind="warn" icon="warn" title={t('error.away')}>
          <p>{t('ask.goesOn')}</p>
          <p className="note-actions">
            <Button onPress={() => conversation.giveUp(turn)}>{t('ask.giveUp')}</Button>
          </p>
        </Note>
      )}
      {state === 'failed' && turn.isWaiting !== true && <ErrorNote error={turn.error} onRetry={onAgain} />}
      {state === 'stopped' && <p className="aside">{t('ask.stopped')}</p>}
      {(state === 'done' || state === 'stopped') && <Acts turn={turn} conversation={conversation} onAgain={onAgain} />}
    </article>
  );
}

function Acts({ turn, conversation, onAgain }: Pick<TurnProps, 'turn' | 'conversation' | 'onAgain'>): ReactElement {
  const [isSharing, share] = useState(false);
  return (
    <>
      <div className="actions">
        {turn.text !== '' && <CopyButton turn={turn} />}
        <Button look="plain" onPress={onAgain}>
          <Icon name="retry" />
          {t('ask.again')}
        </Button>
        {turn.turnId !== undefined && (turn.text !== '' || turn.share !== undefined) && (
          <Button look="plain" aria-expanded={isSharing} onPress={() => share(!isSharing)}>
            <Icon name="link" />
            {t(turn.share === undefined ? 'share.share' : 'share.shared')}
          </Button>
        )}
        {turn.requestId !== undefined && <Thumbs turn={turn} onRate={(body) => conversation.rate(turn, body)} />}
        {isSharing && <SharePanel turn={turn} conversation={conversation} onClose={() => share(false)} />}
      </div>
      {turn.state === 'done' && turn.turnId === undefined && <p className="aside">{t('ask.notKept')}</p>}
    </>
  );
}

type Copied = 'no' | 'yes' | 'refused';

type Copyable = Pick<Turn, 'question' | 'text' | 'citations' | 'sources' | 'grounding'>;

export function CopyButton({ turn }: { readonly turn: Copyable }): ReactElement {
  const [copied, setCopied] = useState<Copied>('no');
  const copy = async (): Promise<void> => setCopied((await copyText(textWithSources(turn))) ? 'yes' : 'refused');
  const texts = {
    no: turn.citations.length === 0 ? 'copy' : 'ask.copy',
    yes: 'ask.copied',
    refused: 'ask.copyRefused',
  } as const;
  return (
    <Button look="plain" onPress={() => void copy()}>
      <Icon name={copied === 'yes' ? 'check' : 'copy'} />
      <span role={copied === 'no' ? undefined : 'status'}>{t(texts[copied])}</span>
    </Button>
  );
}

/** Question and answer, then each source that is cited with the address of its place. */
function textWithSources(turn: Copyable): string {
  const numbers = numbersOf(turn);
  const lines = turn.citations.map((citation) => {
    const page = citation.page === null ? '' : `, ${t('place.page', { page: citation.page })}`;
    const address = new URL(placeAddress(citation).slice(1), ROOT).href;
    const number = numbers.get(citation.marker)!;
    return [number, `[${number}] ${citation.document_name}${page}: ${address}`] as const;
  });
  // A source that is cited twice is opened at its first place.
  const sources = [...new Map(lines.toReversed())].toSorted(([one], [other]) => one - other);
  const numbered = sources.map(([, line]) => line);
  return [turn.question, '', plainOf(turn), ...(numbered.length === 0 ? [] : ['', ...numbered])].join('\n');
}
