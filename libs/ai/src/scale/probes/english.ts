import type { ProbePair } from './probe-pair.js';

export const ENGLISH: readonly ProbePair[] = [
  [
    'Until when can I come in at the weekend?',
    'On Saturdays and Sundays the last visitors are admitted at half past four; the doors are locked at a quarter past five.',
  ],
  [
    'Do I have to pay for my little son?',
    'Admission is free for children under six. School pupils get the reduced rate when they show their card.',
  ],
  [
    'Am I allowed to take photos in there?',
    'Pictures for private use are permitted without a flash. Tripods need the written consent of the management.',
  ],
  [
    'Where do I put my backpack?',
    'Bags and umbrellas are to be left in the lockers beside the entrance; the coin of one euro is returned.',
  ],
  [
    "My mum can't climb stairs, how does she get to the top?",
    'A lift connects all storeys. Wheelchairs may be borrowed at the counter free of charge.',
  ],
  [
    'Is there anything to eat?',
    'The café in the courtyard serves soup, sandwiches and cake until four in the afternoon.',
  ],
  [
    "I've got time on my hands and would love to help out",
    'Volunteers for guided tours or the archive apply to the office in writing; previous knowledge is not required.',
  ],
  [
    'Who has to pay up if my kid knocks something over?',
    'Visitors are liable for damage that they cause to exhibits. Parents answer for minors.',
  ],
  [
    'Could we throw a birthday party at your place?',
    'The workshop room can be hired by groups of up to fifteen; the rent is 60 euros for three hours.',
  ],
  [
    'How do I get there without a car?',
    'Tram line 4 stops in front of the building. From the railway station it is a walk of ten minutes.',
  ],
  [
    "I got sick and couldn't go to the class, is my money gone?",
    'Course fees are refunded on presentation of a medical certificate; otherwise a substitute may be named.',
  ],
  [
    "I'm really annoyed, who will listen to me?",
    'Complaints are received by the deputy director, who replies within two weeks.',
  ],
];
