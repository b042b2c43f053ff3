import { describe, expect, it } from 'vitest';
import { measureGrounding, SUPPORTED_SCORE } from './citations.js';
import { StatementJudge } from './statement-judge.js';

const SOURCES = {
  permits:
    '# Parking\n\nA parking permit costs €45 a year and is valid until 31 December. Applications are made at least ten working days before the first use. Permits are issued by Margaret Hollis at the Eastgate office. More than two permits for one household are not granted. Motorcycles pay 50 % of the fee.',
  pool: '# Pool\n\nThe pool opens at 6:30 on weekdays and at 8:00 on Saturdays. Children under 12 must be accompanied by an adult. A day ticket is £4.20, and a ten-visit card is cheaper than ten day tickets. Lockers take a deposit of £1. The sauna is closed between 1 July and 15 August 2024.',
  bikes:
    '# Bicycles for staff\n\nAfter a probation of six months, employees may lease a bicycle through Veloria Ltd for 36 months. The employer pays 40 % of the monthly rate, at most 60 EUR. Repairs are carried out within 48 hours at Tom Brannigan’s workshop in Westport. Bicycles must not be left in the entrance hall overnight.',
  lager:
    '# Lager\n\nDas Lager in Lindau nimmt Ware montags bis freitags von 7:00 bis 15:30 Uhr an. Paletten über 800 kg werden abgewiesen. Beschädigte Ware wird innerhalb von drei Werktagen bei Frau Ebersbach gemeldet. Die Inventur findet am 3. Juni 2024 statt. Für Kühlware gelten 2,5 % Aufschlag.',
  urlaub:
    '# Urlaub\n\nVollzeitkräfte haben 28 Tage Urlaub im Jahr, Auszubildende 30. Anträge sind spätestens vier Wochen vor Beginn einzureichen. Resturlaub verfällt am 31. März des Folgejahres. Sonderurlaub genehmigt Herr Tillmann aus der Zentrale in Fulda. Während der Probezeit wird kein Urlaub gewährt.',
  cantine:
    '# Cantine\n\nLa cantine est ouverte du lundi au vendredi de 11h30 à 14h00. Le repas coûte 5,90 euros, le dessert est en supplément. Les allergènes sont affichés par Mme Delorme. Les réservations se font au plus tard deux jours avant. Il est interdit de fumer sur la terrasse.',
  biblio:
    '# Biblioteca\n\nLa biblioteca presta hasta seis libros durante tres semanas. Los retrasos cuestan 0,20 euros por día. Las salas de estudio se reservan con Elena Quiroga, en la sede de Alcoverde. No se permite comer en la sala. En agosto la biblioteca cierra a las 14:00.',
  grants:
    '# Grants\n\nProjects receive between 2,000 and 15,000 EUR, and no more than 75 percent of their costs. The jury met on 12/04/2023 and chose the project of Lindqvist over that of Harrow. Reports are due thirty days after the end of the project. Applications without a budget are rejected. Travel abroad is not covered.',
  ferry:
    '# Ferry\n\nThe ferry to Skarholm leaves at 7:15 and 16:40 every day from 1 May to 30 September. Cars longer than 5.50 m pay a surcharge of 12 EUR. Tickets may be returned up to 24 hours before departure, with a fee of 10 %. Dogs travel free of charge on a lead. In winter the crossing takes 90 minutes, in summer 75 minutes. Captain Ingrid Solberg answers complaints.',
  lab: '# Laboratory\n\nSamples are stored below 4 °C for at least two years. Only trained staff may enter room 12. Accidents are reported to Dr Amara Nwosu within one hour. The centrifuge was serviced on 2023-11-08 by Kelling GmbH. Gloves are worn before samples are opened. Chemicals of class B are cheaper than those of class A.',
  rent: '# Halls for rent\n\nThe small hall costs 180 EUR an evening, the large hall 320 EUR. Members of the club pay three quarters of the price. Keys are handed over by the caretaker, Joan Pickering, no earlier than 14:00. Fireworks are forbidden. A quarter of the rent is due on booking, the rest two weeks before the event.',
  dienstreise:
    '# Dienstreisen\n\nBahnfahrten erster Klasse sind ab vier Stunden Fahrzeit erlaubt. Für den eigenen Wagen werden 0,30 EUR je Kilometer erstattet. Belege sind bis zum 15. des Folgemonats bei Herrn Kowalski einzureichen. Hotels dürfen höchstens 110 EUR kosten, in Hamburg 140 EUR. Flüge innerhalb Deutschlands werden nicht bezahlt.',
  werkstatt:
    '# Werkstatt\n\nDie Werkstatt in Bad Lauben öffnet dienstags und donnerstags um 8 Uhr. Ersatzteile liefert die Firma Hentschel innerhalb von 48 Stunden. Die Hebebühne trägt bis zu 3,5 t. Seit März 2022 leitet Jutta Brandner die Lehrlinge. Lackieren ist teurer als Polieren. Ein Viertel der Plätze ist für Lehrlinge reserviert.',
  ecole:
    "# École\n\nL'école accueille les enfants à partir de 7h45. Les inscriptions ont lieu du 2 mai au 15 juin 2024 auprès de Mme Rivoire. La garderie du soir coûte 2,50 euros par heure et ferme à 18h30. Les élèves de moins de dix ans ne sortent pas seuls. Une réduction de 20 % est accordée aux familles de plus de trois enfants. Les parapluies restent dans le couloir.",
  velos:
    '# Vélos\n\nLes vélos électriques se louent au moins deux heures. La caution est de 150 €. Le siège de l’association se trouve à Brévenne, rue des Tilleuls. Les réparations sont gratuites pendant six mois. Le vélo cargo est plus lourd que le tandem.',
  taller:
    '# Taller\n\nEl taller abre de lunes a viernes de 9:00 a 17:30. La matrícula cuesta 35 € y debe pagarse antes del 20 de septiembre. Los menores de 16 años no pueden usar la sierra. Rosa Villalba enseña cerámica en la planta baja. Los materiales se incluyen en el precio. El curso de madera es más largo que el de cuero.',
} as const;
type Pair = readonly [source: keyof typeof SOURCES, statement: string];

