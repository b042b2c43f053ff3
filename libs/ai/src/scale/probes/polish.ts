import type { ProbePair } from './probe-pair.js';

export const POLISH: readonly ProbePair[] = [
  [
    'Do której mogę wejść w weekend?',
    'W soboty i niedziele ostatni zwiedzający są wpuszczani o wpół do piątej; drzwi zamyka się na klucz kwadrans po piątej.',
  ],
  [
    'Czy muszę płacić za małego synka?',
    'Dzieci poniżej sześciu lat mają wstęp wolny. Uczniowie otrzymują zniżkę po okazaniu legitymacji.',
  ],
  [
    'Można tam robić zdjęcia?',
    'Fotografowanie na użytek prywatny jest dozwolone bez lampy błyskowej. Statywy wymagają pisemnej zgody kierownictwa.',
  ],
  [
    'Gdzie zostawić plecak?',
    'Torby i parasole należy umieścić w szafkach obok wejścia; moneta jednego euro jest zwracana.',
  ],
  [
    'Mama nie może chodzić po schodach, jak dostanie się na górę?',
    'Winda łączy wszystkie kondygnacje. Wózki inwalidzkie wypożycza się bezpłatnie przy kasie.',
  ],
  ['Jest tam coś do jedzenia?', 'Kawiarnia na dziedzińcu podaje zupę, kanapki i ciasto do godziny szesnastej.'],
  [
    'Mam wolny czas i chętnie bym pomógł',
    'Wolontariusze do oprowadzania lub do archiwum zgłaszają się pisemnie w biurze; wcześniejsza wiedza nie jest wymagana.',
  ],
  [
    'Kto zapłaci, jeśli moje dziecko coś przewróci?',
    'Zwiedzający odpowiadają za szkody wyrządzone eksponatom. Za nieletnich odpowiadają rodzice.',
  ],
  [
    'Moglibyśmy urządzić u was urodziny?',
    'Salę warsztatową mogą wynająć grupy do piętnastu osób; najem kosztuje 60 euro za trzy godziny.',
  ],
  [
    'Jak tam dojechać bez samochodu?',
    'Tramwaj linii 4 zatrzymuje się przed budynkiem. Z dworca idzie się dziesięć minut.',
  ],
  [
    'Zachorowałem i nie byłem na zajęciach, pieniądze przepadły?',
    'Opłaty za kursy zwraca się po przedstawieniu zaświadczenia lekarskiego; w przeciwnym razie można wskazać zastępcę.',
  ],
  [
    'Jestem naprawdę zły, kto mnie wysłucha?',
    'Skargi przyjmuje zastępczyni dyrektora, która odpowiada w ciągu dwóch tygodni.',
  ],
];
