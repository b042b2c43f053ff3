import { describe, expect, it } from 'vitest';
import { wantedSort } from './asked-sorts.js';

/** Ways in which people ask for a sort of thing, in English, German, French and Spanish. */
const ASKED: Readonly<Record<string, string>> = {
  price: `What do we pay the gardeners every month? | How much does the choir pay for the hall? | What does a new lock cost us? | How much do we spend on flowers? | How much is it for my aunt? | What is the fee for a locker? | How expensive is the evening class? | What would a second badge set me back? | How much to park here overnight?
    Was zahlen wir dem Gärtner im Monat? | Was kostet uns die Wartung? | Wie viel geben wir für Blumen aus? | Wie teuer ist der Abendkurs? | Was muss ich für einen Spind bezahlen? | Wie hoch ist die Kaution? | Welchen Preis hat die Jahreskarte? | Wie viel kostet der Parkplatz?
    Combien payons-nous le jardinier ? | Combien coûte la salle ? | Quel est le prix d'un casier ? | Que coûte l'abonnement ? | Combien dépense-t-on pour les fleurs ? | À combien revient le cours ? | Quel est le montant de la caution ? | Combien faut-il payer pour se garer ?
    ¿Cuánto pagamos al jardinero? | ¿Cuánto cuesta la sala? | ¿Cuál es el precio de una taquilla? | ¿Cuánto nos cobran por la limpieza? | ¿Qué cuesta el abono? | ¿Cuánto gastamos en flores? | ¿Cuánto hay que pagar por aparcar? | ¿Cuál es el importe de la fianza?`,
  duration: `How long does the course last? | For how long may I keep the keys? | How many weeks do I have to object? | How much notice must I give? | What is the notice period? | Within what period are complaints answered? | How long can guests stay?
    Wie lange dauert der Kurs? | Für wie lange darf ich die Schlüssel behalten? | Wie viele Wochen habe ich Zeit? | Welche Frist gilt für Beschwerden? | Innerhalb welcher Frist wird geantwortet? | Wie viel Zeit habe ich? | Wie lange dürfen Gäste bleiben?
    Combien de temps dure le cours ? | Pendant combien de jours puis-je garder les clés ? | Quelle est la durée du stage ? | Dans quel délai faut-il répondre ? | Quel est le préavis ? | Combien de semaines a-t-on ? | Depuis combien de temps êtes-vous ouverts ?
    ¿Cuánto tiempo dura el curso? | ¿Durante cuántos días puedo guardar las llaves? | ¿Cuál es la duración de la beca? | ¿En qué plazo se responde? | ¿Cuántas semanas tengo? | ¿Cuánto tarda el envío? | ¿Cuál es el plazo de preaviso?`,
  time: `When does the pool open? | Since when has the bridge been closed? | Until when can I enrol? | By when must the form be back? | Do you know when the sale starts? | My pass has run out, when can I renew it? | In which month is the fair?
    Wann öffnet das Bad? | Seit wann ist die Brücke gesperrt? | Bis wann kann ich mich einschreiben? | Ab wann gilt der Tarif? | Weißt du, wann der Verkauf beginnt? | Mein Pass ist abgelaufen, wann kann ich ihn erneuern? | In welchem Monat ist die Messe?
    Quand ouvre la piscine ? | Depuis quand le pont est-il fermé ? | Jusqu'à quand peut-on s'inscrire ? | À partir de quand le tarif est-il valable ? | Savez-vous quand commence la vente ? | En quel mois a lieu la foire ? | Et quand est-ce que le dépôt rouvre ?
    ¿Cuándo abre la piscina? | ¿Desde cuándo está cerrado el puente? | ¿Hasta cuándo puedo inscribirme? | ¿A partir de cuándo vale la tarifa? | ¿Para cuándo hay que entregar el impreso? | ¿En qué mes es la feria? | ¿Sabe cuándo empieza la venta?`,
  clock: `What time does the bakery open? | At what time is breakfast? | Until what time may we play music? | By what time must I be back? | What times do the buses leave? | From what hour is the gate locked?
    Um wie viel Uhr öffnet die Bäckerei? | Um welche Uhrzeit gibt es Frühstück? | Bis wie viel Uhr darf Musik gespielt werden? | Zu welcher Uhrzeit fährt der Bus? | Ab wie viel Uhr ist das Tor zu? | Welche Uhrzeit gilt für die Abgabe?
    À quelle heure ouvre la boulangerie ? | Jusqu'à quelle heure peut-on jouer ? | Vers quelle heure passe le bus ? | Le portail ferme à quelle heure ? | À partir de quelle heure sert-on le repas ? | Quels horaires pour la cantine ?
    ¿A qué hora abre la panadería? | ¿Hasta qué hora se puede tocar? | ¿A partir de qué hora se sirve la cena? | ¿Qué horario tiene la cantina? | ¿Desde qué hora está abierta la puerta? | ¿Sobre qué hora pasa el autobús?`,
  moment: `How early do I have to book? | How late can I hand it in? | How soon do you answer? | How far in advance are tickets sold? | How long before the talk do doors open? | How quickly is a leak repaired?
    Wie früh muss ich buchen? | Wie spät kann ich abgeben? | Wie bald antwortet ihr? | Wie lange vorher werden Karten verkauft? | Wie schnell wird ein Leck repariert? | Wie zeitig soll ich da sein?
    Combien de temps à l'avance faut-il réserver ? | Sous combien de temps répondez-vous ? | Combien de temps avant ouvre la salle ? | Au bout de combien de temps une fuite est-elle réparée ? | Après combien de temps peut-on entrer ? | D'ici combien de temps l'eau revient-elle ?
    ¿Con cuánta antelación hay que reservar? | ¿Con cuánto tiempo aviso? | ¿Cuánto tiempo antes abre la sala? | ¿Cuánto antes debo llegar? | ¿Cómo de rápido se repara una fuga? | ¿Qué tan pronto responden?`,
  place: `Where do I leave my coat? | Where can I find the ladder? | In which room is the talk? | On which floor is the library? | My bike is gone, where do I look? | At which counter are stamps sold?
    Wo gebe ich den Mantel ab? | Wohin kommt der Müll? | In welchem Raum ist der Vortrag? | Auf welcher Etage ist die Bibliothek? | Mein Rad ist weg, wo suche ich? | An welchem Schalter gibt es Marken?
    Où puis-je laisser mon manteau ? | D'où part le car ? | Dans quelle salle a lieu la conférence ? | À quel étage est la bibliothèque ? | Mon vélo a disparu, où chercher ? | À quel guichet vend-on des timbres ?
    ¿Dónde dejo el abrigo? | ¿Adónde va la basura? | ¿En qué sala es la charla? | ¿En qué planta está la biblioteca? | ¿De dónde sale el autocar? | Mi bici no está, ¿dónde busco?`,
  contact: `Who do I call when the lift is stuck? | Whom should I contact about keys? | Who can I ask for a ladder? | Who do we have to inform of a leak? | To whom do I write about the bill? | Who do I tell about damage?
    Wen rufe ich an, wenn der Aufzug steckt? | An wen wende ich mich wegen der Schlüssel? | Wen muss ich bei einem Leck informieren? | Bei wem melde ich mich? | Wem sage ich Bescheid? | Wer ist mein Ansprechpartner?
    Qui dois-je appeler en cas de panne ? | À qui dois-je m'adresser pour les clés ? | Qui prévenir en cas de fuite ? | Auprès de qui faut-il s'inscrire ? | À qui peut-on écrire ? | Qui contacter pour la facture ?
    ¿A quién llamo si se para el ascensor? | ¿A quién debo avisar de una fuga? | ¿Con quién hablo de las llaves? | ¿A quién hay que informar? | ¿A quién escribo por la factura? | ¿Con quién me pongo en contacto?`,
  phone: `What is the telephone number of the porter? | Which number do I ring at night? | What number should I call? | On which number can I reach the porter? | What is the emergency number? | What is the mobile number of the plumber?
    Wie lautet die Telefonnummer der Pforte? | Unter welcher Nummer ist die Pforte erreichbar? | Welche Nummer muss ich nachts anrufen? | Welche Durchwahl hat die Kasse? | Was ist die Handynummer des Klempners? | Wie ist die Notrufnummer?
    Quel est le numéro de téléphone du concierge ? | À quel numéro peut-on le joindre ? | Quel numéro dois-je appeler la nuit ? | Quel est le numéro d'urgence ? | Sur quel numéro l'appeler ? | Quel numéro faut-il composer ?
    ¿Cuál es el número de teléfono del conserje? | ¿A qué número llamo por la noche? | ¿Qué número hay que marcar? | ¿Cuál es el teléfono del fontanero? | ¿Cuál es el número de emergencias? | ¿Qué número tengo que llamar?`,
  mail: `What is the e-mail address of the choir? | To which email do I send it? | What is your email? | Which mailbox is for bills? | Where can I send an email? | What's the office e-mail?
    Wie lautet die E-Mail-Adresse des Chors? | An welche E-Mail schicke ich es? | Welche Mailadresse hat die Kasse? | Wie lautet die Mail? | An welche Mail gehen Rechnungen? | Was ist die E-Mail-Adresse?
    Quelle est l'adresse e-mail du chœur ? | À quelle adresse électronique écrire ? | Quel courriel utiliser ? | À quelle adresse mail l'envoyer ? | Quelle est votre adresse courriel ? | Quel e-mail donner ?
    ¿Cuál es el correo electrónico del coro? | ¿A qué correo lo envío? | ¿Cuál es la dirección de correo? | ¿Qué correo usa la caja? | ¿Cuál es el correo? | ¿A qué email escribo?`,
  age: `How old must members be? | At what age may children swim alone? | What is the minimum age? | From what age is it allowed? | Up to which age is it free? | How old is the mill?
    Wie alt müssen Mitglieder sein? | Ab welchem Alter dürfen Kinder allein schwimmen? | Was ist das Mindestalter? | In welchem Alter beginnt der Unterricht? | Bis zu welchem Alter ist es frei? | Mit wie vielen Jahren darf man leihen?
    Quel âge faut-il avoir ? | À partir de quel âge peut-on nager seul ? | Jusqu'à quel âge est-ce gratuit ? | Quel est l'âge minimum ? | Dès quel âge ? | À quel âge commence-t-on ?
    ¿Qué edad deben tener los socios? | ¿A partir de qué edad se puede nadar? | ¿Hasta qué edad es gratis? | ¿Cuál es la edad mínima? | ¿Cuántos años hay que tener? | ¿A qué edad se empieza?`,
  count: `How many seats are there? | How many guests may I bring? | What number of copies is needed? | How many times may I repeat it? | How many grammar books do we have? | In how many rooms is smoking allowed?
    Wie viele Plätze gibt es? | Wie viele Gäste darf ich mitbringen? | Welche Anzahl von Kopien ist nötig? | Wieviele Schlüssel haben wir? | Mit wie vielen Leuten? | In wie vielen Räumen darf man rauchen?
    Combien de places y a-t-il ? | Combien d'invités puis-je amener ? | Quel est le nombre de copies ? | Combien de clés avons-nous ? | Dans combien de salles fume-t-on ? | Combien sommes-nous ?
    ¿Cuántas plazas hay? | ¿Cuántos invitados puedo traer? | ¿Qué número de copias se necesita? | ¿Cuántas llaves tenemos? | ¿En cuántas salas se fuma? | ¿Cuál es el número de socios?`,
  percent: `What percentage is deducted? | Which share do members bear? | What proportion is recycled? | How many per cent is the discount? | What is the percentage of waste? | What fraction is paid back?
    Wie viel Prozent werden abgezogen? | Welcher Anteil ist das? | Zu wie viel Prozent ist es Wolle? | Welcher Prozentsatz gilt? | Um wie viel Prozent steigt es? | Was ist der Anteil der Stadt?
    Quel pourcentage est déduit ? | Quelle proportion est recyclée ? | Quelle part est à notre charge ? | Combien de pour cent ? | Quel est le pourcentage de laine ? | Combien pour cent de remise ?
    ¿Qué porcentaje se descuenta? | ¿Qué proporción se recicla? | ¿Cuál es el porcentaje de lana? | ¿Cuánto por ciento es? | ¿Qué tanto por ciento paga el socio? | ¿Con qué porcentaje participan?`,
  reason: `Why was the path closed? | How come the lights are off? | For what reason was it refused? | What is the reason for the delay? | What caused the leak? | Because of what was it moved?
    Warum wurde der Weg gesperrt? | Wieso ist das Licht aus? | Aus welchem Grund wurde abgelehnt? | Was ist der Grund für die Verspätung? | Weshalb wurde es verlegt? | Woran liegt es?
    Pourquoi le sentier est-il fermé ? | Pour quelle raison a-t-on refusé ? | Quelle est la raison du retard ? | À cause de quoi est-ce fermé ? | Comment se fait-il que ce soit éteint ? | Quelle est la cause de la fuite ?
    ¿Por qué se cerró el camino? | ¿Cuál es el motivo del retraso? | ¿Por qué razón se negó? | ¿A qué se debe la fuga? | ¿Cómo es que está apagado? | ¿Cuál es la causa del ruido?`,
  code: `Which form do I need for leave? | Which code opens the door? | Which account number do I use? | What password is for guests? | On which form is it reported? | Under which reference is it filed?
    Welches Formular brauche ich? | Welcher Code öffnet die Tür? | Welche Kontonummer gilt? | Wie lautet das Passwort? | Auf welchem Vordruck melde ich es? | Welche Version ist gültig?
    Quel formulaire faut-il remplir ? | Quel code ouvre la porte ? | Quel est le numéro de compte ? | Quel mot de passe pour les invités ? | Sur quel formulaire le signaler ? | Sous quelle référence ?
    ¿Qué formulario necesito? | ¿Qué código abre la puerta? | ¿Cuál es el número de cuenta? | ¿Cuál es la contraseña? | ¿Con qué impreso se comunica? | ¿Bajo qué referencia está?`,
  weight: `How heavy may a case be? | What does the press weigh? | How much does a sack weigh? | What weight is allowed? | How many kilos can I bring? | Up to what weight is it free?
    Wie schwer darf ein Koffer sein? | Was wiegt die Presse? | Wie viel wiegt ein Sack? | Welches Gewicht ist erlaubt? | Wie viele Kilo darf ich mitbringen? | Bis zu welchem Gewicht ist es frei?
    Combien pèse la presse ? | Quel est le poids autorisé ? | Quel poids peut avoir une valise ? | Combien de kilos puis-je apporter ? | Jusqu'à quel poids est-ce gratuit ? | Combien peut peser un sac ?
    ¿Cuánto pesa la prensa? | ¿Cuál es el peso permitido? | ¿Qué peso puede tener una maleta? | ¿Cuántos kilos puedo traer? | ¿Cuánto puede pesar un saco? | ¿Cuántos gramos son?`,
  temperature: `How warm is the water? | At what temperature is milk kept? | How cold may the cellar be? | How many degrees has the oven? | What is the temperature of the pool? | How hot is the tea served?
    Wie warm ist das Wasser? | Bei welcher Temperatur wird Milch gelagert? | Wie kalt darf der Keller sein? | Auf wie viel Grad steht der Ofen? | Was ist die Temperatur des Beckens? | Wie heiß wird der Tee?
    Quelle est la température de l'eau ? | À quelle température garde-t-on le lait ? | Combien de degrés a le four ? | À combien de degrés le cuire ? | Quelle température pour la cave ? | À quelle température est le bassin ?
    ¿A qué temperatura se guarda la leche? | ¿Cuál es la temperatura del agua? | ¿Cuántos grados tiene el horno? | ¿A cuántos grados se cuece? | ¿Qué temperatura tiene la bodega? | ¿Qué temperatura se mide?`,
  year: `In which year was the mill built? | What year did it burn? | Since what year is it a museum? | Until which year is it rented? | From which year are the bells? | By what year must it be repaid?
    In welchem Jahr wurde die Mühle gebaut? | Welches Jahr steht am Tor? | Seit welchem Jahr ist sie ein Museum? | Aus welchem Jahr sind die Glocken? | Ab welchem Jahr gilt das? | Bis zu welchem Jahr ist sie vermietet?
    En quelle année fut bâti le moulin ? | Quelle année est gravée ? | Depuis quelle année est-ce un musée ? | De quelle année sont les cloches ? | Quelle est l'année de l'incendie ? | Vers quelle année ?
    ¿En qué año se construyó el molino? | ¿Qué año está grabado? | ¿Desde qué año es museo? | ¿De qué año son las campanas? | ¿Hasta qué año se alquila? | ¿Cuál es el año del incendio?`,
  day: `On which day is the market? | What date is the meeting? | Which days is the hall free? | By what date must I pay? | On what weekday is glass collected? | What is the deadline?
    An welchem Tag ist Markt? | Welches Datum hat die Sitzung? | An welchen Tagen ist die Halle frei? | Bis zu welchem Datum muss ich zahlen? | An welchem Wochentag wird Glas geholt? | Welcher Tag ist frei?
    Quel jour a lieu le marché ? | À quelle date est la réunion ? | Quels jours la salle est-elle libre ? | Avant quelle date faut-il payer ? | Quelle est la date limite ? | Jusqu'à quelle date ?
    ¿Qué día es el mercado? | ¿En qué fecha es la reunión? | ¿Qué días está libre la sala? | ¿Hasta qué fecha hay que pagar? | ¿Cuál es la fecha límite? | ¿En qué día se recoge?`,
  length: `How wide is the door? | How tall is the tower? | How deep is the basin? | What width has the ramp? | How many metres of cable are there? | What is the height of the ceiling?
    Wie breit ist die Tür? | Wie tief ist das Becken? | Wie dick ist die Wand? | Welche Breite hat die Rampe? | Wie viele Meter Kabel gibt es? | Was ist die Höhe der Decke?
    Quelle est la largeur de la porte ? | Quelle profondeur a le bassin ? | Combien de mètres de câble ? | Quelle est la hauteur du plafond ? | De quelle largeur est la rampe ? | À quelle distance est la gare ?
    ¿Qué anchura tiene la puerta? | ¿Qué profundidad tiene la pila? | ¿Cuántos metros de cable hay? | ¿Cuál es la altura del techo? | ¿A qué distancia está? | ¿Cuánto mide la rampa?`,
  extent: `How long is the pier? | How long are the ropes? | How long was the strike? | How long is the lease? | How long is the film? | How long were the nets?
    Wie lang ist der Steg? | Wie lang sind die Seile? | Wie lang darf der Text sein? | Wie lang war der Streik? | Wie lang muss die Leine sein? | Wie lang ist der Film?
    De quelle longueur est la corde ? | Quelle est la longueur du ponton ? | Quelle longueur a la salle ? | Quelle est la longueur du film ? | De quelle longueur sont les filets ? | Quelle longueur de fil ?
    ¿Qué longitud tiene el muelle? | ¿Cuál es la longitud de la cuerda? | ¿De qué largo es? | ¿Qué largo tiene la sala? | ¿De qué longitud es el hilo? | ¿Qué longitud de cable?`,
  amount: `How often is the filter changed? | How fast may one drive? | How far is the station? | How big is the garden? | How high may hedges be? | How large is the loan?
    Wie oft wird der Filter gewechselt? | Wie hoch darf man bauen? | Wie weit ist der Bahnhof? | Wie groß ist der Garten? | Wie hoch darf die Hecke sein? | Wie häufig wird geputzt?
    À quelle vitesse peut-on rouler en ville ? | Combien de fois par an ? | À quelle fréquence nettoie-t-on ? | Quelle est la taille du jardin ? | À quelle fréquence passe le car ? | Quelle est la vitesse permise ?
    ¿Con qué frecuencia se cambia el filtro? | ¿Cuántas veces al año? | ¿Qué velocidad se permite? | ¿Cada cuánto se limpia? | ¿Qué tamaño tiene el jardín? | ¿A qué velocidad se circula?`,
};

