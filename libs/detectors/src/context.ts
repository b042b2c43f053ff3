const BEFORE = 48;
const AFTER = 24;

/** Words near a value that speak for it, or for something else. The patterns look at lower-case text and have no quantifier without a bound. */
export interface ContextWords {
  readonly supports: RegExp;
  readonly contradicts?: RegExp;
}

/** Words before a number that is none of a person's: orders, versions, books, devices. */
export const OTHER_NUMBERS =
  /(?:isbn|issn|imei|ean|gtin|doi|serial|order|invoice|ticket|tracking|version|build|commit|hash|timestamp|epoch|unix|bestell|rechnung|artikel|commande|factur|pedido|zamówieni|ordine|bestelling|заказ|сипариш|sipariş|fatura|订单|คำสั่งซื้อ|طلب|vat|ust-?id|tva|iva|p\.? ?iva)[^\n]{0,24}$/;

/** The score of a value that is `bare` by itself: raised by words that support it, lowered by words that contradict it. */
export function scoreNear(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  { bare, supported }: { readonly bare: number; readonly supported: number },
  words: ContextWords,
): number {
  const before = text.slice(Math.max(0, start - BEFORE), start).toLowerCase();
  const after = text.slice(end, end + AFTER).toLowerCase();
  if (words.supports.test(before) || words.supports.test(after)) return supported;
  const contradicts = words.contradicts ?? OTHER_NUMBERS;
  return contradicts.test(before) ? Math.min(bare, 0.3) : bare;
}
