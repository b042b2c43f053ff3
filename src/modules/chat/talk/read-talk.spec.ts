import { describe, expect, it } from 'vitest';
import { nameWords, readTalk } from './read-talk.js';

const KNOWN: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  greeting: {
    en: ['Hello!', 'hi there', 'Good morning, how are you?', 'How are you doing today?', 'Bye, have a nice day!'],
    de: ['Guten Abend', 'Hallo zusammen!', 'Wie geht’s?', 'Grüß Gott', 'Tschüss'],
    fr: ['Bonjour à tous', 'Salut !', 'Comment allez-vous ?', 'ca va ?'],
    es: ['¡Hola!', 'Buenos dias', '¿Cómo estás?'],
    zh: ['你好', '您好！', '早上好'],
  },
  thanks: {
    en: ['Thanks a lot!', 'Thank you very much for your help.', 'ok thanks', 'Great, that helped'],
    de: ['Vielen Dank!', 'danke dir, das war sehr hilfreich', 'Alles klar, danke'],
    fr: ['Merci beaucoup', 'Merci, c’est parfait !'],
    es: ['Muchas gracias por tu ayuda', 'perfecto, gracias'],
    zh: ['谢谢！', '非常感谢你的帮助'],
  },
  about: {
    en: ['Hi, what can you do?', 'Who are you?', 'How does this work?', 'Are you a bot?'],
    de: ['Wer sind Sie?', 'Hallo, was kannst du für mich tun?', 'Womit kannst du mir helfen?'],
    fr: ['Que peux-tu faire pour moi ?', 'Qui êtes-vous ?', 'Qu’est-ce que tu sais faire ?'],
    es: ['¿Quién eres?', '¿Qué puedes hacer?', 'Cómo funciona esto'],
    zh: ['你是谁？', '你能做什么？', '你会做什么'],
  },
  list: {
    en: ['List all documents', 'Please list the files.', 'What documents are available?', 'show me all your documents'],
    de: ['Welche Dateien gibt es?', 'Liste bitte alle Dokumente auf', 'Zeig mir die Dokumente'],
    fr: ['Quels documents avez-vous ?', 'Liste des documents', 'Montre-moi les fichiers'],
    es: ['¿Qué documentos tienes?', 'Muéstrame los documentos', 'lista de archivos'],
    zh: ['你有哪些文件？', '列出所有文档', '有哪些文档'],
  },
  summary_of_all: {
    en: ['Summarize everything', 'Could you summarise all the documents?', 'Give me an overview of your documents'],
    de: ['Fasse alles zusammen', 'Fass bitte alle Dokumente zusammen'],
    fr: ['Résume tout', 'Résumez tous les documents'],
    es: ['Resume todo', 'Hazme un resumen de todos los documentos'],
    zh: ['总结一下所有文档', '请总结全部内容'],
  },
};
const CASES = Object.entries(KNOWN).flatMap(([kind, languages]) =>
  Object.entries(languages).flatMap(([language, texts]) => texts.map((text) => [text, kind, language] as const)),
);

describe('a message that is no question', () => {
  it.each(CASES)('“%s” is %s (%s)', (text, kind, language) => {
    expect(readTalk(text)).toEqual({ language, kind, name: '' });
  });

  it.each([
    ['Summarise the employee handbook', 'employee handbook', 'en'],
    ['Can you summarize “Refund-Policy.PDF” for me, please?', 'refund policy', 'en'],
    ['Fasse das Handbuch für Azubis zusammen', 'handbuch fur azubis', 'de'],
    ['Kannst du die Datei preise_2025.xlsx zusammenfassen?', 'preise 2025', 'de'],
    ['Résume-moi le document accueil.md', 'accueil', 'fr'],
    ['Fais-moi un résumé de la charte', 'charte', 'fr'],
    ['Resume el manual de bordo, por favor', 'manual de bordo', 'es'],
    ['请总结一下员工手册', '员工手册', 'zh'],
  ])('“%s” asks for the summary of “%s” (%s)', (text, name, language) => {
    expect(readTalk(text)).toEqual({ language, kind: 'summary', name });
  });

  it.each([
    'Hello, how long is the notice period?',
    'Thanks! And how much is the fee?',
    'Which documents do I need for a permit?',
    'How are you calculating the fee?',
    'Who are your suppliers?',
    'What can you do against rust on the hull?',
    'List the ferries',
    'Danke, und was kostet die Überfahrt?',
    'Welche Dokumente brauche ich für den Parkausweis?',
    'Merci de me dire le prix du billet',
    '¿Qué documentos necesito para embarcar?',
    '你能带狗上船吗？',
    'Show me all documents about refunds',
    'x'.repeat(300),
    '',
  ])('“%s” is a question', (text) => {
    expect(readTalk(text)).toBeUndefined();
  });

  it.each(['hi ', 'all ', 'thank you ', 'good day ', '好的请'])(
    '“%s” again and again before a word is a question',
    (text) => {
      expect(readTalk(`${text.repeat(60).slice(0, 190)} x`)).toBeUndefined();
    },
  );
});

describe('the name of a document', () => {
  it('is compared by its words', () => {
    expect(nameWords('Employee_Handbook (2025).md')).toBe('employee handbook 2025');
    expect(nameWords('员工手册.docx')).toBe('员工手册');
  });
});
