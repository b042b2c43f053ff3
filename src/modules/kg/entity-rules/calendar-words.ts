const list = (words: string): readonly string[] => words.split(' ');

/** Days of the week and months, lower case, with their short forms. They are in capitals and name nothing. */
const CALENDAR: ReadonlySet<string> = new Set([
  ...list('monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays'),
  ...list('saturdays sundays mon tue tues wed thu thur thurs fri sat sun'),
  ...list('january february march april may june july august september october november december'),
  ...list('jan feb mar apr jun jul aug sep sept oct nov dec'),
  ...list('montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag'),
  ...list('montags dienstags mittwochs donnerstags freitags samstags sonnabends sonntags mo di mi do fr sa so'),
  ...list(
    'januar jänner februar feber märz april mai juni juli august september oktober november dezember mär okt dez',
  ),
  ...list('lunes martes miércoles jueves viernes sábado domingo'),
  ...list('enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre'),
  ...list('pazartesi salı çarşamba perşembe cuma cumartesi pazar'),
  ...list('ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık'),
  ...list('lundi mardi mercredi jeudi vendredi samedi dimanche'),
  ...list('janvier février avril mai juin juillet août septembre octobre novembre décembre'),
]);

/** German compounds of a day: `Montagmorgen`, `Freitagabend`. */
const PART_OF_A_DAY =
  /^(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag)(?:s|morgen|früh|vormittag|mittag|nachmittag|abend|nacht)$/u;

/** Whether a word in lower case is a day of the week or a month. */
export function isCalendarWord(lower: string): boolean {
  return CALENDAR.has(lower) || PART_OF_A_DAY.test(lower);
}
