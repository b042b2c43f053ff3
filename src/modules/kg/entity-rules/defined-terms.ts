import type { NamedSpan } from './named-span.js';

const PATTERNS = [
  // "… the service charge, which means …", "write amplification, the ratio of …"
  /(?<![\p{L}])((?:\p{Ll}[\p{Ll}-]{2,24} ){0,1}\p{Ll}[\p{Ll}-]{3,24}), (?:which means|that is to say|that is|i\.e\.|meaning|the (?:ratio|share|number|rate|process|method|practice|amount|time|point|loss|part|ability|habit) (?:of|at|by|in|that|when|to)) /gu,
  /(?<![\p{L}])(?:called|known as|referred to as|termed|so-called|namens|sogenannte[nrs]?|llamad[oa]s?|denominad[oa]s?) (?:the |a |an |la |el )?["“„«]?(\p{Ll}[\p{Ll}-]{3,24}(?: \p{Ll}[\p{Ll}-]{3,24})?)["”“»]?(?=[,.;:)])/gu,
  /["“„«](\p{L}[^"”“»„«\n]{2,38})["”“»] (?:means|is defined as|refers to|bezeichnet|bedeutet|significa|denota|şu anlama gelir)/gu,
  /(?<![\p{L}])(?:die|der|das|den|dem|ist) (\p{Lu}[\p{L}-]{3,30}), also (?:die|der|das|eine?) /gu,
  /(?<![\p{L}])(?:el|la|los|las) (\p{Ll}[\p{Ll}-]{3,24}(?: \p{Ll}[\p{Ll}-]{3,24})?), es decir, /gu,
  /(?<=[；;，。] ?)(\p{Ll}[\p{Ll}-]{2,20} \p{Ll}[\p{Ll}-]{2,20}), (?:yani|bir) /gu,
  /(?:是|叫做?|称为|所谓)([\p{Script=Han}]{3,8})，即/gu,
];

const LEADING =
  /^(?:the|a|an|its|their|our|this|that|each|of|in|by|and|or|for|with|on|la|el|los|las|un|una|de|der|die|das) /u;

/** Terms that a sentence defines: by a name in quotation marks, or by saying what they mean. */
export function findDefined(sentence: string): NamedSpan[] {
  const found: NamedSpan[] = [];
  for (const pattern of PATTERNS) {
    for (const match of sentence.matchAll(pattern)) {
      const inner = match[1]!;
      const from = match.index + match[0].indexOf(inner);
      const skipped = LEADING.exec(inner)?.[0].length ?? 0;
      if (inner.length - skipped < 4) continue;
      found.push({ start: from + skipped, end: from + inner.length, type: 'term', certain: true });
    }
  }
  return found;
}
