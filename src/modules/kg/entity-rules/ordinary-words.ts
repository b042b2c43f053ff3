import { isEverydayWord } from '#libs/answering';
import { isCalendarWord } from './calendar-words.js';
import { givenName } from './given-names.js';
import { isUnit } from './measure-words.js';

const list = (words: string): readonly string[] => words.split(' ');

/** English words of offices that are in capitals in tables, forms and headings, besides the everyday words. Lower case, singular. */
const ENGLISH: ReadonlySet<string> = new Set([
  ...list(
    'absence acceptance access account accounting achievement acknowledgement action activity actual addendum additional address adjustment administration administrator admission advance advice affair agency agenda agent aggregate agreement air alert allocation allowance alternative amendment amount analysis analyst annex annual answer apology appendix applicant application appraisal approach approval approved architecture archive area arrival article asset assignment assistance assistant assumption assurance attachment attendance attendee audit auditor author authorisation authority automation availability available average award awareness',
  ),
  ...list(
    'backlog backup balance bank banking base baseline basic batch battery behaviour benchmark benefit best bill billing binder blue board body bonus book booking boiler booth bottle bottom box branch brand break breakdown breakfast brief briefing broker bronze brown budget bug building bulk bulletin bus business button buyer cabin cabinet cable calculation calendar call campaign cancellation candidate canteen capacity capital car card care career cargo carrier case cash catalogue category catering cause cell centre center certificate chair change channel chapter charge charger chart check checklist chief child choice circuit city claim class clause cleaner cleaning clear clearance clerk client clock clothing club coach code coffee collection colour color column comfort comment commentary commission commitment committee common communication community compact company comparison compensation complaint complete completion compliance component computer concept condition conference confidential configuration confirmation confirm consent construction consultant consultation consumable consumption contact container content contingency contract contractor contribution control cooling coordination coordinator copy core corporate correction cost council count counter country course cover coverage credit criteria criterion critical culture currency current customer cycle',
  ),
  ...list(
    'daily damage danger data database date day deadline deal dealer debit decision declaration deduction default defect definition degree delay deliverable delivery demand department departure dependency deposit depot depreciation description design designer desk destination detail development device diagram dinner direct direction directive director directory disclaimer discount discussion dispatch display distance distribution district diversity division document documentation domain door dose double draft drawing drill drive driver due duration duty early earning economic economy edition education effect effective efficiency effort electric electrical electricity electronic element eligibility email emergency emission employee employer employment energy engagement engineer engineering enquiry entitlement entrance entry environment environmental equality equipment equity error escalation essential estate estimate evaluation evening event evidence exam example exception excess exchange executive exemption exercise exhibit exit expected expenditure expense experience expert expiry explanation export extension external extra fabric facility factor factory failure fair family fast fault feature fee feedback field figure file filter final finance financial finding fine finish fire first fitting fixed flat fleet flexible flight flood floor flow folder follow food force forecast foreign form formal format forward foundation frame framework free freight frequency front fuel full function fund funding furniture future gallery gas gate gauge general glass glove goal gold good goods governance government grade graduate grant graph green gross ground group growth guarantee guard guest guidance guide guideline',
  ),
  ...list(
    'hall handbook handling handover hardware hazard head headcount header heading health heat heating heavy height help helpdesk high highlight hire history hold holiday home hospitality host hot hotel hour house household housing hub human hygiene idea identification image impact implementation import important improvement incident income increase index indicator individual induction industrial industry information infrastructure initial initiative injury innovation input insight inspection inspector installation instruction instrument insurance intake integration intensity interest interface interim internal international internet interview introduction inventory investigation investment invitation invoice issue item job joint journal journey junior key kit kitchen label laboratory labour labor language laptop large last late launch laundry law layout lead leader leadership learning lease leave left legal length lesson letter level liability library licence license life lift light limit line link liquid list lithium living load loan lobby local location lodging log logistics logo long loss lost lot lounge low lunch machine mail main maintenance major management manager mandatory manual manufacturer manufacturing margin mark market marketing master material matrix matter maximum meal measure measurement mechanical media medical medium meeting member membership memo memorandum merchandise message metal meter method metric migration mileage milestone mini minimum minor minute missing mission mobile mobility mode model module money monitor monitoring month monthly mortgage motion motor move movement multiple museum music',
  ),
  ...list(
    'name national natural nature need negative net network new newsletter next night noise nominal non none normal north note notice notification number nurse objective obligation observation occupancy occupation off offer office officer online open opening operating operation operational operator opinion opportunity option orange order ordinary organisation organization orientation origin original other outcome outline output outside outstanding overall overdue overhead overnight overtime overview owner ownership pack package packaging packet page paid paint pair panel paper parcel parking part partial participant participation particular partner partnership party pass passenger password past patient pause pay payable payment payroll peak penalty pending pension people percent percentage performance period permanent permission permit person personal personnel phase phone photo physical pickup picture piece pilot pipe place plan planning plant plastic plate platform play point police policy pool poor population position positive post postage postal potential power practice preference preliminary premium preparation presence present presentation president press pressure preview previous price pricing primary print printer priority privacy private problem procedure process processing procurement product production professional profile profit programme program progress project projection promotion property proposal protection protective provider provision public publication publishing pump purchase purchasing purpose quality quantity quarter quarterly query question questionnaire queue quick quota quotation quote',
  ),
  ...list(
    'rail range rate rating ratio raw reach reaction reading ready real reason receipt receivable received receiver reception recipient recommendation reconciliation record recording recovery recruitment recycling red reduction reference refund regional register registration registry regular regulation reimbursement related relation release relevant relocation reminder remote removal renewal rent rental repair replacement report reporting representative request requirement rescue research reservation reserve resource response responsibility responsible rest restaurant result retail retention return revenue review revised revision right risk road role roller roof room root roster round route routine royal rule running safety salary sale sales sample sanction satisfaction saving scale scan scenario schedule scheme school science scope score screen screening script sea seal search season seat second secondary secretary section sector security segment selection seller seminar senior sensor sequence series serial server service session set setting setup share shareholder sheet documentLab shelter shift shipment shipping shop short shortage shuttle sick side sign signal signature silver single site situation size skill slot small smart social software solar solution source space spare special specialist specification speech speed spend sport spot staff staffing stage stakeholder stall stamp standard start state statement station statistics status statutory steam steel steering step stock stop storage store strategic strategy stream street strength strike structure student study subject submission submit subscription subsidiary substance subtotal success suggestion suite sum summary supervision supervisor supplement supplier supply support surcharge survey sustainability swap switch symbol system table tank target tariff task tax taxi team technical technician technology telephone temperature template temporary tender term terminal termination terms test testing text theme theory thermal third ticket tier till time timeline timesheet timetable title tonne tool top topic total touch tour town track tracking trade traffic trailer train trainee trainer training transaction transfer transit transition translation transmission transport transportation travel traveller treatment trend trial trip trouble truck trust turnover type',
  ),
  ...list(
    'ultimate unit update upgrade upper urgent usage use user utility vacancy vacation valid validation valuation value van variable variance variation vat vehicle vendor ventilation venue verification version vessel video view vision visit visitor visual vital voice volume voluntary volunteer vote voucher wage wait waiting walk wall warehouse warm warning warranty washing waste water weather web website week weekday weekend weekly weight welcome welfare west white wide window winter wireless withdrawal witness word work worker workforce working workplace workshop world worst written yard year yearly yellow yesterday today tomorrow tonight yield zero zone',
  ),
  ...list(
    'kind regard sincerely faithfully truly yours best warm thank thanks many wish cheers everyone everybody team colleague friend folk sir madam luck great lovely nice good sent forwarded original attached enclosed please agreed done closed started arising action any year within exclude include apply must should may can per each box half three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen twenty thirty forty fifty hundred thousand one two plus minus above below yes no off on out over under again maybe soon never always morning afternoon noon midday midnight evening',
  ),
  ...list(
    'black blue brown gray grey pink purple violet beige turquoise german english french spanish italian dutch polish turkish russian chinese japanese portuguese swedish danish norwegian finnish greek arabic american british european african asian indian irish welsh scottish swiss austrian deutsch englisch französisch spanisch italienisch türkisch polnisch russisch chinesisch deutsche deutscher deutschen',
  ),
  ...list(
    'contain turn expire mean seem become allow enable remain appear belong consist depend happen concern affect exceed serve want like love live stay eat drink cook wash dial ring click pull push pick ride fly mutual well',
  ),
  ...list(
    'add agree arrange ask assign attach attend bring build buy call cancel change check choose clarify clean close collect compare complete confirm contact create cut decide define deliver develop discuss distribute draft ensure escalate evaluate exclude finalise finalize fix follow get give go hand hold identify implement improve include inform inspect install introduce invite join keep launch leave look maintain make manage meet monitor move negotiate notify obtain open order organise organize pay perform place prepare present print produce provide publish put raise read receive recruit reduce remind remove renew repair replace request resolve retain return revise run schedule sell send share ship show sign speak start stop submit switch take tell think train try turn upload use verify visit wait write work',
  ),
]);