describe.each(Object.entries(ASKED))('%s', (sort, questions) => {
  const four = questions.split('\n').map((line) => line.split('|').map((one) => one.trim()));

  it('is asked for in four languages, six ways each at least', () => {
    expect(four).toHaveLength(4);
    for (const one of four) expect(one.length).toBeGreaterThanOrEqual(6);
  });

  it.each(four.flat())('%s', (question) => {
    expect(wantedSort(question)).toBe(sort);
  });
});

it.each([
  ['What is the salary of Bo Lind?', 'any'],
  ['Wie hoch ist die Vergütung im zweiten Lehrjahr?', 'price'],
  ['Wie hoch ist das Kilometergeld?', 'price'],
  ['What are the opening hours of the library?', 'clock'],
  ['Wie sind die Öffnungszeiten?', 'clock'],
  ['Quels sont vos horaires ?', 'clock'],
  ['horaires du secrétariat', 'clock'],
  ['öffnungszeiten bücherei', 'clock'],
  ['opening hours library', 'clock'],
  ['horario de la piscina', 'clock'],
  ['价格是多少？', 'price'],
  ['我们每个月付多少给园丁？', 'price'],
  ['课程持续多久？', 'duration'],
  ['什么时候开门？', 'time'],
  ['几点关门？', 'clock'],
  ['在哪里交表？', 'place'],
  ['出了故障找谁？', 'contact'],
  ['为什么关闭？', 'reason'],
  ['需要填哪份表格？', 'code'],
  ['有多少个座位？', 'count'],
])('%s', (question, sort) => {
  expect(wantedSort(question)).toBe(sort);
});

