import type { ReactElement } from 'react';
import type { Schema } from '../api/client';
import { columnsOf } from '../search/sheet-rows';
import type { Layers, Stretch } from '../search/text-pieces';
import { formatNumber, t } from '../texts/i18n';
import type { TextFinding } from './document-findings';
import { blocksIn, Prose, type TextSet } from './document-prose';
import styles from './document.module.css';

type Chunk = Schema<'DocumentChunk'>;
export type TextLayers = Omit<Layers<TextFinding>, 'shared'>;

interface ChunkProps {
  readonly chunk: Chunk;
  readonly before: Chunk | undefined;
  readonly next: Chunk | undefined;
  readonly layers: TextLayers;
  readonly set: TextSet;
}

/** A chunk between its borders. What it shares with the next one is shown once, here, and shaded. */
export function ChunkText({ chunk, before, next, layers, set }: ChunkProps): ReactElement {
  const { char_start: start, char_end: end, heading_path: headings, page, sheet, row } = chunk.position;
  const shown = { from: Math.min(end, Math.max(start, before?.position.char_end ?? 0)), to: end };
  const nextStart = next?.position.char_start ?? end;
  const shared = nextStart < end ? { from: Math.max(start, nextStart), to: end } : undefined;
  const columns = columnsOf(headings, blocksIn(chunk.text, start, shown, set));
  // They stand above the rows.
  const heading = headings.at(columns === undefined ? -1 : -2);
  const where = [
    heading,
    page === null ? undefined : t('place.page', { page }),
    sheet === heading ? undefined : (sheet ?? undefined),
    row === null ? undefined : t('place.row', { row }),
  ].filter((part) => part !== undefined && part !== '');
  return (
    <section className={isCited(shown, layers) ? styles['cited'] : ''}>
      <header>
        <b>{t('document.chunk', { number: formatNumber(chunk.ordinal + 1) })}</b>
        <span className="cut">{where.join(', ')}</span>
      </header>
      <Prose
        text={chunk.text}
        start={start}
        stretch={shown}
        layers={{ ...layers, shared }}
        set={set}
        columns={columns}
      />
    </section>
  );
}

/** Text that lies in no chunk: no search finds it. */
export function BetweenChunks({
  text,
  stretch,
  layers,
  set,
}: {
  readonly text: string;
  readonly stretch: Stretch;
  readonly layers: TextLayers;
  readonly set: TextSet;
}): ReactElement {
  const names = [styles['between'], isCited(stretch, layers) ? styles['cited'] : ''];
  return (
    <section className={names.join(' ')}>
      <header>
        <span>{t('document.inNoChunk')}</span>
      </header>
      <Prose text={text} start={stretch.from} stretch={stretch} layers={{ ...layers, shared: undefined }} set={set} />
    </section>
  );
}

const isCited = ({ from, to }: Stretch, { cited }: TextLayers): boolean =>
  cited !== undefined && cited.from < to && cited.to > from;
