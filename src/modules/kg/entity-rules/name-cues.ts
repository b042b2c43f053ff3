/** Words that tell what a name beside them names. Lower case; of several languages together, since names cross them. */

const list = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** In front of a person's name. */
export const PERSON_TITLES = list(
  'mr mrs ms miss dr prof professor sir lady cllr councillor rev reverend ceo cfo coo cto cio captain judge president chancellor minister director chair chairman chairwoman herr herrn hr frau doktor professorin señor señora sr sra don doña dr. doctora doctor profesor profesora bay bayan sayın prof. monsieur madame mme signor signora projektleiterin projektleiter leiter leiterin geschäftsführer geschäftsführerin directora director gerente ingeniera ingeniero agrónomo müdür müdürü başkan başkanı kaptan mühendis mühendisi engineer nurse surveyor architect inspector baker farmer',
);

/** Last or first words of the name of an organisation. */
export const ORGANISATION_WORDS = list(
  'ltd limited inc incorporated corp corporation co company llc llp plc gmbh ag kg kgaa ohg ev sa sas sl slu srl spa bv nv ab oy as aş şti group holding holdings partners associates bank university college school institute institution academy hospital infirmary clinic council ministry department agency authority office bureau commission committee board court guild union association society federation foundation trust museum library laboratory laboratories labs observatory archive press service services party league consortium cooperative works estates airlines railways insurance team universität hochschule institut klinik krankenhaus verein verband gesellschaft stiftung behörde amt bundesamt ministerium stadtwerke werke bahnwerke genossenschaft kammer gericht bibliothek universidad instituto hospital clínica cooperativa asociación fundación ministerio consejo ayuntamiento banco empresa compañía laboratorio sociedad museo federación sindicato escuela colegio üniversitesi enstitüsü hastanesi bakanlığı belediyesi derneği vakfı şirketi bankası tersanesi müzesi laboratuvarı kooperatifi birliği odası müdürlüğü fabrikası okulu kurumu université société agencia autoridad archivo sanayi seguros stadtbücherei bücherei molkerei alliance club fc gesellschaften assembly parliament association hôpital università società foods hosting productions practice centre center theatre theater hotel bakery brewery industries logistics technologies consultants solicitors energy solutions systems biotech pharma grocers outfitters builders caterers translations brokers homes software',
);

/** What companies are by law, as it is written: enough to make a name of the words in front. */
export const LEGAL_FORM =
  /^(?:Ltd|LTD|Limited|Inc|Incorporated|Corp|Corporation|LLC|LLP|PLC|plc|GmbH|gGmbH|mbH|AG|KG|KGaA|OHG|oHG|eV|e\.V|eG|SE|UG|GbR|SA|S\.A|SAS|SL|S\.L|SRL|S\.R\.L|Srl|SpA|BV|B\.V|NV|N\.V|AB|Oy|AS|A\.?Ş|ŞTİ|Şti|Pty)$/u;

/** Words of organisations that offices also say of their own rooms, people and tasks. */
export const LOOSE_ORGANISATION_WORDS = list(
  'company group holding holdings partners associates school agency office bureau commission committee board court council library archive press service services party team works service club department authority assembly amt gericht partner insurance bank association union league lab foods hosting productions practice centre center theatre theater hotel bakery brewery industries logistics technologies consultants solicitors energy solutions systems biotech pharma grocers outfitters builders caterers translations brokers homes software',
);

/** German compounds that end in a kind of organisation: `Ingenieurbüro`, `Sparkasse`. */
export const ORGANISATION_COMPOUND =
  /(?:amt|bank|werke|verband|verein|gesellschaft|institut|klinik|klinikum|kasse|kammer|bücherei|museum|genossenschaft|stiftung|molkerei|schule|gymnasium|universität|versicherung|kanzlei|büro|spedition|verwaltung|brauerei|verlag|bäckerei|metzgerei|gärtnerei|schreinerei|druckerei|reederei|apotheke|autohaus|gartenbau|kindergarten)$/u;

/** What a company is to others: a noun in front of its name. */
export const COMPANY_ROLES = list(
  'partner supplier contractor subcontractor client customer provider vendor auditor landlord tenant employer agent distributor manufacturer carrier insurer sponsor owner operator retailer reseller buyer seller',
);

/** German nouns, and compounds of them, of what a company is to others. */
export const COMPANY_NOUN =
  /(?:firma|unternehmen|konzern|hersteller|lieferant|dienstleister|anbieter|händler|caterer|partner|betreiber|auftraggeber|auftragnehmer|vermieter|mieter)$/u;

/** Those of them that no single person is: `Busunternehmen`. */
export const COMPANY_COMPOUND = /(?:firma|unternehmen|konzern|hersteller|lieferant|dienstleister)$/u;

/** Titles that only persons have; the others are words of offices too. */
export const SURE_TITLES = list(
  'mr mrs ms miss dr prof professor sir lady cllr councillor rev reverend herr herrn frau doktor professorin señor señora sr sra doña doctora doctor profesor profesora bayan sayın monsieur madame mme signor signora hr fr dr. prof. mr. ms.',
);

/** Last or first words of the name of a place. */
export const PLACE_WORDS = list(
  'street road lane avenue square hill river lake mount mountain island islands valley bay harbour harbor port bridge park forest county province city town village quay wharf dock airport station straße strasse weg platz allee gasse ufer see fluss berg tal insel calle plaza avenida río monte lago isla valle puerto barrio sokak sokağı caddesi mahallesi nehri gölü dağı köyü adası limanı rue place lac mont via piazza cape point cliff coast pass peak arroyo cabo bahía cerro puente kap gebirge hafen burnu körfezi bahnhof hauptbahnhof flughafen',
);

