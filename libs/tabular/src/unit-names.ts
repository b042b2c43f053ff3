const UNITS = new Set(
  `m cm mm km km² km2 m² m2 ha ft mi in kg g mg t lb lbs oz l ml s sec min h hrs hours days years yrs kw kwh mw mwh gw gwh v a w hz mhz ghz
  °c °f k °  bar pa hpa kpa m/s km/h mph kb mb gb tb usd eur gbp chf jpy us$ mio million millions mrd billion tsd thousands percent
  kcal kj ppm people persons points pts
  stück stk pcs pieces std stunden tage wochen monate jahre personen punkte`.split(/\s+/),
);
const SIGN = /^[%‰€$£¥]$/;

/** `kg`, `g/km` and `Tsd. €` of two known ones, in any case and with the point of a short form. */
export function isUnit(text: string): boolean {
  const words = text.split(' ');
  return words.length <= 2 && words.every(isOneUnit);
}

function isOneUnit(text: string): boolean {
  const unit = text.toLowerCase().replace(/(?<=\p{L})\.$/u, '');
  if (SIGN.test(unit) || UNITS.has(unit)) return true;
  return unit.includes('/') && unit.split('/').every((part) => UNITS.has(part.replace(/^\d+\s?/, '')));
}
