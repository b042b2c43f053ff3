import { detectLanguage } from '#libs/text';

/** Why there is no answer; stable codes. */
export const REFUSAL_CODES = ['NO_RESULTS', 'INSUFFICIENT_EVIDENCE', 'NOT_ANSWERED', 'UNGROUNDED'] as const;
export type RefusalCode = (typeof REFUSAL_CODES)[number];

/** A refusal as the answer shows it. */
export interface Refusal {
  readonly code: RefusalCode;
  /** One sentence in the language of the question where it is known, else in English. */
  readonly message: string;
}

interface Sentences {
  /** The documents do not hold the answer. */
  readonly absent: string;
  /** There was an answer, but the documents do not support it. */
  readonly ungrounded: string;
}

const ENGLISH: Sentences = {
  absent: 'I could not find an answer to this question in the selected documents.',
  ungrounded: 'I could not give an answer that the selected documents support.',
};

const SENTENCES: ReadonlyMap<string, Sentences> = new Map([
  ['en', ENGLISH],
  [
    'de',
    {
      absent: 'In den ausgewählten Dokumenten habe ich keine Antwort auf diese Frage gefunden.',
      ungrounded: 'Ich konnte keine Antwort geben, die von den ausgewählten Dokumenten gestützt wird.',
    },
  ],
  [
    'fr',
    {
      absent: 'Je n’ai pas trouvé de réponse à cette question dans les documents sélectionnés.',
      ungrounded: 'Je n’ai pas pu donner de réponse étayée par les documents sélectionnés.',
    },
  ],
  [
    'es',
    {
      absent: 'No he encontrado una respuesta a esta pregunta en los documentos seleccionados.',
      ungrounded: 'No he podido dar una respuesta respaldada por los documentos seleccionados.',
    },
  ],
  [
    'it',
    {
      absent: 'Non ho trovato una risposta a questa domanda nei documenti selezionati.',
      ungrounded: 'Non ho potuto dare una risposta sostenuta dai documenti selezionati.',
    },
  ],
  [
    'pt',
    {
      absent: 'Não encontrei uma resposta a esta pergunta nos documentos selecionados.',
      ungrounded: 'Não consegui dar uma resposta apoiada pelos documentos selecionados.',
    },
  ],
  [
    'nl',
    {
      absent: 'Ik heb in de geselecteerde documenten geen antwoord op deze vraag gevonden.',
      ungrounded: 'Ik kon geen antwoord geven dat door de geselecteerde documenten wordt ondersteund.',
    },
  ],
  [
    'ru',
    {
      absent: 'В выбранных документах не нашлось ответа на этот вопрос.',
      ungrounded: 'Не удалось дать ответ, который подтверждают выбранные документы.',
    },
  ],
  ['zh', { absent: '在所选文档中没有找到该问题的答案。', ungrounded: '无法给出有所选文档支持的回答。' }],
  [
    'ja',
    {
      absent: '選択された文書の中に、この質問への回答は見つかりませんでした。',
      ungrounded: '選択された文書に裏付けられた回答を示すことができませんでした。',
    },
  ],
  [
    'ko',
    {
      absent: '선택한 문서에서 이 질문에 대한 답을 찾지 못했습니다.',
      ungrounded: '선택한 문서가 뒷받침하는 답을 제시할 수 없었습니다.',
    },
  ],
  ['th', { absent: 'ไม่พบคำตอบของคำถามนี้ในเอกสารที่เลือก', ungrounded: 'ไม่สามารถให้คำตอบที่มีเอกสารที่เลือกสนับสนุนได้' }],
]);

/** The refusal for a question. */
export function refusalFor(code: RefusalCode, question: string): Refusal {
  const sentences = SENTENCES.get(detectLanguage(question).language) ?? ENGLISH;
  return { code, message: code === 'UNGROUNDED' ? sentences.ungrounded : sentences.absent };
}
