import { describe, expect, it } from 'vitest';
import { detectLanguage } from './detect-language.js';
import { isList } from './list-language.js';

/** Small tables and lists, most of them with names of people of other languages. */
const KNOWN: readonly (readonly [string, string])[] = [
  [
    'en',
    'Name | Mon | Tue | Wed\nMargit Obernosterer | Early | Late | Off\nTobias Wurzer | Late | Off | Early\nLucia Moretti | Off | Early | Early\nRafael Brennan | Early | Off | Late',
  ],
  [
    'en',
    'Item | Unit | Low season | High season\nSmall tent pitch | per night | 14 | 19\nStandard pitch | per night | 22 | 29\nExtra car | per night | 4 | 5\nDay visitor | per day | 4 | 4\nFinal cleaning | per stay | 35 | 35',
  ],
  [
    'en',
    'Room | Guest | Arrival | Nights\n12 | Giovanni Rossi | 3 May | 4\n14 | Chiara Lombardi | 3 May | 2\n15 | Paolo Di Stefano | 4 May | 7\n17 | Jörg Müller | 6 May | 1',
  ],
  [
    'en',
    'Wine list\nBarolo della Casa 38.00\nChianti di Siena 24.00\nPinot Grigio 19.00\nMontepulciano 21.00\nGlass of house wine 5.50',
  ],
  [
    'de',
    'Name | Mo | Di | Mi\nMargit Obernosterer | Früh | Spät | Frei\nTobias Wurzer | Spät | Frei | Früh\nLucia Moretti | Frei | Früh | Früh\nRafael Brennan | Früh | Frei | Spät',
  ],
  [
    'de',
    'Leistung | Einheit | Preis\nStellplatz | pro Nacht | 14,00\nHund | pro Nacht | 3,50\nEndreinigung | pro Aufenthalt | 35,00\nBettwäsche | pro Person | 12,00',
  ],
  [
    'de',
    'Zimmer | Gast | Anreise | Nächte\n12 | Giovanni Rossi | 3. Mai | 4\n14 | Chiara Lombardi | 3. Mai | 2\n15 | Paolo Di Stefano | 4. Mai | 7',
  ],
  [
    'fr',
    'Prestation | Unité | Basse saison | Haute saison\nEmplacement | par nuit | 14 | 19\nChien | par nuit | 3,50 | 4,50\nMénage final | par séjour | 35 | 35\nDraps | par personne | 12 | 12',
  ],
  [
    'fr',
    'Nom | Lundi | Mardi | Mercredi\nMargit Obernosterer | Matin | Soir | Repos\nTobias Wurzer | Soir | Repos | Matin\nLucia Moretti | Repos | Matin | Matin',
  ],
  [
    'fr',
    'Chambre | Client | Arrivée | Nuits\n12 | Jürgen Müller | 3 mai | 4\n14 | Søren Ødegård | 3 mai | 2\n15 | Paolo Di Stefano | 4 mai | 7',
  ],
  [
    'es',
    'Servicio | Unidad | Temporada baja | Temporada alta\nParcela | por noche | 14 | 19\nPerro | por noche | 3,50 | 4,50\nLimpieza final | por estancia | 35 | 35\nSábanas | por persona | 12 | 12',
  ],
  [
    'es',
    'Nombre | Lunes | Martes | Miércoles\nMargit Obernosterer | Mañana | Tarde | Libre\nTobias Wurzer | Tarde | Libre | Mañana\nLucia Moretti | Libre | Mañana | Mañana',
  ],
  [
    'es',
    'Habitación | Cliente | Llegada | Noches\n12 | Jürgen Müller | 3 mayo | 4\n14 | Gonçalo Simões | 3 mayo | 2\n15 | Paolo Di Stefano | 4 mayo | 7',
  ],
  [
    'it',
    'Servizio | Unità | Bassa stagione | Alta stagione\nPiazzola | per notte | 14 | 19\nCane | per notte | 3,50 | 4,50\nPulizia finale | per soggiorno | 35 | 35\nBiancheria | per persona | 12 | 12',
  ],
  [
    'it',
    'Nome | Lunedì | Martedì | Mercoledì\nMargit Obernosterer | Mattina | Sera | Libero\nTobias Wurzer | Sera | Libero | Mattina\nRafael Brennan | Libero | Mattina | Sera',
  ],
  [
    'it',
    'Camera | Cliente | Arrivo | Notti\n12 | Jürgen Müller | 3 maggio | 4\n14 | Gonçalo Simões | 3 maggio | 2\n15 | Sven Åkesson | 4 maggio | 7',
  ],
  [
    'nl',
    'Dienst | Eenheid | Laagseizoen | Hoogseizoen\nKampeerplaats | per nacht | 14 | 19\nHond | per nacht | 3,50 | 4,50\nEindschoonmaak | per verblijf | 35 | 35\nBedlinnen | per persoon | 12 | 12',
  ],
  [
    'nl',
    'Naam | Maandag | Dinsdag | Woensdag\nMargit Obernosterer | Vroeg | Laat | Vrij\nTobias van der Wurzer | Laat | Vrij | Vroeg\nLucia Moretti | Vrij | Vroeg | Vroeg',
  ],
  [
    'pt',
    'Serviço | Unidade | Época baixa | Época alta\nParcela | por noite | 14 | 19\nCão | por noite | 3,50 | 4,50\nLimpeza final | por estadia | 35 | 35\nRoupa de cama | por pessoa | 12 | 12',
  ],
  [
    'pt',
    'Nome | Segunda | Terça | Quarta\nMargit Obernosterer | Manhã | Noite | Folga\nTobias Wurzer | Noite | Folga | Manhã\nLucia Moretti | Folga | Manhã | Manhã',
  ],
  [
    'pt',
    'Quarto | Cliente | Chegada | Noites\n12 | Jürgen Müller | 3 maio | 4\n14 | Gonçalo Simões | 3 maio | 2\n15 | Sven Åkesson | 4 maio | 7',
  ],
  [
    'en',
    'Article | Supplier | In stock | Place\nGas bottle 5 kg | Alpengas | 14 | Cage\nGround coffee 500 g | Rösterei Falk | 13 | C1\nMilk 1 l | Käserei Egger | 30 | Fridge\nBread | Bäckerei Höfer | 12 | Counter\nHiking map | Verlag Tauern | 7 | Counter',
  ],
  [
    'en',
    'Member | Seat | Since\nBjörn Åkesson | Malmö | 2019\nÅsa Öberg | Göteborg | 2020\nPär Sjögren | Växjö | 2021\nMärta Lindström | Umeå | 2018',
  ],
  [
    'de',
    'Wein | Preis\nBarolo della Casa | 38,00\nVino Nobile di Montepulciano | 24,00\nPinot Grigio delle Venezie | 19,00\nRiesling vom Berg | 17,00',
  ],
  [
    'en',
    'Task | Owner | Done\nRepair the fence | Müller | yes\nPaint the shed | Da Silva | no\nCall the plumber | García | no\nOrder new chairs | Ångström | yes',
  ],
  [
    'en',
    'Title | Author | Borrowed by\nThe old man and the sea | Hemingway | A. Costa\nNight train to Lisbon | Mercier | P. Rossi\nThe leopard | di Lampedusa | K. Jonsson',
  ],
  [
    'de',
    'Aufgabe | Wer | Erledigt\nZaun reparieren | Costa | ja\nSchuppen streichen | Da Silva | nein\nNeue Stühle bestellen | García | ja\nKlempner rufen | Rossi | nein',
  ],
  [
    'fr',
    'Tâche | Qui | Fait\nRéparer la clôture | Müller | oui\nPeindre la cabane | Da Silva | non\nCommander des chaises | García | oui',
  ],
  [
    'es',
    'Tarea | Quién | Hecho\nReparar la valla | Müller | sí\nPintar el cobertizo | Rossi | no\nPedir sillas nuevas | Costa | sí',
  ],
  [
    'it',
    'Compito | Chi | Fatto\nRiparare la recinzione | Müller | sì\nDipingere il capanno | García | no\nOrdinare delle sedie | Costa | sì',
  ],
  [
    'nl',
    'Taak | Wie | Klaar\nHek repareren | Müller | ja\nSchuur verven | Da Silva | nee\nNieuwe stoelen bestellen | García | ja',
  ],
  [
    'pt',
    'Tarefa | Quem | Feito\nReparar a vedação | Müller | sim\nPintar o barracão | Rossi | não\nEncomendar cadeiras | García | sim',
  ],
];

