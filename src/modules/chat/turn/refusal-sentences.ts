/** Sentences of refusals in one language. */
export interface RefusalSentences {
  /** The documents do not hold the answer. */
  readonly absent: string;
  /** There was an answer, but the documents do not support it. */
  readonly ungrounded: string;
  /** What was looked for; `{}` represents it. */
  readonly lookedFor: string;
  /** Nothing was found that is alike. */
  readonly nothing: string;
  /** The nearest passages are about another thing; `{}` represents what they lack. */
  readonly another: string;
  /** The same where no word tells what they lack. */
  readonly anotherOne: string;
  /** The nearest passages say too little. */
  readonly weak: string;
  /** Changes that help, by what is removed. */
  readonly step: Readonly<Record<'filters' | 'threshold' | 'method' | 'all', string>>;
}

export const ENGLISH: RefusalSentences = {
  absent: 'I could not find an answer to this question in the selected documents.',
  ungrounded: 'I could not give an answer that the selected documents support.',
  lookedFor: 'I looked for “{}”.',
  nothing: 'They contain nothing similar.',
  another: 'The nearest passages say nothing about {}.',
  anotherOne: 'The nearest passages are about something similar, but not about this.',
  weak: 'The nearest passages are listed as sources, but they say too little.',
  step: {
    filters: 'Without the filters there are passages that answer it.',
    threshold: 'Without the score threshold there are passages that answer it.',
    method: 'With hybrid search there are passages that answer it.',
    all: 'With hybrid search, and without filters and score threshold, there are passages that answer it.',
  },
};

