import { useEffect, useRef, type RefObject } from 'react';

/** What opens further down is brought into sight, and again when `grown` changes; what is in sight already stays where it is. */
export function useInSight<Opened extends HTMLElement>(grown?: unknown): RefObject<Opened | null> {
  const opened = useRef<Opened>(null);
  useEffect(() => {
    opened.current?.scrollIntoView({ block: 'nearest' });
  }, [grown]);
  return opened;
}
