import { useEffect, useRef, type ReactElement, type ReactNode } from 'react';
import { Link } from 'wouter';
import { placeAddress, type RevisedCitation } from './addresses';
import { useOpenAhead } from './open-ahead';

interface PlaceLinkProps {
  readonly to: RevisedCitation;
  readonly className: string;
  readonly title?: string;
  readonly 'aria-label'?: string;
  /** It is pointed at, or has the focus. */
  readonly onLook?: () => void;
  readonly children: ReactNode;
}

/** Pointing for a shorter time is passing by. */
const POINTED_MS = 100;

/** A link to a place of a document, which is fetched when the link is pointed at or has the focus. */
export function PlaceLink({ to, onLook, ...link }: PlaceLinkProps): ReactElement {
  const openAhead = useOpenAhead();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const leave = (): void => clearTimeout(timer.current);
  useEffect(() => leave, []);
  const look = (): void => {
    onLook?.();
    leave();
    timer.current = setTimeout(() => openAhead(to), POINTED_MS);
  };
  const events = { onMouseEnter: look, onFocus: look, onMouseLeave: leave, onBlur: leave };
  return <Link {...link} href={placeAddress(to)} {...events} />;
}
