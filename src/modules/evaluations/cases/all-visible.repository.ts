import { visibilityVariantsOf } from '../../datasets/index.js';

/** Condition that the caller sees every dataset of a list; `visible` is the visibility rule over the alias `d`. */
export function allVisible(list: string, visible: string): string {
  return `NOT EXISTS (SELECT 1 FROM unnest(${list}) AS wanted(id)
     WHERE NOT EXISTS (SELECT 1 FROM datasets d WHERE d.id = wanted.id AND ${visible}))`;
}

/** One for each kind of caller, for declared statements; placeholders begin at `$from`. */
export function allVisibleVariants(list: string, from: number): readonly string[] {
  return visibilityVariantsOf('d', from).map((visible) => allVisible(list, visible));
}