export const REFUSAL_SENTENCES: ReadonlyMap<string, RefusalSentences> = new Map([
  ['en', ENGLISH],
  [
    'de',
    {
      absent: 'In den ausgewählten Dokumenten habe ich keine Antwort auf diese Frage gefunden.',
      ungrounded: 'Ich konnte keine Antwort geben, die von den ausgewählten Dokumenten gestützt wird.',
      lookedFor: 'Gesucht habe ich nach „{}“.',
      nothing: 'Nichts darin ähnelt dem.',
      another: 'Die nächstliegenden Stellen sagen nichts zu {}.',
      anotherOne: 'Die nächstliegenden Stellen handeln von etwas anderem derselben Art.',
      weak: 'Die nächstliegenden Stellen stehen bei den Quellen, sagen aber zu wenig.',
      step: {
        filters: 'Ohne die Filter gibt es Stellen, die antworten.',
        threshold: 'Ohne die Mindestwertung gibt es Stellen, die antworten.',
        method: 'Mit hybrider Suche gibt es Stellen, die antworten.',
        all: 'Ohne Filter und Mindestwertung, mit hybrider Suche, gibt es Stellen, die antworten.',
      },
    },
  ],
  [
    'fr',
    {
      absent: 'Je n’ai pas trouvé de réponse à cette question dans les documents sélectionnés.',
      ungrounded: 'Je n’ai pas pu donner de réponse étayée par les documents sélectionnés.',
      lookedFor: 'J’ai cherché « {} ».',
      nothing: 'Rien n’y ressemble.',
      another: 'Les passages les plus proches ne disent rien de : {}.',
      anotherOne: 'Les passages les plus proches parlent d’autre chose du même genre.',
      weak: 'Les passages les plus proches figurent parmi les sources, mais ils en disent trop peu.',
      step: {
        filters: 'Sans les filtres, des passages y répondent.',
        threshold: 'Sans le score minimal, des passages y répondent.',
        method: 'Avec la recherche hybride, des passages y répondent.',
        all: 'Sans filtres ni score minimal, avec la recherche hybride, des passages y répondent.',
      },
    },
  ],
  [
    'es',
    {
      absent: 'No he encontrado una respuesta a esta pregunta en los documentos seleccionados.',
      ungrounded: 'No he podido dar una respuesta respaldada por los documentos seleccionados.',
      lookedFor: 'He buscado «{}».',
      nothing: 'No hay nada parecido en ellos.',
      another: 'Los pasajes más cercanos no dicen nada de: {}.',
      anotherOne: 'Los pasajes más cercanos tratan de otra cosa del mismo tipo.',
      weak: 'Los pasajes más cercanos están entre las fuentes, pero dicen demasiado poco.',
      step: {
        filters: 'Sin los filtros hay pasajes que responden.',
        threshold: 'Sin la puntuación mínima hay pasajes que responden.',
        method: 'Con la búsqueda híbrida hay pasajes que responden.',
        all: 'Sin filtros ni puntuación mínima, con la búsqueda híbrida, hay pasajes que responden.',
      },
    },
  ],
  [
    'it',
    {
      absent: 'Non ho trovato una risposta a questa domanda nei documenti selezionati.',
      ungrounded: 'Non ho potuto dare una risposta sostenuta dai documenti selezionati.',
      lookedFor: 'Ho cercato «{}».',
      nothing: 'Non vi è nulla di simile.',
      another: 'I passaggi più vicini non dicono nulla di: {}.',
      anotherOne: 'I passaggi più vicini parlano di un’altra cosa dello stesso genere.',
      weak: 'I passaggi più vicini sono tra le fonti, ma dicono troppo poco.',
      step: {
        filters: 'Senza i filtri ci sono passaggi che rispondono.',
        threshold: 'Senza il punteggio minimo ci sono passaggi che rispondono.',
        method: 'Con la ricerca ibrida ci sono passaggi che rispondono.',
        all: 'Senza filtri né punteggio minimo, con la ricerca ibrida, ci sono passaggi che rispondono.',
      },
    },
  ],
  [
    'pt',
    {
      absent: 'Não encontrei uma resposta a esta pergunta nos documentos selecionados.',
      ungrounded: 'Não consegui dar uma resposta apoiada pelos documentos selecionados.',
      lookedFor: 'Procurei “{}”.',
      nothing: 'Não há nada parecido neles.',
      another: 'Os trechos mais próximos nada dizem sobre: {}.',
      anotherOne: 'Os trechos mais próximos tratam de outra coisa do mesmo tipo.',
      weak: 'Os trechos mais próximos estão entre as fontes, mas dizem muito pouco.',
      step: {
        filters: 'Sem os filtros há trechos que respondem.',
        threshold: 'Sem a pontuação mínima há trechos que respondem.',
        method: 'Com a pesquisa híbrida há trechos que respondem.',
        all: 'Sem filtros nem pontuação mínima, com a pesquisa híbrida, há trechos que respondem.',
      },
    },
  ],
  [
    'nl',
    {
      absent: 'Ik heb in de geselecteerde documenten geen antwoord op deze vraag gevonden.',
      ungrounded: 'Ik kon geen antwoord geven dat door de geselecteerde documenten wordt ondersteund.',
      lookedFor: 'Ik heb gezocht naar “{}”.',
      nothing: 'Niets daarin lijkt erop.',
      another: 'De dichtstbijzijnde passages zeggen niets over {}.',
      anotherOne: 'De dichtstbijzijnde passages gaan over iets anders van dezelfde soort.',
      weak: 'De dichtstbijzijnde passages staan bij de bronnen, maar zeggen te weinig.',
      step: {
        filters: 'Zonder de filters zijn er passages die antwoorden.',
        threshold: 'Zonder de minimale score zijn er passages die antwoorden.',
        method: 'Met hybride zoeken zijn er passages die antwoorden.',
        all: 'Zonder filters en minimale score, met hybride zoeken, zijn er passages die antwoorden.',
      },
    },
  ],
  [
    'ru',
    {
      absent: 'В выбранных документах не нашлось ответа на этот вопрос.',
      ungrounded: 'Не удалось дать ответ, который подтверждают выбранные документы.',
      lookedFor: 'Искал: «{}».',
      nothing: 'В них нет ничего похожего.',
      another: 'Ближайшие отрывки ничего не говорят о следующем: {}.',
      anotherOne: 'Ближайшие отрывки — о другом предмете того же рода.',
      weak: 'Ближайшие отрывки приведены среди источников, но говорят слишком мало.',
      step: {
        filters: 'Без фильтров есть отрывки, которые отвечают.',
        threshold: 'Без минимальной оценки есть отрывки, которые отвечают.',
        method: 'При гибридном поиске есть отрывки, которые отвечают.',
        all: 'Без фильтров и минимальной оценки, при гибридном поиске, есть отрывки, которые отвечают.',
      },
    },
  ],
  [
    'zh',
    {
      absent: '在所选文档中没有找到该问题的答案。',
      ungrounded: '无法给出有所选文档支持的回答。',
      lookedFor: '查找的内容：“{}”。',
      nothing: '其中没有相似的内容。',
      another: '最接近的段落没有提到：{}。',
      anotherOne: '最接近的段落说的是同类的另一件事。',
      weak: '最接近的段落列在来源中，但说得太少。',
      step: {
        filters: '去掉筛选条件后，有段落能够回答。',
        threshold: '去掉最低分数后，有段落能够回答。',
        method: '使用混合搜索时，有段落能够回答。',
        all: '去掉筛选条件和最低分数并使用混合搜索时，有段落能够回答。',
      },
    },
  ],
  [
    'ja',
    {
      absent: '選択された文書の中に、この質問への回答は見つかりませんでした。',
      ungrounded: '選択された文書に裏付けられた回答を示すことができませんでした。',
      lookedFor: '「{}」を探しました。',
      nothing: '似た内容はありません。',
      another: '最も近い箇所には次のことが書かれていません：{}。',
      anotherOne: '最も近い箇所は同じ種類の別のものについてです。',
      weak: '最も近い箇所は出典にありますが、内容が足りません。',
      step: {
        filters: 'フィルターを外すと、答える箇所があります。',
        threshold: '最低スコアを外すと、答える箇所があります。',
        method: 'ハイブリッド検索では、答える箇所があります。',
        all: 'フィルターと最低スコアを外し、ハイブリッド検索にすると、答える箇所があります。',
      },
    },
  ],
  [
    'ko',
    {
      absent: '선택한 문서에서 이 질문에 대한 답을 찾지 못했습니다.',
      ungrounded: '선택한 문서가 뒷받침하는 답을 제시할 수 없었습니다.',
      lookedFor: '찾은 내용: “{}”.',
      nothing: '비슷한 내용이 없습니다.',
      another: '가장 가까운 구절에는 다음 내용이 없습니다: {}.',
      anotherOne: '가장 가까운 구절은 같은 종류의 다른 것에 관한 것입니다.',
      weak: '가장 가까운 구절이 출처에 있지만 내용이 부족합니다.',
      step: {
        filters: '필터 없이는 답이 되는 구절이 있습니다.',
        threshold: '최저 점수 없이는 답이 되는 구절이 있습니다.',
        method: '하이브리드 검색에서는 답이 되는 구절이 있습니다.',
        all: '필터와 최저 점수 없이 하이브리드 검색을 하면 답이 되는 구절이 있습니다.',
      },
    },
  ],
  [
    'th',
    {
      absent: 'ไม่พบคำตอบของคำถามนี้ในเอกสารที่เลือก',
      ungrounded: 'ไม่สามารถให้คำตอบที่มีเอกสารที่เลือกสนับสนุนได้',
      lookedFor: 'ค้นหา “{}”',
      nothing: 'ไม่มีสิ่งที่คล้ายกันในเอกสาร',
      another: 'ข้อความที่ใกล้ที่สุดไม่ได้กล่าวถึง: {}',
      anotherOne: 'ข้อความที่ใกล้ที่สุดเป็นเรื่องอื่นประเภทเดียวกัน',
      weak: 'ข้อความที่ใกล้ที่สุดอยู่ในแหล่งข้อมูล แต่กล่าวไว้น้อยเกินไป',
      step: {
        filters: 'หากไม่ใช้ตัวกรอง จะมีข้อความที่ตอบได้',
        threshold: 'หากไม่ใช้คะแนนขั้นต่ำ จะมีข้อความที่ตอบได้',
        method: 'หากค้นหาแบบผสม จะมีข้อความที่ตอบได้',
        all: 'หากไม่ใช้ตัวกรองและคะแนนขั้นต่ำ และค้นหาแบบผสม จะมีข้อความที่ตอบได้',
      },
    },
  ],
]);
