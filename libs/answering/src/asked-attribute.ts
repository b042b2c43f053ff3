/** Words that ask for any attribute: `what is the name of`, `the number of`. */
const OF_ANY =
  /^(?:name|names|kind|sort|type|purpose|difference|reason|meaning|state|status|number|amount|value|sum|total|average|maximum|minimum|name[ns]?|art|zweck|unterschied|grund|zahl|anzahl|summe|wert|nom|type|but|nombre|montant|valeur|tipo|nombre|número|importe|valor)$/iu;
const ASKED = [
  /(?<!\p{L})what(?:['’]s| is| are| was| were) the ((?:\p{Ll}[\p{L}-]* ){0,2}?\p{Ll}[\p{L}-]*) (?:of|for|in|at) /iu,
  /(?<!\p{L})(?:[Ww]ie hoch|[Ww]as|[Ww]elches?) (?:ist|sind|war|waren) (?:der|die|das) ((?:\p{Ll}\p{L}* ){0,2}?\p{Lu}[\p{L}-]*) (?:der|des|von|vom|für|in|im|am|bei) /u,
] as const;
/** In these the noun comes first. */
const ASKED_FIRST = [
  /(?<!\p{L})quel(?:le)?s? (?:est|sont|était) (?:le |la |les |l['’])(\p{Ll}[\p{L}-]*)(?: \p{Ll}+)? (?:de|du|des|d['’]|pour|à|en) ?/iu,
  /(?<!\p{L})cuál(?:es)? (?:es|son|era) (?:el|la|los|las) (\p{Ll}[\p{L}-]*)(?: \p{Ll}+)? (?:de|del|para|en) /iu,
] as const;

/** What a question asks of something: the *rent* of a house. Undefined where it is asked in another way, or for a name, a number or a kind. */
export function askedAttribute(question: string): string | undefined {
  const last = ASKED.map((pattern) => pattern.exec(question)?.[1]?.split(' ').at(-1)).find((noun) => noun !== undefined);
  const noun = last ?? ASKED_FIRST.map((pattern) => pattern.exec(question)?.[1]).find((one) => one !== undefined);
  return noun === undefined || OF_ANY.test(noun) ? undefined : noun;
}
