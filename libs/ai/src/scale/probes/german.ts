import type { ProbePair } from './probe-pair.js';

export const GERMAN: readonly ProbePair[] = [
  [
    'Bis wann komme ich am Wochenende noch rein?',
    'Samstags und sonntags werden die letzten Besucher um halb fünf eingelassen; um Viertel nach fünf werden die Türen verschlossen.',
  ],
  [
    'Muss ich für meinen kleinen Sohn was zahlen?',
    'Der Eintritt ist für Kinder unter sechs Jahren frei. Schüler erhalten gegen Vorlage ihres Ausweises den ermäßigten Tarif.',
  ],
  [
    'Darf man drinnen Fotos machen?',
    'Aufnahmen für private Zwecke sind ohne Blitz gestattet. Stative bedürfen der schriftlichen Zustimmung der Leitung.',
  ],
  [
    'Wohin mit meinem Rucksack?',
    'Taschen und Schirme sind in den Schließfächern neben dem Eingang abzulegen; die Münze von einem Euro wird zurückgegeben.',
  ],
  [
    'Meine Mutter kann keine Treppen steigen, wie kommt sie nach oben?',
    'Ein Aufzug verbindet alle Geschosse. Rollstühle können an der Kasse unentgeltlich geliehen werden.',
  ],
  ['Gibt es bei euch was zu essen?', 'Das Café im Hof bietet bis sechzehn Uhr Suppe, belegte Brote und Kuchen an.'],
  [
    'Ich hätte Zeit und würde gern mithelfen',
    'Ehrenamtliche für Führungen oder das Archiv bewerben sich schriftlich im Büro; Vorkenntnisse werden nicht verlangt.',
  ],
  [
    'Wer kommt dafür auf, wenn mein Kind was umwirft?',
    'Besucher haften für Schäden, die sie an Ausstellungsstücken verursachen. Für Minderjährige stehen die Eltern ein.',
  ],
  [
    'Können wir bei euch Geburtstag feiern?',
    'Der Werkraum kann von Gruppen bis fünfzehn Personen gemietet werden; die Miete beträgt 60 Euro für drei Stunden.',
  ],
  [
    'Wie komme ich ohne Auto hin?',
    'Die Straßenbahnlinie 4 hält vor dem Gebäude. Vom Bahnhof sind es zehn Minuten zu Fuß.',
  ],
  [
    'Ich war krank und konnte nicht zum Kurs, ist mein Geld weg?',
    'Kursgebühren werden gegen Vorlage eines ärztlichen Attests erstattet; andernfalls kann eine Ersatzperson benannt werden.',
  ],
  [
    'Ich bin echt sauer, wer hört mir zu?',
    'Beschwerden nimmt die stellvertretende Direktorin entgegen; sie antwortet innerhalb von zwei Wochen.',
  ],
];
