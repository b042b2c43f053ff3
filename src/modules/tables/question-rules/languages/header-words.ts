import { fold, stemOf } from '../words.js';

/** English words of headers and of what rows are called, each with the German, French and Spanish words for it. */
const WORDS: Readonly<Record<string, string>> = {
  customer: 'kunde kundin auftraggeber cliente',
  supplier: 'lieferant fournisseur proveedor',
  employee: 'mitarbeiter mitarbeiterin angestellte beschäftigte employé salarié empleado',
  driver: 'fahrer fahrerin chauffeur conducteur conductor',
  teacher: 'lehrer lehrerin enseignant professeur profesor maestro',
  participant: 'teilnehmer participante',
  price: 'preis kosten gebühr prix coût tarif precio coste',
  amount: 'betrag montant importe monto',
  revenue: 'umsatz erlös ingreso',
  salary: 'gehalt lohn salaire salario sueldo',
  rent: 'miete loyer alquiler',
  city: 'stadt ville ciudad',
  location: 'standort lieu emplacement ubicación',
  country: 'pays país',
  date: 'datum fecha',
  duration: 'dauer laufzeit durée duración',
  length: 'länge longueur longitud',
  width: 'breite largeur anchura ancho',
  height: 'höhe hauteur altura',
  depth: 'tiefe profondeur profundidad',
  weight: 'gewicht poids peso',
  speed: 'geschwindigkeit vitesse velocidad',
  distance: 'entfernung strecke trajet distancia',
  mileage: 'kilometerstand kilométrage kilometraje',
  age: 'alter âge edad',
  year: 'jahr baujahr année año',
  size: 'größe grösse grundfläche wohnfläche taille superficie tamaño',
  area: 'fläche surface área',
  capacity: 'kapazität capacité capacidad aforo',
  seats: 'sitzplätze sitzplatz plätze asiento plaza',
  population: 'einwohner einwohnerzahl habitant habitante',
  score: 'punkte punktzahl ergebnis puntuación',
  vehicle: 'fahrzeug wagen véhicule vehículo',
  car: 'auto voiture coche',
  truck: 'lastwagen lkw camion camión',
  plate: 'kennzeichen immatriculation matrícula',
  model: 'modell modèle modelo',
  fuel: 'kraftstoff treibstoff antrieb carburant motorisation combustible',
  room: 'zimmer raum chambre salle habitación sala',
  treatment: 'behandlung soin tratamiento',
  dish: 'gericht speise plat plato',
  product: 'produkt artikel ware produit producto artículo',
  building: 'gebäude bâtiment edificio',
  project: 'projekt projet proyecto',
  department: 'abteilung département departamento',
  course: 'kurs lehrgang cours formation curso',
  book: 'buch livre libro',
  order: 'bestellung auftrag commande pedido',
  invoice: 'rechnung facture factura',
  contract: 'vertrag contrat contrato',
  trip: 'fahrt reise voyage viaje',
  repair: 'reparatur réparation reparación',
  problem: 'mangel störung schaden problème avería',
  technician: 'techniker technicien técnico',
  service: 'wartung gewartet entretien entretenu révision revisión mantenimiento',
  machine: 'maschine gerät appareil máquina aparato',
};

const IN_ENGLISH = new Map<string, string[]>();
for (const [english, others] of Object.entries(WORDS)) {
  for (const word of others.split(' ')) {
    const stem = stemOf(fold(word));
    IN_ENGLISH.set(stem, [...(IN_ENGLISH.get(stem) ?? []), stemOf(english)]);
  }
}
/** Endings of German, French and Spanish plurals and cases that no English stem loses. */
const INFLECTED = /(?:en|n|e|es)$/;

/** The English stems that a stem of a header or a question represents in another language; itself where it represents none. */
export function inEnglish(stem: string): readonly string[] {
  return IN_ENGLISH.get(stem) ?? IN_ENGLISH.get(stemOf(stem.replace(INFLECTED, ''))) ?? [stem];
}

/** Shorter words end too many others. */
const LEAST_IN_COMPOUND = 5;
const LEAST_BEFORE = 3;
const ENDINGS = Object.entries(WORDS).flatMap(([english, others]) =>
  others
    .split(' ')
    .map(fold)
    .filter((word) => word.length >= LEAST_IN_COMPOUND)
    .map((word) => [word, stemOf(english)] as const),
);

/** The English stems of the word that a German compound ends in: `vollpreis` is a price. */
export function endInEnglish(text: string): readonly string[] {
  return ENDINGS.flatMap(([word, english]) =>
    text.endsWith(word) && text.length - word.length >= LEAST_BEFORE ? [english] : [],
  );
}
