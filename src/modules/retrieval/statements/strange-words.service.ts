import { Injectable } from '@nestjs/common';
import type { ModelCallOptions } from '#libs/ai';
import { partlySaid, questionsWithout, type PartlySaid } from '#libs/answering';
import type { StrangeOfText } from '../results/retrieval-outcome.js';
import { languageOf, likenessTo, type Look, type LookedText } from './look.js';
import { StatementVectors } from './statement-vectors.service.js';

/** Statements that hold most words of a question, of which the words that they lack are looked at. */
const MOST_STATEMENTS = 6;

/** Finds words that a statement lacks and that make the question less similar to it although it shares other words: the sign of a near miss. */
@Injectable()
export class StrangeWords {
  constructor(private readonly vectors: StatementVectors) {}

  /**
   * For each text, in their order. Nothing is embedded where a statement that holds most holds all, else a vector for each word that is lacking and for
   * each of the statements that was not compared yet. @throws what the model throws
   */
  async find(
    question: string,
    look: Look,
    texts: readonly LookedText[],
    call: ModelCallOptions,
  ): Promise<StrangeOfText[]> {
    const found = texts.map((one) => one.texts.map((): Map<string, number> | undefined => undefined));
    const statements = statementsOf(question, texts);
    const isAllHeld = statements.some(({ lacks, held }) => lacks.length === 0 && held === statements[0]!.held);
    if (isAllHeld || !look.likeness.isMeant) return found;
    const without = questionsWithout(question);
    const lacking = [...new Set(statements.flatMap(({ lacks }) => lacks))].filter((form) => without.has(form));
    if (lacking.length === 0) return found;
    const [said, { vectors }] = await Promise.all([
      this.vectors.of(
        look.embedder,
        statements.map(({ said: text }) => text),
        call,
      ),
      look.embedder.embed(
        lacking.map((form) => without.get(form)!),
        'query',
        call,
      ),
    ]);
    const rests = new Map(lacking.map((form, at) => [form, likenessTo(vectors[at]!, look)]));
    for (const { text, at, lacks, said: statement } of statements) {
      const vector = said.get(statement)!;
      const language = languageOf(texts[text]!, look);
      const whole = look.likeness.of(vector, language);
      found[text]![at] = new Map(
        lacks.flatMap((form): [string, number][] => {
          const rest = rests.get(form);
          return rest?.isMeant !== true ? [] : [[form, rest.of(vector, language) - whole]];
        }),
      );
    }
    return found;
  }
}

/** The statements that hold most words of the question, with their texts. */
function statementsOf(question: string, texts: readonly LookedText[]): (PartlySaid & { readonly said: string })[] {
  const read = texts.map(({ body: text, title }) => ({ text, title }));
  return partlySaid(question, read)
    .flatMap((one) => {
      const said = texts[one.text]!.texts[one.at] ?? null;
      return said === null ? [] : [{ ...one, said }];
    })
    .slice(0, MOST_STATEMENTS);
}
