import { KNOWN_TOWNS } from './known-towns.js';

const names = (text: string): readonly string[] => text.split('|');

/** Names of places that are words too: they count behind a preposition. */
export const AMBIGUOUS_PLACES: ReadonlySet<string> = new Set(
  names(
    'essen|porto|hull|cork|reading|bath|halle|hof|weiden|regen|lage|singen|mobile|orange|bury|poole|rugby|ware|rom|perth|leer|siegen|minden|menden|verden|lingen|stade|steyr|zug|wels|bedford|chester|derby|dover|lincoln|newport|preston|windsor|sterling|buffalo|charlotte|halifax|kent|warwick|orlando|lancaster|hastings|georgia|worms|witten|landau|wallis|biel|thun|krems|sion|düren|aue|forst|haltern|heide|lauf|lohr|simmern|singen|springe|wangen|waren|traun|baden|ashford|beverley|bromley|dudley|harlow|huntingdon|kendal|leven|malvern|mansfield|newark|stafford|stamford|stroud|bray|leiden|nancy|lund|split|faro|whitby|newbury|tamworth|burgdorf|kronberg',
  ),
);

/** Countries and large cities in several languages: what nothing in a sentence tells of a name, common knowledge does. Lower case. */
const ALL_PLACES = [
  ...KNOWN_TOWNS,
  ...names(
    'afghanistan|algeria|argentina|australia|austria|bangladesh|belgium|bolivia|brazil|bulgaria|canada|chile|china|colombia|croatia|cuba|cyprus|denmark|ecuador|egypt|estonia|ethiopia|finland|france|germany|ghana|greece|hungary|iceland|india|indonesia|iran|iraq|ireland|israel|italy|japan|kenya|latvia|lithuania|luxembourg|malaysia|mexico|morocco|netherlands|new zealand|nigeria|norway|pakistan|peru|philippines|poland|portugal|romania|russia|saudi arabia|scotland|serbia|singapore|slovakia|slovenia|south africa|south korea|spain|sweden|switzerland|thailand|tunisia|turkey|ukraine|united kingdom|united states|uruguay|venezuela|vietnam|wales|england|europe|asia|africa|america|' +
      'amsterdam|ankara|antwerp|athens|auckland|bangkok|barcelona|beijing|belfast|belgrade|bergen|berlin|bern|bilbao|birmingham|bogotá|bordeaux|boston|bratislava|bremen|brighton|bristol|brussels|bucharest|budapest|buenos aires|cairo|cambridge|cape town|cardiff|casablanca|chicago|copenhagen|cork|delhi|dubai|dublin|dresden|düsseldorf|edinburgh|essen|exeter|florence|frankfurt|gdansk|geneva|genoa|ghent|glasgow|gothenburg|graz|hamburg|hanover|hannover|helsinki|hong kong|houston|hull|istanbul|izmir|jakarta|johannesburg|karachi|kiel|köln|kraków|kyiv|lagos|lausanne|leeds|leicester|leipzig|lima|linz|lisbon|liverpool|ljubljana|london|los angeles|lyon|madrid|malmö|manchester|manila|marseille|melbourne|mexico city|milan|montreal|moscow|mumbai|munich|münchen|nairobi|naples|new york|newcastle|norwich|nürnberg|nottingham|osaka|oslo|oxford|palermo|paris|perth|plymouth|porto|prague|quito|reykjavik|riga|rome|rotterdam|salzburg|san francisco|santiago|seoul|seville|shanghai|sheffield|sofia|southampton|stockholm|strasbourg|stuttgart|sydney|tallinn|tartu|tehran|tokyo|toronto|toulouse|trieste|turin|uppsala|utrecht|valencia|vancouver|venice|vienna|vilnius|warsaw|washington|wellington|wien|york|zagreb|zürich|zurich|' +
      'deutschland|österreich|schweiz|frankreich|italien|spanien|europa|rom|prag|warschau|brüssel|kopenhagen|españa|méxico|perú|francia|alemania|italia|portugal|londres|lisboa|oporto|sevilla|granada|jaén|málaga|zaragoza|córdoba|vigo|bursa|antalya|konya|adana|gaziantep|trabzon|samsun|bandırma|yalova|türkiye|almanya|fransa|i̇stanbul|i̇zmir|eskişehir|kayseri|mersin|diyarbakır|' +
      '中国|北京|上海|天津|重庆|四川|成都|乐山|西安|兰州|广州|深圳|武汉|南京|杭州|苏州|昆明|贵阳|长沙|郑州|济南|青岛|大连|沈阳|哈尔滨|长春|厦门|福州|南昌|合肥|太原|银川|西宁|拉萨|桂林|海口|云南|贵州|广东|广西|湖南|湖北|河南|河北|山东|山西|陕西|甘肃|江苏|浙江|福建|江西|安徽|吉林|辽宁|青海|海南|新疆|西藏|内蒙古|宁夏|台湾|香港|澳门|日本|韩国|美国|英国|法国|德国|東京|大阪|京都|横浜|名古屋|札幌|福岡|神戸',
  ),
];

/** Without those that are words too. */
export const KNOWN_PLACES: ReadonlySet<string> = new Set(ALL_PLACES.filter((name) => !AMBIGUOUS_PLACES.has(name)));

/** Endings that German names of places have. */
export const PLACE_ENDING =
  /(?:heim|burg|berg|dorf|stadt|hausen|furt|bach|felden|ingen|hafen|haven|brück|brücken|kirchen|münde|stein|wald|zell|roda|stedt)$/u;