/** Those whose words are not known. */
const UNSURE: readonly (readonly [string, string])[] = [
  [
    'en',
    'Player | Club | Goals\nZoltán Gera | Pécs | 12\nPavel Nedvěd | Plzeň | 9\nRobert Lewandowski | Łódź | 31\nHakan Şükür | Sakarya | 18',
  ],
  [
    'en',
    'Plate | Driver | Mileage | Next check\nGK-112 | Ilario Conti | 88000 | 2025-06-01\nGK-118 | Dario de Luca | 12000 | 2025-09-12\nGK-121 | Karel Novák | 4300 | 2026-01-02',
  ],
  ['en', 'Flour 500 g\nButter 250 g\nSugar 120 g\nEggs 3\nVanilla 1'],
  [
    'de',
    'Kennzeichen | Fahrer | Kilometerstand | Nächste Prüfung\nGK-112 | Ilario Conti | 88000 | 01.06.2025\nGK-118 | Dario de Luca | 12000 | 12.09.2025\nGK-121 | Karel Novák | 4300 | 02.01.2026',
  ],
  ['de', 'Mehl 500 g\nButter 250 g\nZucker 120 g\nEier 3\nVanille 1'],
  [
    'fr',
    'Immatriculation | Conducteur | Kilométrage | Contrôle\nGK-112 | Ilario Conti | 88000 | 01/06/2025\nGK-118 | Dario de Luca | 12000 | 12/09/2025\nGK-121 | Karel Novák | 4300 | 02/01/2026',
  ],
  ['fr', 'Farine 500 g\nBeurre 250 g\nSucre 120 g\nŒufs 3\nVanille 1'],
  [
    'es',
    'Matrícula | Conductor | Kilometraje | Revisión\nGK-112 | Ilario Conti | 88000 | 01/06/2025\nGK-118 | João da Silva | 12000 | 12/09/2025\nGK-121 | Karel Novák | 4300 | 02/01/2026',
  ],
  ['es', 'Harina 500 g\nMantequilla 250 g\nAzúcar 120 g\nHuevos 3\nVainilla 1'],
  [
    'it',
    'Targa | Conducente | Chilometraggio | Revisione\nGK-112 | João da Silva | 88000 | 01/06/2025\nGK-118 | Hans Müller | 12000 | 12/09/2025\nGK-121 | Karel Novák | 4300 | 02/01/2026',
  ],
  ['it', 'Farina 500 g\nBurro 250 g\nZucchero 120 g\nUova 3\nVaniglia 1'],
  [
    'nl',
    'Kenteken | Chauffeur | Kilometerstand | Volgende keuring\nGK-112 | Ilario Conti | 88000 | 01-06-2025\nGK-118 | Dario de Luca | 12000 | 12-09-2025\nGK-121 | Karel Novák | 4300 | 02-01-2026',
  ],
  [
    'pt',
    'Matrícula | Condutor | Quilometragem | Revisão\nGK-112 | Ilario Conti | 88000 | 01/06/2025\nGK-118 | Hans Müller | 12000 | 12/09/2025\nGK-121 | Karel Novák | 4300 | 02/01/2026',
  ],
  ['pt', 'Farinha 500 g\nManteiga 250 g\nAçúcar 120 g\nOvos 3\nBaunilha 1'],
];

