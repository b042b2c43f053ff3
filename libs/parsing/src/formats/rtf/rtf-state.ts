/** What a group is. */
export type Destination =
  | 'body'
  | 'skipped'
  | 'fonts'
  | 'styles'
  | 'title'
  | 'marker'
  | 'footnote'
  | 'annotation'
  | 'annotation-author'
  | 'frame'
  | 'unicode-pair';

/** Everything that a group inherits and its end takes back. */
export interface GroupState {
  destination: Destination;
  /** The group has just begun: its first control word may name it. */
  isFresh: boolean;
  isIgnorable: boolean;
  font?: number;
  /** Characters that represent a Unicode character in old readers and follow it. */
  replacementLength: number;
  isHidden: boolean;
  isDeleted: boolean;
  isStruck: boolean;
  style?: number;
  outlineLevel?: number;
  listLevel: number;
  tableLevel: number;
}

export function firstState(): GroupState {
  return {
    destination: 'body',
    isFresh: false,
    isIgnorable: false,
    replacementLength: 1,
    isHidden: false,
    isDeleted: false,
    isStruck: false,
    listLevel: 0,
    tableLevel: 0,
  };
}

/** Takes back what belongs to a paragraph (`\pard`). */
export function resetParagraph(state: GroupState): void {
  state.style = undefined;
  state.outlineLevel = undefined;
  state.listLevel = 0;
  state.tableLevel = 0;
}

/** A named style. */
export interface RtfStyle {
  name: string;
  outlineLevel?: number;
}
