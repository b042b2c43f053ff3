import { describe, expect, it } from 'vitest';
import { readPredicate, type Predicate } from './predicate.js';

/** Knows two conditions by heart. */
const conditionOf = (clause: string): string | undefined =>
  ['status is open', 'is a letter'].includes(clause) ? clause : undefined;

function show(node: Predicate<string>): string {
  switch (node.kind) {
    case 'condition':
      return `[${node.condition}]`;
    case 'statement':
      return `${node.statement.frame}(${node.statement.sought})`;
    case 'not':
      return `not ${show(node.part)}`;
    default:
      return `(${node.parts.map(show).join(` ${node.kind} `)})`;
  }
}

const nothing = (): string | undefined => undefined;

describe('readPredicate', () => {
  it.each([
    ['mentions a bicycle', 'mention(a bicycle)'],
    ['Documents that mention a bicycle.', 'mention(a bicycle)'],
    ['Does the document mention a bicycle?', 'mention(a bicycle)'],
    ['contains the words "blue moon"', 'phrase(blue moon)'],
    ['is about cooking', 'claim(cooking)'],
    ['does not mention a bicycle', 'not mention(a bicycle)'],
    ["doesn't contain the word moon", 'not phrase(moon)'],
    ['mentions no bicycle', 'not mention(bicycle)'],
    ['makes no reference to Oslo', 'not mention(Oslo)'],
    ['without a signature', 'not mention(signature)'],
    ['is not about cooking', 'not claim(cooking)'],
    ['erwähnt kein Fahrrad', 'not mention(Fahrrad)'],
    ['no menciona bicicletas', 'not mention(bicicletas)'],
    ['mentions a bicycle or a tram', '(mention(a bicycle) or mention(a tram))'],
    ['mentions a tram but does not mention Oslo', '(mention(a tram) and not mention(Oslo))'],
    ['status is open and mentions a tram', '([status is open] and mention(a tram))'],
    ['is a letter that mentions a tram', '([is a letter] and mention(a tram))'],
    ['is a letter, status is open and is about cooking', '([is a letter] and [status is open] and claim(cooking))'],
    ['says that no bicycle was found', 'claim(no bicycle was found)'],
  ])('reads “%s”', (text, tree) => {
    expect(show(readPredicate(text, conditionOf))).toBe(tree);
  });

  it('ends with every text, however it is nested', () => {
    const long = 'not '.repeat(300) + 'mentions a tram';
    expect(show(readPredicate(long, nothing))).toContain('not not');
    expect(show(readPredicate('?', nothing))).toBe('claim()');
  });
});
