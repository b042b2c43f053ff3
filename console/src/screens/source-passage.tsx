import type { ReactElement } from 'react';
import { partsOf, type LabelledCell, type PassagePart, type PassageSource } from '../search/labelled-rows';
import { readableOf } from '../search/markdown-marks';
import { ReadablePassage } from '../ui/styled-text';
import styles from './ask.module.css';

interface PassageProps {
  /** The source itself, or what is cited of it. */
  readonly passage: string;
  readonly source: PassageSource;
  readonly most?: number;
}

/** A passage of a source as a person reads it, up to some length: rows of a table with the names of their columns. */
export function SourcePassage({ passage, source, most = Number.POSITIVE_INFINITY }: PassageProps): ReactElement {
  const parts = partsOf(passage, source);
  const shown = parts.filter((_, nth) => lengthOf(parts.slice(0, nth)) < most);
  return (
    <>
      {shown.map((part, nth) =>
        'text' in part ? (
          // What stands before it has taken a part of the room.
          <ReadablePassage key={nth} text={part.text} most={most - lengthOf(parts.slice(0, nth))} />
        ) : (
          <p key={nth}>
            <Cells cells={part.cells} />
          </p>
        ),
      )}
      {shown.length < parts.length && ' …'}
    </>
  );
}

/** What is cited of a source. */
export function CitedPassage({ passage, source }: PassageProps): ReactElement {
  return (
    <>
      {partsOf(passage, source).map((part, nth) => (
        <p key={nth}>
          <mark>{'text' in part ? readableOf(part.text) : <Cells cells={part.cells} />}</mark>
        </p>
      ))}
    </>
  );
}

function Cells({ cells }: { readonly cells: readonly LabelledCell[] }): ReactElement {
  return (
    <>
      {cells.map(({ name, value }, nth) => (
        <span key={nth}>
          {nth > 0 && ' · '}
          {name !== '' && <span className={styles['column']}>{name}: </span>}
          {value}
        </span>
      ))}
    </>
  );
}

const lengthOf = (parts: readonly PassagePart[]): number =>
  parts.reduce((sum, part) => sum + ('text' in part ? part.text : part.cells.map(wordsOf).join('')).length, 0);
const wordsOf = ({ name, value }: LabelledCell): string => name + value;
