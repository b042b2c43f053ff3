const list = (words: string): readonly string[] => words.split(' ');

/** Last words of names of software and of variants of devices. */
export const PRODUCT_LAST: ReadonlySet<string> = new Set(
  list('cloud pro cms crm erp wms dms online suite plus app os server desktop studio lite mini max connect mobile'),
);

/** German nouns that a product's name follows, and compounds of them: `Portal Reisefix`, `Ausleihprogramm Bibliothea`. */
export const PRODUCT_NOUN =
  /(?:programm|software|portal|plattform|system|app|tool|gerät|maschine|anlage|datenbank|sensor|filter|automat|roboter|wagen|drucker|brenner|pumpe|sammler|scanner|entkalker|wechselrichter|kopierer|router|ladestation|schreibtisch|drehstuhl|bürostuhl)$/u;

/** Software that everybody knows, lower case. */
export const KNOWN_SOFTWARE: ReadonlySet<string> = new Set(
  list(
    'android linux ubuntu debian macos powerpoint sharepoint onedrive onenote postgresql mysql mariadb sqlite mongodb github gitlab jira kubernetes firefox gmail whatsapp photoshop indesign autocad wordpress dropbox salesforce thunderbird libreoffice openoffice windows excel',
  ),
);

/** Those of them that are words too: they count where they do not begin a sentence. */
export const SOFTWARE_AND_WORDS: ReadonlySet<string> = new Set(list('windows excel thunderbird'));

/** `MeterHub`, `ThinkPad`: capitals inside a word, but not those of `MacQuern` and `DeLuca`. */
export function isCamelCase(text: string): boolean {
  return /^\p{Lu}\p{Ll}{2,}\p{Lu}\p{Ll}/u.test(text) && !/^(?:Mac|Fitz|Van|Von|Del|San)\p{Lu}/u.test(text);
}
