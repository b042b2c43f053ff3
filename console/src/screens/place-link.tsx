import type { ReactElement, ReactNode } from 'react';
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

/** A link to a place of a document, which is fetched as soon as somebody points at the link. */
export function PlaceLink({ to, onLook, ...link }: PlaceLinkProps): ReactElement {
  const openAhead = useOpenAhead();
  const look = (): void => {
    onLook?.();
    openAhead(to);
  };
  return <Link {...link} href={placeAddress(to)} onMouseEnter={look} onFocus={look} />;
}
