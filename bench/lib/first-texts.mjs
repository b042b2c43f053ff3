/** Answers of the forms that models write, and when the first text of each arrives. */
const SENTENCE = 'Each pump is serviced by a technician of its hall after some hundred hours [1]. ';
const ITEM = '- Each pump is serviced by a technician of its hall [1]\n';

/** Some sixty words each. */
const FORMS = {
  'a paragraph': SENTENCE.repeat(4),
  'bold words first': `**Each pump** ${SENTENCE.repeat(4)}`,
  'a heading, then paragraphs': `## Service\n\n${SENTENCE.repeat(2)}\n\n${SENTENCE.repeat(2)}`,
  'a list': ITEM.repeat(6),
  'a table': `| Pump | Service |\n| --- | --- |\n${'| the pump of the hall | after some hundred hours [1] |\n'.repeat(6)}`,
  code: `\`\`\`\n${'service the pump of the hall\n'.repeat(10)}\`\`\`\n\nThat is all [1].`,
};

/**
 * Prints and gives for each form the median of the times until the first text, beyond the first words of the model and beyond the search, in
 * milliseconds. There is no target: a list is given out item by item, a table and code as a whole.
 */
export async function measureFirstTexts(double, ended, rounds, beyond) {
  const medians = {};
  for (const [name, answer] of Object.entries(FORMS)) {
    await double.say(answer);
    const times = [];
    for (let n = 0; n < rounds; n += 1) {
      const seen = await ended(n);
      times.push(beyond({ ...seen, firstMs: seen.firstTextMs }));
    }
    medians[name] = times.toSorted((a, b) => a - b)[times.length >> 1];
    process.stdout.write(`first text of ${name.padEnd(40)} ${medians[name].toFixed(0)} ms\n`);
  }
  return medians;
}
