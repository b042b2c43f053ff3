import type { ProbePair } from './probe-pair.js';

export const DUTCH: readonly ProbePair[] = [
  [
    'Tot hoe laat kan ik in het weekend naar binnen?',
    'Op zaterdag en zondag worden de laatste bezoekers om half vijf toegelaten; om kwart over vijf gaan de deuren op slot.',
  ],
  [
    'Moet ik voor mijn zoontje betalen?',
    'De toegang is gratis voor kinderen onder de zes. Scholieren krijgen het gereduceerde tarief op vertoon van hun pas.',
  ],
  [
    "Mag je daar foto's maken?",
    'Opnamen voor eigen gebruik zijn zonder flits toegestaan. Voor statieven is schriftelijke toestemming van de directie nodig.',
  ],
  [
    'Waar laat ik mijn rugzak?',
    "Tassen en paraplu's moeten in de kluisjes naast de ingang worden gelegd; de munt van een euro krijgt u terug.",
  ],
  [
    'Mijn moeder kan geen trappen lopen, hoe komt ze boven?',
    'Een lift verbindt alle verdiepingen. Rolstoelen zijn kosteloos te leen bij de balie.',
  ],
  ['Is er iets te eten?', 'Het café op de binnenplaats serveert tot vier uur soep, broodjes en taart.'],
  [
    'Ik heb tijd over en wil graag meehelpen',
    'Vrijwilligers voor rondleidingen of het archief melden zich schriftelijk bij het kantoor; voorkennis is niet vereist.',
  ],
  [
    'Wie betaalt het als mijn kind iets omgooit?',
    'Bezoekers zijn aansprakelijk voor schade die zij aan voorwerpen toebrengen. Voor minderjarigen staan de ouders in.',
  ],
  [
    'Kunnen we bij jullie een verjaardag vieren?',
    'De werkruimte kan worden gehuurd door groepen tot vijftien personen; de huur bedraagt 60 euro voor drie uur.',
  ],
  ['Hoe kom ik er zonder auto?', 'Tramlijn 4 stopt voor het gebouw. Vanaf het station is het tien minuten lopen.'],
  [
    'Ik was ziek en miste de les, ben ik mijn geld kwijt?',
    'Cursusgeld wordt terugbetaald op vertoon van een medische verklaring; anders kan een vervanger worden aangewezen.',
  ],
  [
    'Ik ben echt boos, wie luistert er naar me?',
    'Klachten worden ontvangen door de adjunct-directeur, die binnen twee weken antwoordt.',
  ],
];
