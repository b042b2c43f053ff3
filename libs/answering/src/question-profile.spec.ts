import { expect, it } from 'vitest';
import { contentTermsOf } from './question-profile.js';

it.each([
  ['Wie hoch ist die Miete?', ['miete']],
  ['How long can packed instruments be kept?', ['packed', 'instruments', 'kept']],
  ['How long is the long route?', ['route']],
  ['How long?', ['long']],
  ['Wie lange gilt der Ausweis?', ['gilt', 'ausweis']],
  ['The route is long.', ['route', 'long']],
])('the measure that is asked for is a part of the question word: %s', (question, forms) => {
  expect(contentTermsOf(question).map(({ form }) => form)).toEqual(forms);
});
