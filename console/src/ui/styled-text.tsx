import type { ReactElement, ReactNode } from 'react';
import { readablePieces, type StyledPiece } from '../search/markdown-marks';

/** Stretches of a text, each set as its Markdown says. */
export function StyledText({ pieces }: { readonly pieces: readonly StyledPiece[] }): ReactElement {
  return <>{pieces.map(shownPiece)}</>;
}

function shownPiece({ text, look }: StyledPiece, nth: number): ReactNode {
  if (look === 'strong') return <b key={nth}>{text}</b>;
  if (look === 'emphasis') return <em key={nth}>{text}</em>;
  if (look === 'code') return <code key={nth}>{text}</code>;
  return text;
}

/** The beginning of a passage as a person reads it. */
export function ReadablePassage({ text, most }: { readonly text: string; readonly most?: number }): ReactElement {
  return <StyledText pieces={readablePieces(text, most)} />;
}