/** Words of places that things are named with too: `Piko Dock` is a place only behind a preposition or an article. */
export const LOOSE_PLACE_WORDS = list('dock port bridge point pass peak cape station square cliff via place park');

/** In front of what lies somewhere. */
export const PLACE_BEFORE = list('in near outside at to from over across behind through aus nach en desde the');

/** First words of names of places: `Lake …`, `Insel …`; others are last words only. */
export const PLACE_FIRST = list(
  'lake mount river port cape county isle insel calle plaza avenida río monte lago isla valle puerto barrio rue place lac mont via piazza see kap platz arroyo cabo bahía cerro puente',
);

/** Prepositions in front of a place. */
export const PLACE_SURE = list('in near outside aus nach en desde');

/** In front of `in` and a place: what lives, lies or happens somewhere. */
export const LIVES_SOMEWHERE = list(
  'live lives lived living born grew founded registered manufactured based located situated resides stay stays stayed held met meet works worked working opened opens built arrived landed died office offices plant factory branch branches site sites warehouse depot shop shops store hotel house home headquarters quarters meeting conference fair school hospital station harbour port village town city district people families farmers winter summer',
);

/** In between, where a person or an office is at a place: `The office is in …`, `She was in …`. */
export const IS_SOMEWHERE = list('is are was were');

/** Kinds of places that a place's name follows after `of`: `the village of …`. */
export const PLACES_OF = list('village town city port island county province district parish hamlet region valley');

/** Words before a product's name. */
export const PRODUCT_WORDS = list(
  'device software database program programme app tool system engine model version monitor sensor machine library compiler framework platform gerät software datenbank programm anlage maschine dispositivo programa sistema aparato máquina cihaz cihazı yazılım yazılımı programı uygulama called named namens namen llamado llamada adlı',
);

/** Verbs that mostly persons do, right behind or before a name. */
export const PERSON_VERBS = list(
  'said says told wrote argued explained proposed noted warned recalled found believes thinks admits insists who sagt sagte erklärt erklärte meint fordert warnt hatte dice afirma sostiene explica reconoce pide señala söylüyor belirtiyor anlatıyor diyor dedi',
);

/** Words that begin sentences in capitals and name nothing, besides the function words of each language. */
export const NEVER_NAMES = list(
  'despite besides throughout following including given unlike like regarding upon towards amid beyond behind across along around above below due are is was were be been being am can could would should might shall will may must do does did has have had let via than hope please whether upon per its us me my the a an this that these those it its he she they we you i his her their our my your in on at by for from to of with and or but if when while after before since until although because as so then there here what which who whose whom how why where not no yes all any some each every both either neither one two three four five six seven eight nine ten first second third last next other another such only also even still yet now later today however therefore moreover meanwhile according nearly about most many few more less please note see figure table chapter section page appendix introduction summary conclusion contents overview references critics disputes during under over between among through against within without instead once both until der die das ein eine einer eines einem einen dem den des und oder aber wenn als nach vor bei mit von aus für im am zum zur er sie es wir ihr ihre sein seine dieser diese dieses nicht auch nur noch dann so wie was wer wo da damit dabei doch laut seit bis über unter durch gegen ohne um auf zwischen während statt trotz wegen unser unsere unserem unseren unserer unseres euer eure ihrem ihren ihrer meine mein kein keine keiner welche welcher welches bitte anbei vom beim ins ans aufs ab pro je jeder jede jedes alle viele einige mehrere beide el la los las un una unos unas y o pero si cuando después antes de del al en con por para sin sobre entre desde hasta su sus este esta estos estas ese esa eso que quien como donde no sí también más muy ya se lo le les según cada todo todos otra otro además bir bu şu o ve veya ama için ile de da ki gibi kadar göre sonra önce her bazı daha en çok ise ne nasıl neden bunu buna bunun onun ilk ikinci le les un une des et ou mais il elle ils elles ce cette ces dans sur pour par avec sans',
);

/** Words that part names even where a title has them in capitals: `England And Wales`. */
export const NEVER_INSIDE = list(
  'and or to for from with without via after before until than by in on at per the you we is are will can und oder mit ohne für bis zum zur im am vom beim bei ist sind',
);

/** Lower-case words that may be inside a name. */
export const CONNECTORS = list('of de del la las los van von zu da do dos das di du des &');

/** German nouns that say what the name behind them names, and are no part of it. */
export const NOUNS_BEFORE_NAMES: ReadonlyMap<string, 'organisation' | 'product' | 'person'> = new Map([
  ...['firma', 'kette', 'gruppe', 'marke', 'unternehmen'].map((noun) => [noun, 'organisation'] as const),
  ...['gerät', 'typ', 'modell', 'programm', 'software', 'anlage', 'maschine'].map((noun) => [noun, 'product'] as const),
  ...['arzt', 'anwalt', 'lehrer', 'forscher', 'ingenieur', 'meister', 'sprecher', 'bürgermeister'].map(
    (noun) => [noun, 'person'] as const,
  ),
]);
/** German names of what a woman does end so. */
export const ROLE_ENDING = /(?:er|eur|log|eg|sch|ist|ent|ant|ärzt|anwält)in$/u;