/** German nouns of offices: a word that is one of them, or ends with one, is no name. Lower case, at least four letters. */
const GERMAN_HEADS = list(
  'abend ablage ablauf abnahme abrechnung abschlag abschluss absatz abschnitt absender abteilung abwesenheit abzug adresse akte aktion amt analyse anbieter änderung anfahrt anfang anfrage angabe angebot angelegenheit angestellte angestellter anhang anlage anlass annahme anordnung anreise anruf ansatz anschluss anschrift ansprechpartner anspruch anteil antrag antwort anzahl anzeige apparat arbeit artikel arzt aufbau aufgabe auflage aufsicht auftrag aufwand aufzug auge ausbau ausbildung ausfall ausgabe ausgang auskunft auslage auslastung ausnahme ausweis auszahlung auszug auto automat bahn band bank basis batterie bedarf bedingung befehl befund beginn behälter beilage beitrag beleg bemerkung benutzer beratung bereich bereitschaft bericht beruf bescheid beschluss beschreibung beschwerde besitz besprechung bestand bestellung besuch besucher beteiligung betrag betrieb bett bewerber bewerbung bewertung bezeichnung beziehung bezug bilanz bild bindung blatt block boden bohne bohnen brand breite brief bruch brücke brutto buch buchung büro bus chef code computer dach dame damen dampf darstellung datei daten datum dauer decke defekt detail dienst dienste dokument doppel dose draht druck drucker durchführung durchwahl ebene ecke effekt eigentümer eigentum eingang einheit einkauf einkommen einladung einlage einnahme einrichtung einsatz einstellung eintrag einzel eisen elektro elektrik empfang empfänger ende endung energie entfernung entgelt entscheidung entwicklung entwurf erfahrung erfassung erfolg ergebnis erhöhung erinnerung erklärung erlaubnis erlös ersatz erstattung ertrag essen etage fach fahrer fahrt fahrzeug fall farbe farben fehler feier feiertag feld fenster ferien fertigung filiale filter firma fläche flasche flug folge form formular foto frage frau freigabe frequenz frist früh führer führung funktion gang garantie garten gast gebäude gebiet gebühr gefahr gehalt gelände geld gemeinde genehmigung gerät geräte gericht gesamt geschäft geschäftsführer gesellschaft gesetz gespräch gesundheit gewicht gewinn glas gleis grenze größe grund gruppe gruß grüße gutachten gutschein gutschrift',
).concat(
  list(
    'hafen halle haltung handel handy haus heft heizung hersteller hilfe hinweis hinweise hof höhe holz hotel info information inhaber inhalt inland ausland interesse jahr jahres kabel kaffee kalender kammer kamera kanal kapitel karte karten karton kasse kasten kategorie kauf kenntnis kennzahl kennzeichen kessel kette kilo kind kinder kiste klasse klassen klausel kleidung klinik koffer kollege kollegen kollegin kommission komponente konferenz konto kontrolle konzept kopf kopie korb korrektur kosten kraft kräfte krankheit kreis küche kühlung kunde kunden kündigung kurs lack laden lage lager lampe land länge lärm last lauf leben leistung leiter leiterin leitung lenkung licht lieferant lieferung linie liste listen lizenz lohn löhne lösung luft lüftung management mangel mängel mappe marke markt maschine maß masse maßnahme maßnahmen material medien meeting meldung menge mensch menschen merkmal messe messung meter methode miete mieter mietwagen mitarbeiter mitarbeiterin mitglied mittag mittel mitteilung möbel modell modul möglichkeit monat monate montage monteur motor muster nachfolger nachmittag nachricht nachtrag nachweis nacht name namen netto netz neuheit niveau norm notiz nummer nutzen nutzer nutzung objekt öffnung offerte option ordner ordnung organisation original ort paar paket palette papier park parkplatz parkplätze partner pass patient pauschal pauschale pause person personal pflege pflicht phase pflaster plan plätze platte platz police portal position post posten praktikum praxis preis preise presse privat probe problem produkt produktion profil programm projekt protokoll prozent prozess prüfer prüfung pumpe punkt punkte qualität quartal quelle quittung rabatt rahmen rate raum räume reaktion rechner rechnung recht regal regel regelung reihe reinigung reise reserve rest restaurant revision richtlinie richtung risiko risiken rohr rolle röstung rückfrage rückgabe rückgang rücksprache rückstand ruhe runde sache saldo sammlung sanitär satz schaden schäden schalter schicht schiene schild schlüssel schluss schnitt schnittstelle schrank schreiben schritt schuld schule schüler schulung schutz segment seite sekretariat sendung sensor server service sicherheit sitz sitzung software sonne sorte spannung sparte speicher speise sperre spesen spiel sprache sprecher stadt stärke stand standard standort start station statistik statik status stellplatz stelle stellung steuer stichtag stimme stock stoff strafe straße strecke streifen strom stück studie stufe stunde stunden suche summe system szene tabelle tafel tage tank tarif tasche taste tausch technik techniker teil teile teilnehmer telefon temperatur termin termine test text thema themen tiefe tier tisch titel tonne tonnen tor training transport treffen treppe trend tür typ übergabe übernachtung übersicht übertrag übung uhr umfang umlage umsatz umstellung umwelt umzug unfall unterhalt unterkunft unterlage unterlagen unternehmen unternehmer unterricht unterschrift urlaub ursache verantwortung verband verbindung verbrauch verein verfahren vergleich vergütung verhalten verkauf verkäufer verkehr verlauf verleih verlust vermerk vermietung verordnung verpackung verpflegung versand versicherung version verspätung vertrag vertreter vertretung vertrieb verwalter verwaltung verzeichnis verzug volumen vorgabe vorgang vorgesetzte vorgesetzter vorlage vorrat vorschlag vorschrift vorsitz vorstand vortrag waage wagen wahl währung wand ware waren warnung wartung wasser wechsel weg weise wende werbung werk werkstatt werkzeug wert werte wetter widerspruch wiese winter wirkung woche wochen wochenende wohnung wohnungen wort wunsch würde zahl zahlung zeichen zeichnung zeile zeit zeiten zeitraum zentrale zentrum zertifikat zettel zeuge ziel ziele ziffer zimmer zins zinsen zoll zone zubehör zufahrt zugang zukunft zulage zulassung zusage zusatz zuschlag zuschuss zustand zuständigkeit zustellung zustimmung zutritt zweck zweig',
  ),
);
const GERMAN: ReadonlySet<string> = new Set([
  ...GERMAN_HEADS,
  ...list(
    'tag zug euro top nr az abs ziff pos std stk frei spät früh nacht krank eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn zwanzig dreißig hundert tausend erste ersten erster zweite zweiten zweiter dritte dritten dritter nächste nächster nächstes nächsten letzte letzter letztes letzten offen offene offener offenes geplant erledigt abgeschlossen laufend gesamt ganzer ganze ganzes ganzen halber halbe halbes neu neue neuer neues neuen alt alte alter altes hohe hoher hohes groß große großer großes klein kleine kleiner kleines leitende leitender spezifisch spezifische spezifischer spezifisches kräftig flüssig mild stark leicht schwer warm kalt heiß rot grün blau gelb weiß schwarz grau braun rechts links oben unten vorne hinten nord süd ost west intern extern interne externe interner externer brutto netto pauschal inklusive exklusive zuzüglich maximal minimal mindestens allgemein allgemeine allgemeiner allgemeines wichtig wichtige dringend aktuell aktuelle aktueller gültig gültige monatlich jährlich wöchentlich täglich besondere sonstige sonstiges weitere weiteres weiterer diverse tür homeoffice office team meeting zusammen alle allerseits euch ihnen ihr dank danke vielen vielem besten beste bester herzliche herzlichen viele liebe lieber schöne schönen schönes gute guter gutes guten freundliche freundlichen sehr geehrte geehrter geehrten damen herren heute morgen gestern jetzt sofort später zahlbar lieferbar verfügbar ausgenommen skonto porto scope mwst ust iban bic ag gmbh mfg vg lg fahrenheit celsius internet eg og ug dg',
  ),
  ...list(
    'anwalt anwältin architekt architektin assistent assistentin bäcker bauer berater beraterin bürgermeister bürgermeisterin chefin direktor direktorin elektriker elektrikerin erzieher erzieherin fahrerin forscher forscherin friseur gärtner gärtnerin gesellen hausmeister ingenieur ingenieurin installateur klempner koch köchin lehrer lehrerin maler malerin maurer mechaniker mechanikerin minister ministerin pfleger pflegerin pfarrer pfarrerin präsident präsidentin richter richterin schlosser schneider schneiderin schreiner schreinerin schwester sekretär sekretärin sprecherin steuerberater steuerberaterin technikerin tischler trainer trainerin vorsitzende vorsitzender wirt wirtin züchter ansprechpartnerin geschäftsführerin projektleiter projektleiterin stellvertreter stellvertreterin',
  ),
]);
const LEAST_HEAD = 4;
/** Endings of German nouns that are made of verbs and adjectives. */
const GERMAN_ENDING =
  /.{2}(?:ung|ungen|heit|heiten|keit|keiten|schaft|schaften|tion|tionen|tät|täten|nisse?|ismus|enz|anz|ierung|ling|barkeit|losigkeit|tum|ment|mente|ieren|eure?n?|innen)s?$/u;
