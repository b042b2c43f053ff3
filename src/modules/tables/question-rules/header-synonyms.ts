import { inEnglish } from './languages/header-words.js';
import { stemOf } from './words.js';

/** Words that headers and questions use for the same thing, a line each. */
const GROUPS = `
customer client buyer account purchaser
supplier vendor seller provider
employee staff worker colleague member
cost price amount charge fee expense value
revenue turnover income earnings takings
salary wage pay compensation earn
city town municipality
place location site venue where
country nation state land
team club side squad
opponent rival adversary
date day when
year season edition
attendance crowd spectator audience
result outcome score
vehicle car truck van automobile
maker manufacturer brand make constructor producer
mileage odometer kilometre distance mile
duration length runtime minutes
height elevation altitude tall
area size surface
population inhabitant resident people
rank position pos place standing finish
department division unit section
course training class seminar workshop
trainer instructor teacher tutor lecturer
participant attendee learner trainee student
title film movie song album book show
role character part
weight mass heavy
quantity stock piece unit
speed velocity fast
age old young
manager head boss supervisor lead
project programme program
product item article good
category group kind class genre
region area district zone
language tongue
author writer
designer creator maker
stadium arena ground
network channel station broadcaster tv
winner champion victor
note remark comment description
email mail
phone telephone
points score
medal prize award
nationality country
percent percentage share rate
energy electricity power
asset device equipment machine appliance
deadline due
start begin
end finish
contract agreement
invoice bill
order purchase
month
`;
/** Short forms in headers. */
const SHORT = new Map(
  Object.entries({
    pos: 'position',
    no: 'number',
    nr: 'number',
    num: 'number',
    pts: 'points',
    att: 'attendance',
    avg: 'average',
    qty: 'quantity',
    amt: 'amount',
    dept: 'department',
    dob: 'birth',
    temp: 'temperature',
    nat: 'nationality',
    pop: 'population',
    min: 'minimum',
    max: 'maximum',
    jan: 'january',
    feb: 'february',
    mar: 'march',
    apr: 'april',
    jun: 'june',
    jul: 'july',
    aug: 'august',
    sep: 'september',
    sept: 'september',
    oct: 'october',
    nov: 'november',
    dec: 'december',
    rep: 'representative',
    mgr: 'manager',
    tel: 'telephone',
    w: 'wins',
    l: 'losses',
  }),
);

const GROUPS_BY_STEM = new Map<string, Set<number>>();
GROUPS.trim()
  .split('\n')
  .forEach((line, index) => {
    for (const word of line.split(' ')) {
      const stem = stemOf(word);
      GROUPS_BY_STEM.set(stem, (GROUPS_BY_STEM.get(stem) ?? new Set()).add(index));
    }
  });

/** Whether two stems can mean the same in a header, in English or one of them in German, French or Spanish. */
export function areSynonyms(one: string, other: string): boolean {
  return inEnglish(one).some((each) => inEnglish(other).some((word) => each === word || shareGroup(each, word)));
}

function shareGroup(one: string, other: string): boolean {
  const groups = GROUPS_BY_STEM.get(one);
  const others = GROUPS_BY_STEM.get(other);
  return groups !== undefined && others !== undefined && [...groups].some((group) => others.has(group));
}

/** The word that a short form in a header represents. */
export function longForm(word: string): string {
  return SHORT.get(word) ?? word;
}

/** Whether a word is one that headers have for what a cell is: `city`, `driver`. */
export function isHeaderNoun(stem: string): boolean {
  return inEnglish(stem).some((word) => GROUPS_BY_STEM.has(word));
}
