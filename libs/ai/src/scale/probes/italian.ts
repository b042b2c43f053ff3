import type { ProbePair } from './probe-pair.js';

export const ITALIAN: readonly ProbePair[] = [
  [
    'Fino a che ora posso entrare nel fine settimana?',
    'Il sabato e la domenica gli ultimi visitatori sono ammessi alle sedici e trenta; le porte vengono chiuse a chiave alle diciassette e quindici.',
  ],
  [
    'Devo pagare per il mio bambino?',
    "L'ingresso è gratuito sotto i sei anni. Gli alunni hanno la tariffa ridotta mostrando la tessera.",
  ],
  [
    'Si possono fare foto lì dentro?',
    'Le riprese per uso privato sono permesse senza flash. I treppiedi richiedono il consenso scritto della direzione.',
  ],
  [
    'Dove metto lo zaino?',
    "Borse e ombrelli vanno lasciati negli armadietti accanto all'entrata; la moneta da un euro viene restituita.",
  ],
  [
    'Mia madre non riesce a fare le scale, come arriva di sopra?',
    'Un ascensore collega tutti i piani. Al banco si prestano sedie a rotelle senza spese.',
  ],
  ["C'è qualcosa da mangiare?", 'Il caffè nel cortile serve zuppa, panini e torta fino alle quattro del pomeriggio.'],
  [
    'Ho tempo libero e mi piacerebbe dare una mano',
    "I volontari per le visite guidate o per l'archivio fanno domanda scritta all'ufficio; non sono richieste conoscenze precedenti.",
  ],
  [
    'Chi paga se mio figlio fa cadere qualcosa?',
    'I visitatori rispondono dei danni che causano agli oggetti esposti. Per i minorenni rispondono i genitori.',
  ],
  [
    'Potremmo festeggiare un compleanno da voi?',
    "La sala del laboratorio può essere affittata da gruppi fino a quindici persone; l'affitto è di 60 euro per tre ore.",
  ],
  ['Come ci arrivo senza macchina?', "Il tram 4 ferma davanti all'edificio. Dalla stazione sono dieci minuti a piedi."],
  [
    'Mi sono ammalato e ho perso la lezione, i soldi sono andati?',
    'Le quote dei corsi sono rimborsate presentando un certificato medico; altrimenti si può indicare un sostituto.',
  ],
  [
    'Sono proprio arrabbiato, chi mi ascolta?',
    'I reclami sono ricevuti dalla vicedirettrice, che risponde entro due settimane.',
  ],
];
