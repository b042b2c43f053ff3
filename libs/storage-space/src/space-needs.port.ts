import type { FullPlace } from '#libs/common';

/** A server that said that it is full. */
export type FullServer = Exclude<FullPlace, 'volume'>;

/** What all processes of the installation know of space. */
export interface KnownNeeds {
  /** Bytes of the files whose ingestion is promised and has not ended. */
  readonly waitingBytes: number;
  readonly full: readonly FullServer[];
}

/** Where processes tell each other what was accepted and who has no space. */
export abstract class SpaceNeeds {
  abstract read(): Promise<KnownNeeds>;

  /** Says that a server is full; it is believed for this many seconds. */
  abstract report(server: FullServer, seconds: number): Promise<void>;

  /** Says that it takes writes again. */
  abstract withdraw(server: FullServer): Promise<void>;
}
