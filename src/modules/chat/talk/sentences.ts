import type { TalkLanguage } from './phrases.js';

/** Answers to messages that are not questions. `{}` represents a number or a name. */
export interface TalkSentences {
  readonly greeting: string;
  readonly thanks: string;
  readonly about: string;
  /** Before the names of all documents. */
  readonly list: string;
  /** Before the names of the first this many. */
  readonly first: string;
  /** There is no document to answer from. */
  readonly none: string;
  /** Before the list, where a summary of everything was asked for. */
  readonly all: string;
  /** Before the outline of a document. */
  readonly outline: string;
  /** The same of a long one. */
  readonly beginning: string;
}

export const TALK_SENTENCES: Readonly<Record<TalkLanguage, TalkSentences>> = {
  en: {
    greeting: 'Hello! Ask me a question about the selected documents.',
    thanks: 'You are welcome. Ask me anything else about the documents.',
    about:
      'I answer questions from the selected documents and show where each answer comes from. What they do not say, I do not answer. I can also list the documents, and give the outline of one that you name.',
    list: 'These are the documents that I answer from:',
    first: 'These are the first {} of the documents that I answer from:',
    none: 'There is no document yet that I can answer from.',
    all: 'I cannot summarise everything at once, but I give the outline of a document that you name.',
    outline: 'Headings and first sentences of “{}”:',
    beginning: 'The first headings and first sentences of “{}”:',
  },
  de: {
    greeting: 'Hallo! Stellen Sie mir eine Frage zu den ausgewählten Dokumenten.',
    thanks: 'Gern geschehen. Fragen Sie, was Sie sonst aus den Dokumenten wissen möchten.',
    about:
      'Ich beantworte Fragen aus den ausgewählten Dokumenten und zeige, wo die Antwort steht. Was sie nicht sagen, beantworte ich nicht. Ich kann auch die Dokumente aufzählen und eines, das Sie nennen, in Stichpunkten zeigen.',
    list: 'Aus diesen Dokumenten antworte ich:',
    first: 'Das sind die ersten {} der Dokumente, aus denen ich antworte:',
    none: 'Es gibt noch kein Dokument, aus dem ich antworten kann.',
    all: 'Alles auf einmal kann ich nicht zusammenfassen, aber ein Dokument, das Sie nennen, in Stichpunkten zeigen.',
    outline: 'Überschriften und erste Sätze von „{}“:',
    beginning: 'Die ersten Überschriften und ersten Sätze von „{}“:',
  },
  fr: {
    greeting: 'Bonjour ! Posez-moi une question sur les documents sélectionnés.',
    thanks: 'Je vous en prie. Demandez-moi ce que vous voulez savoir d’autre sur les documents.',
    about:
      'Je réponds aux questions à partir des documents sélectionnés et je montre où se trouve la réponse. À ce qu’ils ne disent pas, je ne réponds pas. Je peux aussi énumérer les documents et donner le plan de celui que vous nommez.',
    list: 'Voici les documents à partir desquels je réponds :',
    first: 'Voici les {} premiers documents à partir desquels je réponds :',
    none: 'Il n’y a pas encore de document à partir duquel je puisse répondre.',
    all: 'Je ne peux pas tout résumer à la fois, mais je donne le plan d’un document que vous nommez.',
    outline: 'Titres et premières phrases de « {} » :',
    beginning: 'Les premiers titres et premières phrases de « {} » :',
  },
  es: {
    greeting: '¡Hola! Hágame una pregunta sobre los documentos seleccionados.',
    thanks: 'De nada. Pregúnteme lo que quiera saber además de los documentos.',
    about:
      'Respondo a preguntas con los documentos seleccionados y muestro dónde está la respuesta. A lo que no dicen, no respondo. También puedo enumerar los documentos y dar el esquema de uno que usted nombre.',
    list: 'Estos son los documentos con los que respondo:',
    first: 'Estos son los primeros {} documentos con los que respondo:',
    none: 'Todavía no hay ningún documento con el que pueda responder.',
    all: 'No puedo resumirlo todo a la vez, pero doy el esquema de un documento que usted nombre.',
    outline: 'Títulos y primeras frases de «{}»:',
    beginning: 'Los primeros títulos y primeras frases de «{}»:',
  },
  zh: {
    greeting: '您好！请就所选文档向我提问。',
    thanks: '不客气。关于这些文档，还想知道什么都可以问我。',
    about:
      '我根据所选文档回答问题，并指出答案所在的位置。文档没有说的，我不回答。我也可以列出文档，或者给出您指定的某一份文档的提纲。',
    list: '我根据以下文档回答：',
    first: '我据以回答的文档，前{}份如下：',
    none: '还没有可以据以回答的文档。',
    all: '我无法一次总结全部内容，但可以给出您指定的某一份文档的提纲。',
    outline: '“{}”的标题和每节首句：',
    beginning: '“{}”开头的标题和每节首句：',
  },
};
