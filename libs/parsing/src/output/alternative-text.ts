const MAX_UNITS = 2000;

/** What programs add to a description that they made up, in the languages of office programs. */
const MADE_UP = new RegExp(
  [
    'description automatically generated',
    'AI-generated content may be incorrect',
    'automatisch generierte beschreibung',
    'KI-generierte Inhalte können fehlerhaft sein',
    'description générée automatiquement',
    "contenu généré par l[’']IA (?:peut|est susceptible d)",
    'descripción generada automáticamente',
    'contenido generado por IA puede ser incorrecto',
    'descrizione generata automaticamente',
    "contenuto generato dall[’']IA potrebbe",
    'descrição gerada automaticamente',
    'conteúdo gerado por IA pode',
    'automatisch gegenereerde beschrijving',
    'door AI gegenereerde inhoud',
    'opis wygenerowany automatycznie',
    'wygenerowana przez sztuczną inteligencję',
  ].join('|'),
  'iu',
);
const FILE_NAME =
  /\.(?:png|jpe?g|jfif|gif|bmp|dib|svg|emz|emf|wmf|wmz|wdp|tiff?|webp|avif|heic|heif|ico|eps|pdf|vsdx?)(?:[?#]\S*)?$/i;
const ADDRESS = /^(?:https?|file|cid|data|blob):\S+$/i;
/** `Picture 1`, `Grafik 12`, `IMG_2041`, `Screenshot 2024-05-05 at 10.11`: names that programs and cameras give. */
const GIVEN_NAME =
  /^(?:picture|image|photo|figure|graphics?|chart|diagramm?|shape|group|text ?box|table|object|(?:content )?placeholder|screen ?shot|grafik|bild|foto|abbildung|textfeld|bildschirmfoto|objekt|imagen|gráfico|immagine|grafico|afbeelding|obraz(?:ek)?|imagem|clip ?art|logo|img|dsc[nf]?|pxl|mvimg)(?:[-_ .:()\d]|\b(?:at|um|[ap]m)\b)*$/iu;
const HASH = /^(?=.*\d)[\da-f{}-]{12,}$/i;
const SAYS_SOMETHING = /[\p{L}\p{N}\p{S}]/u;

/**
 * What the author of a picture or a shape says that it shows; empty for names of files, names that programs give, and descriptions that programs
 * made up. `title`: the short one that some programs keep beside the description.
 */
export function alternativeText(description = '', title = ''): string {
  const [words, name] = [meant(description), meant(title)];
  if (name === '' || words.toLowerCase().includes(name.toLowerCase())) return words;
  return words === '' ? name : `${name}: ${words}`;
}

function meant(given: string): string {
  const text = given.slice(0, MAX_UNITS).toWellFormed().replace(/\s+/g, ' ').trim();
  const isOfProgram = MADE_UP.test(text) || [FILE_NAME, ADDRESS, GIVEN_NAME, HASH].some((name) => name.test(text));
  return isOfProgram || !SAYS_SOMETHING.test(text) ? '' : text;
}
