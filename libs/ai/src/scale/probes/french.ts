import type { ProbePair } from './probe-pair.js';

export const FRENCH: readonly ProbePair[] = [
  [
    "Jusqu'à quelle heure je peux entrer le week-end ?",
    'Le samedi et le dimanche, les derniers visiteurs sont admis à seize heures trente ; les portes sont fermées à clé à dix-sept heures quinze.',
  ],
  [
    'Faut-il payer pour mon petit garçon ?',
    "L'entrée est gratuite pour les enfants de moins de six ans. Les élèves bénéficient du tarif réduit sur présentation de leur carte.",
  ],
  [
    'On a le droit de prendre des photos ?',
    "Les prises de vue à usage privé sont permises sans flash. Les trépieds nécessitent l'accord écrit de la direction.",
  ],
  [
    'Où est-ce que je pose mon sac à dos ?',
    "Les bagages et les parapluies doivent être déposés dans les casiers près de l'accueil ; la pièce d'un euro est rendue.",
  ],
  [
    'Ma mère ne peut pas monter les marches, comment fait-elle pour aller en haut ?',
    'Un ascenseur relie tous les étages. Des fauteuils roulants sont prêtés sans frais au guichet.',
  ],
  [
    'Il y a quelque chose à manger ?',
    "Le café de la cour sert de la soupe, des sandwichs et des gâteaux jusqu'à seize heures.",
  ],
  [
    "J'ai du temps libre et j'aimerais donner un coup de main",
    "Les bénévoles pour les visites guidées ou les archives posent leur candidature par écrit au bureau ; aucune connaissance préalable n'est exigée.",
  ],
  [
    'Qui paie si mon enfant fait tomber quelque chose ?',
    "Les visiteurs sont responsables des dommages qu'ils causent aux objets exposés. Les parents répondent des mineurs.",
  ],
  [
    'On pourrait fêter un anniversaire chez vous ?',
    "La salle d'atelier peut être louée par des groupes de quinze personnes au plus ; la location coûte 60 euros pour trois heures.",
  ],
  [
    'Comment y aller sans voiture ?',
    "La ligne 4 du tramway s'arrête devant le bâtiment. Depuis la gare, il faut dix minutes à pied.",
  ],
  [
    "J'étais malade et j'ai raté le cours, mon argent est perdu ?",
    "Les frais de stage sont remboursés sur présentation d'un certificat médical ; sinon, un remplaçant peut être désigné.",
  ],
  [
    "Je suis vraiment fâché, qui va m'écouter ?",
    'Les réclamations sont reçues par la directrice adjointe, qui répond sous deux semaines.',
  ],
];