const HEAD_SET: ReadonlySet<string> = new Set(GERMAN_HEADS);
const LONGEST_HEAD = 16;

/** Bound of the memo below; texts repeat their words. */
const MEMO_LIMIT = 20_000;
const LONGEST_KEPT = 64;
const memos = { german: new Map<string, boolean>(), other: new Map<string, boolean>() };

/** Whether a word in lower case means something by itself, so that its capital letter makes no name of it. */
export function isOrdinaryWord(lower: string, german: boolean): boolean {
  const memo = german ? memos.german : memos.other;
  let isOrdinary = memo.get(lower);
  if (isOrdinary === undefined) {
    isOrdinary =
      lower.length > 1 &&
      (isCalendarWord(lower) ||
        isUnit(lower) ||
        isEnglish(lower) ||
        (german && givenName(lower) !== 'sure' && isGerman(lower)));
    if (memo.size >= MEMO_LIMIT) memo.clear();
    // A copy: a slice would keep the whole text alive that it was cut from.
    if (lower.length <= LONGEST_KEPT) memo.set(Buffer.from(lower, 'utf16le').toString('utf16le'), isOrdinary);
  }
  return isOrdinary;
}

/** Short forms of forms and letters: in capitals, and no names. */
const SHORT_FORMS: ReadonlySet<string> = new Set(
  list(
    'iban bic mwst ust nr az pos top tel fax vat eta asap faq pdf url id it hr no tbd tbc na ok po ps cc re fwd aw wg',
  ),
);