const RIGHT: readonly Pair[] = [
  ['permits', 'A permit for parking costs 45 euros per year.'],
  ['permits', 'It is valid until the end of the year, 31/12.'],
  ['permits', 'You apply no later than ten working days before you first use it.'],
  ['permits', 'Margaret Hollis issues the permits at Eastgate.'],
  ['permits', 'Motorcycles pay half of the fee.'],
  ['permits', 'A household gets at most two permits.'],
  ['pool', 'On Saturdays the pool opens at 8 am.'],
  ['pool', 'Children younger than 12 have to be accompanied by an adult.'],
  ['pool', 'Ten day tickets are more expensive than a ten-visit card.'],
  ['pool', 'The sauna is closed from 1 July 2024 to 15 August 2024.'],
  ['bikes', 'Employees may lease a bicycle for three years through Veloria.'],
  ['bikes', 'The employer pays 40 percent of the monthly rate, up to €60.'],
  ['bikes', 'Repairs are done within two days at the workshop of Tom Brannigan.'],
  ['bikes', 'It is forbidden to leave bicycles in the entrance hall overnight.'],
  ['lager', 'Ware wird im Lindauer Lager werktags von 7 bis 15.30 Uhr angenommen.'],
  ['lager', 'Paletten mit mehr als 800 kg werden abgewiesen.'],
  ['lager', 'Beschädigte Ware meldet man Frau Ebersbach innerhalb von 3 Werktagen.'],
  ['lager', 'Die Inventur ist am 03.06.2024.'],
  ['lager', 'Für Kühlware gilt ein Aufschlag von 2,5 Prozent.'],
  ['urlaub', 'Auszubildende haben dreißig Tage Urlaub im Jahr.'],
  ['urlaub', 'Anträge müssen mindestens vier Wochen vor Beginn eingereicht werden.'],
  ['urlaub', 'Resturlaub verfällt zum 31.3. des Folgejahres.'],
  ['urlaub', 'Herr Tillmann in Fulda genehmigt Sonderurlaub.'],
  ['cantine', 'La cantine est ouverte de 11:30 à 14:00, du lundi au vendredi.'],
  ['cantine', 'Le repas coûte 5,90 €.'],
  ['cantine', 'On ne peut pas fumer sur la terrasse.'],
  ['biblio', 'La biblioteca presta un máximo de 6 libros durante tres semanas.'],
  ['biblio', 'Elena Quiroga reserva las salas de estudio en Alcoverde.'],
  ['grants', 'Projects receive 2000 to 15000 euros, at most 75 % of their costs.'],
  ['grants', 'The jury met on 12 April 2023.'],
  ['ferry', 'Every day the ferry to Skarholm leaves at 7.15 am and 4.40 pm.'],
  ['ferry', 'Cars of more than 5.5 m pay an additional 12 euros.'],
  ['ferry', 'You may return tickets until one day before departure for a fee of 10 percent.'],
  ['ferry', 'In summer the crossing takes an hour and a quarter, that is 75 minutes.'],
  ['ferry', 'Complaints are answered by Captain Solberg.'],
  ['ferry', 'The ferry to Skarholm leaves from 01/05 to 30/09.'],
  ['lab', 'Kelling GmbH serviced the centrifuge on 8 November 2023.'],
  ['lab', 'Class A chemicals are more expensive than class B chemicals.'],
  ['rent', 'The large hall costs €320 per evening.'],
  ['rent', 'Club members pay 75 % of the price.'],
  ['rent', 'Joan Pickering, the caretaker, hands over the keys from 2 pm.'],
  ['rent', 'Fireworks are not allowed.'],
  ['rent', '25 % of the rent is due on booking.'],
  ['dienstreise', 'Bei mindestens vier Stunden Fahrzeit ist die erste Klasse der Bahn erlaubt.'],
  ['dienstreise', 'Für den eigenen Wagen gibt es 30 Cent je Kilometer.'],
  ['dienstreise', 'Spätestens am 15. des Folgemonats müssen die Belege bei Herrn Kowalski sein.'],
  ['dienstreise', 'In Hamburg dürfen Hotels bis zu 140 Euro kosten.'],
  ['werkstatt', 'Dienstags öffnet die Werkstatt in Bad Lauben um 8:00.'],
  ['werkstatt', 'Die Firma Hentschel liefert Ersatzteile in zwei Tagen.'],
  ['werkstatt', 'Polieren ist billiger als Lackieren.'],
  ['werkstatt', 'Jutta Brandner leitet die Lehrlinge seit 03/2022.'],
  ['ecole', 'Les enfants sont accueillis dès 7:45 à l’école.'],
  ['ecole', 'Les inscriptions ont lieu auprès de Mme Rivoire, du 02/05/2024 au 15/06/2024.'],
  ['ecole', 'La garderie du soir coûte 2,5 € par heure.'],
  ['velos', 'La location des vélos électriques est de deux heures au minimum.'],
  ['taller', 'La matrícula cuesta 35 euros y se paga antes del 20/9.'],
  ['taller', 'Quien tiene menos de 16 años no puede usar la sierra.'],
];
const INVENTED: readonly Pair[] = [
  ['permits', 'A parking permit costs $45 a year.'],
  ['permits', 'A parking permit is valid until 30 June.'],
  ['permits', 'Applications are made at least ten working days after the first use.'],
  ['permits', 'Permits are issued by Margaret Wells at the Eastgate office.'],
  ['permits', 'Motorcycles pay 15 % of the fee.'],
  ['permits', 'Less than two permits for one household are not granted.'],
  ['pool', 'The pool opens at 6:30 on Sundays.'],
  ['pool', 'Children over 12 must be accompanied by an adult.'],
  ['pool', 'Ten day tickets are cheaper than a ten-visit card.'],
  ['pool', 'The sauna is closed between 1 July and 15 August 2025.'],
  ['bikes', 'Employees may lease a bicycle through Cyclonia Ltd for 36 months.'],
  ['bikes', 'The employer pays 40 % of the monthly rate, at least 60 EUR.'],
  ['bikes', 'Repairs are carried out within 48 days at the workshop in Westport.'],
  ['bikes', 'Repairs are carried out at Brannock’s workshop in Westport.'],
  ['lager', 'Paletten unter 800 kg werden abgewiesen.'],
  ['lager', 'Beschädigte Ware wird innerhalb von drei Werktagen bei Frau Ebermann gemeldet.'],
  ['lager', 'Die Inventur findet am 06.03.2024 statt.'],
  ['lager', 'Für Kühlware gelten 2,5 EUR Aufschlag.'],
  ['urlaub', 'Auszubildende haben 28 Tage Urlaub im Jahr.'],
  ['urlaub', 'Anträge sind frühestens vier Wochen vor Beginn einzureichen.'],
  ['urlaub', 'Sonderurlaub genehmigt Herr Tillmann aus der Zentrale in Kassel.'],
  ['urlaub', 'Während der Probezeit wird Urlaub gewährt.'],
  ['cantine', 'La cantine est ouverte du lundi au samedi de 11h30 à 14h00.'],
  ['cantine', 'Les réservations se font au plus tard deux jours après.'],
  ['cantine', 'Les allergènes sont affichés par Mme Fournier.'],
  ['biblio', 'La biblioteca presta al menos seis libros durante tres semanas.'],
  ['biblio', 'Los retrasos cuestan 0,20 dólares por día.'],
  ['biblio', 'Se permite comer en la sala.'],
  ['grants', 'Projects receive no less than 75 percent of their costs.'],
  ['grants', 'The jury chose the project of Harrow over that of Lindqvist.'],
  ['ferry', 'The ferry to Skarholm leaves at 7:15 and 18:40 every day.'],
  ['ferry', 'Cars shorter than 5.50 m pay a surcharge of 12 EUR.'],
  ['ferry', 'Tickets may be returned up to 24 hours after departure.'],
  ['ferry', 'In winter the crossing takes 75 minutes.'],
  ['ferry', 'The ferry to Skarholm leaves every day from 1 May to 30 November.'],
  ['ferry', 'Solveig answers complaints.'],
  ['lab', 'Samples are stored above 4 °C for at least two years.'],
  ['lab', 'Samples are stored for at most two years.'],
  ['lab', 'The centrifuge was serviced on 11 August 2023 by Kelling GmbH.'],
  ['lab', 'Gloves are worn after samples are opened.'],
  ['lab', 'Chemicals of class A are cheaper than those of class B.'],
  ['rent', 'The large hall costs 180 EUR an evening.'],
  ['rent', 'Members of the club pay half of the price.'],
  ['rent', 'Keys are handed over by the caretaker no later than 14:00.'],
  ['rent', 'Fireworks are allowed.'],
  ['rent', 'Joan Pickett hands over the keys.'],
  ['dienstreise', 'Belege sind ab dem 15. des Folgemonats bei Herrn Kowalski einzureichen.'],
  ['dienstreise', 'Hotels dürfen in Hamburg höchstens 110 EUR kosten.'],
  ['dienstreise', 'Flüge innerhalb Deutschlands werden bezahlt.'],
  ['werkstatt', 'Die Werkstatt in Bad Lauben öffnet montags und donnerstags um 8 Uhr.'],
  ['werkstatt', 'Polieren ist teurer als Lackieren.'],
  ['werkstatt', 'Die Hebebühne trägt mindestens 3,5 t.'],
  ['werkstatt', 'Brandstetter leitet die Lehrlinge seit März 2022.'],
  ['ecole', 'Les élèves de plus de dix ans ne sortent pas seuls.'],
  ['ecole', 'La garderie du soir coûte 2,50 dollars par heure.'],
  ['ecole', 'Les inscriptions ont lieu du 2 mai au 15 juillet 2024 auprès de Mme Rivoire.'],
  ['velos', 'Le tandem est plus lourd que le vélo cargo.'],
  ['taller', 'La matrícula debe pagarse después del 20 de septiembre.'],
  ['taller', 'Los menores de 16 años pueden usar la sierra.'],
];

function scoreOf([source, statement]: Pair): number {
  const judge = new StatementJudge(
    [{ number: 1, text: SOURCES[source], start: 0, documentId: 'd', title: `${source}.md` }],
    '',
  );
  return judge.score({ kind: 'text', text: statement });
}

describe('statements about rules of an office, in four languages', () => {
  it.each(RIGHT)('are supported in other words: %s: %s', (source, statement) => {
    expect(scoreOf([source, statement])).toBeGreaterThanOrEqual(SUPPORTED_SCORE);
    expect(measureGrounding(statement, [{ text: SOURCES[source] }]).status).toBe('supported');
  });

  it.each(INVENTED)('are not supported where they say something else: %s: %s', (source, statement) => {
    expect(scoreOf([source, statement])).toBeLessThan(SUPPORTED_SCORE);
    expect(measureGrounding(statement, [{ text: SOURCES[source] }]).status).toBe('unsupported');
  });
});