describe('a question that asks for none of these', () => {
  it.each([
    'What is included in the rent?',
    'Which costs are reimbursed?',
    'What happens if I lose my badge when I travel?',
    'When the alarm rings, what do I do?',
    'May people who smoke use the balcony?',
    'What do I do where no lift is available?',
    'What is the luggage allowance?',
    'What did the board decide about the price list?',
    'What is the salary grade of a clerk?',
    'Which are the wage bands and what is the fare class?',
    'How do I pay by card?',
    'What should I pay attention to?',
    'Can I bring my dog?',
    'Who teaches the pottery class?',
    'Tell me about the summer party.',
    'Is the sauna open to guests?',
    'What do I need for the enrolment?',
    'How does the alarm work?',
    'What does “net” mean?',
    'Are there lockers?',
    'Was ist in der Miete enthalten?',
    'Was verlangt die Hausordnung?',
    'Was passiert, wenn ich den Ausweis verliere?',
    'Welche Kosten werden erstattet?',
    'Darf ich meinen Hund mitbringen?',
    'Wer leitet den Töpferkurs?',
    'Was brauche ich für die Anmeldung?',
    'Wie funktioniert der Alarm?',
    'Was bedeutet „netto“?',
    'Gibt es Schließfächer?',
    'Worauf muss ich achten?',
    'Que comprend le loyer ?',
    'Que se passe-t-il si je perds mon badge ?',
    'Puis-je amener mon chien ?',
    'Qui dirige le cours de poterie ?',
    'Comment fonctionne l’alarme ?',
    'Que signifie « net » ?',
    'Y a-t-il des casiers ?',
    '¿Qué incluye el alquiler?',
    '¿Qué pasa si pierdo la tarjeta?',
    '¿Puedo traer a mi perro?',
    '¿Quién da el curso de cerámica?',
    '¿Cómo funciona la alarma?',
    '¿Qué significa «neto»?',
    '¿Hay taquillas?',
  ])('%s', (question) => {
    expect(wantedSort(question)).toBe('any');
  });
});

it.each(['how much is it ', 'when ', 'where . ', 'what is the ', 'wie viel ', 'combien ', 'know when '])(
  'a question that is said over and over is read once: %s',
  (part) => {
    expect(typeof wantedSort(part.repeat(8_000))).toBe('string');
  },
);