/** Whether a word in capitals is no name of its own: a unit or a common short form. Other words in capitals mean more than the word does. */
export function isOrdinaryAcronym(lower: string): boolean {
  return SHORT_FORMS.has(lower) || isCalendarWord(lower) || (isUnit(lower) && !GERMAN.has(lower));
}

/** Whether a German word in lower case is an ordinary noun as it is, and no compound of one. */
export function isPlainNoun(lower: string): boolean {
  return GERMAN.has(lower);
}

function isEnglish(lower: string): boolean {
  if (ENGLISH.has(lower) || isEverydayWord(lower)) return true;
  if (lower.includes('-')) return lower.split('-').every((part) => part.length < 3 || isEnglish(part));
  return singularsOf(lower).some((word) => ENGLISH.has(word));
}

function singularsOf(lower: string): string[] {
  const found: string[] = [];
  if (lower.endsWith('ies')) found.push(`${lower.slice(0, -3)}y`);
  if (lower.endsWith('es')) found.push(lower.slice(0, -2));
  if (lower.endsWith('s') && !lower.endsWith('ss')) found.push(lower.slice(0, -1));
  if (lower.endsWith('ing')) found.push(lower.slice(0, -3), `${lower.slice(0, -3)}e`);
  if (lower.endsWith('ed')) found.push(lower.slice(0, -2), lower.slice(0, -1));
  const doubled = /^(.+)([^aeiou])\2(?:ed|ing)$/u.exec(lower);
  if (doubled !== null) found.push(doubled[1]! + doubled[2]!);
  return found;
}

function isGerman(lower: string): boolean {
  if (GERMAN.has(lower) || GERMAN_ENDING.test(lower)) return true;
  const parts = lower.split('-');
  if (parts.length > 1) return isGerman(parts.at(-1)!);
  return [lower, lower.replace(/(?:e[nrs]?|n|s)$/u, '')].some(endsWithHead);
}

function endsWithHead(word: string): boolean {
  for (let length = LEAST_HEAD; length <= Math.min(LONGEST_HEAD, word.length); length++) {
    const rest = word.length - length;
    if ((rest === 0 || rest > 2) && HEAD_SET.has(word.slice(rest))) return true;
  }
  return false;
}
