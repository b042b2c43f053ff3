function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** What tables and lists of a language say that its sentences do not say often: days and names of columns, in lower case. Names of months are
 * written as the format of a date has them, in whatever language. */
export const LIST_WORDS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    'en',
    words(
      'monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun per room rooms guest guests arrival departure night nights day days week year unit season low high early late off member supplier stock place service since status type start end sale purchase number order customer department employee size weight open wine house contract signed due invoice paid available task owner done title author members',
    ),
  ],
  [
    'de',
    words(
      'montag dienstag mittwoch donnerstag freitag samstag sonntag per pro zimmer gast gäste anreise abreise nacht nächte tag tage woche einheit saison früh spät frei leistung lieferant bestand ort seit status beginn ende verkauf einkauf nummer bestellung kunde abteilung mitarbeiter größe gewicht offen wein haus jahr ziel beleg fällig verfügbar eintritt beitrag mitglied mitglieder aufgabe erledigt titel rechnung bezahlt vertrag',
    ),
  ],
  [
    'fr',
    words(
      'lundi mardi mercredi jeudi vendredi samedi dimanche chambre chambres client clients arrivée départ nuit nuits jour jours semaine année unité saison matin soir repos membre fournisseur stock lieu service depuis statut type début fin vente achat numéro commande employé taille poids ouvert vin maison date tâche fait titre auteur facture payé échéance contrat disponible',
    ),
  ],
  [
    'es',
    words(
      'lunes martes miércoles jueves viernes sábado domingo habitación habitaciones cliente clientes llegada salida noche noches día días semana año unidad temporada mañana tarde libre miembro proveedor existencias lugar servicio estado tipo inicio fin venta compra número pedido empleado tamaño peso abierto vino casa nombre fecha total importe artículo tarea hecho título autor factura pagado vencimiento contrato disponible',
    ),
  ],
  [
    'it',
    words(
      'lunedì martedì mercoledì giovedì venerdì sabato domenica camera camere cliente clienti arrivo partenza notte notti giorno giorni settimana anno unità stagione mattina sera libero membro fornitore scorte luogo servizio stato tipo inizio fine vendita acquisto numero ordine dipendente misura peso aperto vino casa nome data importo articolo compito fatto titolo autore fattura pagato scadenza contratto disponibile',
    ),
  ],
  [
    'pt',
    words(
      'segunda terça quarta quinta sexta sábado domingo quarto quartos cliente clientes chegada partida noite noites dia dias semana ano unidade época manhã folga membro fornecedor estoque lugar serviço estado tipo início fim venda compra número pedido funcionário tamanho peso aberto vinho casa nome data total valor artigo tarefa feito título autor fatura pago vencimento contrato disponível',
    ),
  ],
  [
    'nl',
    words(
      'maandag dinsdag woensdag donderdag vrijdag zaterdag zondag per kamer kamers gast gasten aankomst vertrek nacht nachten dag dagen week jaar eenheid seizoen vroeg laat vrij lid leverancier voorraad plaats dienst sinds status type begin einde verkoop inkoop nummer bestelling klant afdeling medewerker maat gewicht open wijn huis naam datum totaal bedrag artikel taak klaar titel auteur factuur betaald vervaldatum contract beschikbaar',
    ),
  ],
  [
    'sv',
    words(
      'måndag tisdag onsdag torsdag fredag lördag söndag per namn pris antal datum summa rum gäst natt dag vecka artikel',
    ),
  ],
  [
    'da',
    words('mandag tirsdag onsdag torsdag fredag lørdag søndag per navn pris antal dato sum værelse gæst nat dag uge'),
  ],
  [
    'no',
    words('mandag tirsdag onsdag torsdag fredag lørdag søndag per navn pris antall dato sum rom gjest natt dag uke'),
  ],
]);