describe('detectLanguage of tables and lists', () => {
  it.each(KNOWN)('recognises %s: %j', (language, text) => {
    expect(detectLanguage(text).language).toBe(language);
  });

  it.each(UNSURE)('names no other language than %s: %j', (language, text) => {
    expect(['und', language]).toContain(detectLanguage(text).language);
  });

  it('counts what rows repeat once', () => {
    const rows = Array.from({ length: 30 }, (_, at) => `Pitch ${at} | per night | ${at + 10}`);
    const text = ['Item | Unit | Price', ...rows, '', 'Prices include all of the persons that are named.'].join('\n');
    expect(detectLanguage(text).language).toBe('en');
  });
});

describe('isList', () => {
  it.each([
    ['rows', 'Name | Seat\nAnna | 12\nPaul | 14', true],
    ['entries with a figure', 'Lamp 19.90 EUR\nChair 89,00 €\nShelf 45', true],
    ['sentences below each other', 'We met in 2024.\nThe fee is 45 euros a year.\nAll agreed.', false],
    [
      'rows of sentences',
      `Question | Answer\n${'Who may bring a dog to the lake, and where may it swim with us? | Anyone, at the bank beyond the boathouse.\n'.repeat(3)}`,
      false,
    ],
    ['two lines', 'Lamp 19.90\nChair 89.00', false],
  ])('tells %s', (_what, text, is) => {
    expect(isList(text)).toBe(is);
  });
});
