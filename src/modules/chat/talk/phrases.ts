/** Kinds of messages that are not questions about the documents; where a message is of several kinds, the last one counts. */
export const TALK_KINDS = ['thanks', 'greeting', 'about', 'list', 'summary_of_all'] as const;
export type TalkKind = (typeof TALK_KINDS)[number];
export const TALK_LANGUAGES = ['en', 'de', 'fr', 'es', 'zh'] as const;
export type TalkLanguage = (typeof TALK_LANGUAGES)[number];

/** Phrases of one language as parts of a regular expression, in lower case; letters are compared without their accents. */
export interface TalkPhrases extends Readonly<Record<TalkKind, string>> {
  /** What may be beside them. */
  readonly filler: string;
  /** How someone asks for the summary of one document; the group is its name, with `the` in front perhaps. */
  readonly summary: readonly RegExp[];
  /** Words before a name that are no part of it. */
  readonly article: RegExp;
}

export const TALK_PHRASES: Readonly<Record<TalkLanguage, TalkPhrases>> = {
  en: {
    filler: 'please|so|well|oh|can you|could you|would you|everyone|all|there',
    greeting:
      "hi|hello|hey|greetings|good (?:morning|afternoon|evening|day|night)|how are you(?: doing)?(?: today)?|nice to meet you|what's up|bye|goodbye|see you(?: later)?|have a (?:nice|good|great) (?:day|evening|weekend|one)",
    thanks:
      'thanks(?: a lot| so much)?|thank you(?: so| very)?(?: much)?|many thanks|thx|(?:that|this) (?:was|is)(?: very| really| so)? (?:helpful|useful|great|good)|that (?:helps|helped)(?: a lot| me)?|very helpful|perfect|great|got it|ok|okay|for (?:your|the) help',
    about:
      "who are you|what are you|what(?:'s| is) your name|what (?:can|do) you do(?: for me)?|how can you help(?: me)?|what can i ask(?: you)?|how (?:do you|does this) work|what do you know|are you an? (?:bot|robot|human|person|ai|chatbot|machine)|can you help(?: me)?",
    list: "(?:list|show|name|give me|tell me)(?: me)?(?: all| all of)?(?: the| your| my)?(?: available)? (?:documents|files)(?: you have| there are| that you have)?|(?:which|what) (?:documents|files)(?: do you have| do you know| have you got| are there| are available| can you read| can i ask about)(?: access to)?|(?:which|what) (?:documents|files) are in (?:this|the|your) (?:dataset|knowledge base)|what(?:'s| is) in (?:this|the|your) (?:dataset|knowledge base)|(?:a )?list of(?: all)?(?: the)? (?:documents|files)",
    summary_of_all:
      '(?:summari[sz]e|sum up|(?:give me )?an? (?:summary|overview) of|(?:summary|overview) of) (?:everything(?: you know| you have)?|all(?: of)?(?: the| your)? (?:documents|files)|(?:the|your) (?:documents|files)|(?:the|this|your)(?: whole)? (?:dataset|knowledge base)|it all)',
    summary: [
      /^(?:(?:please|can you|could you)\s+)*(?:summari[sz]e|sum up|give me an? (?:short |brief )?(?:summary|overview) of|(?:a )?(?:summary|overview) of)\s+(.+?)(?:,?\s+(?:for me|please))*$/iu,
    ],
    article: /^(?:(?:the|this|our)\s+)?(?:(?:document|file)\s+)?/iu,
  },
  de: {
    filler: 'bitte|mal|doch|also|na|zusammen|liebes team|kannst du|können sie|könntest du',
    greeting:
      "hallo|hi|hey|guten (?:morgen|tag|abend)|moin|servus|grüß gott|grüezi|wie geht'?s(?: dir| ihnen)?|wie geht es (?:dir|ihnen)(?: heute)?|tschüss|auf wiedersehen|(?:einen )?schönen (?:tag|abend|feierabend)(?: noch)?|gute nacht|bis (?:bald|später)",
    thanks:
      'danke(?: schön| sehr| dir| ihnen)?|dankeschön|vielen(?: herzlichen)? dank|herzlichen dank|besten dank|das (?:war|ist)(?: sehr| wirklich)? (?:hilfreich|super|nett|gut)|das hilft(?: mir)?(?: sehr)?|super|perfekt|alles klar|ok|okay|für (?:deine|ihre|die) hilfe',
    about:
      'was kannst du(?: alles)?(?: für mich)?(?: tun| machen)?|was können sie(?: alles)?(?: für mich)?(?: tun| machen)?|wer (?:bist du|sind sie)|was (?:bist du|sind sie)|wie heißt du|wie heißen sie|(?:wie|womit) (?:kannst du|können sie)(?: mir)? helfen|was weißt du|was kann ich(?: dich| sie)?(?: alles)? fragen|wie funktioniert (?:das|es)|wie funktionierst du|bist du (?:ein |eine )?(?:bot|roboter|mensch|ki|maschine)|kannst du mir helfen',
    list: 'welche (?:dokumente|dateien|unterlagen)(?: hast du| haben sie| gibt es| kennst du| kennen sie| sind da| sind vorhanden| liegen vor)|(?:zeige?|liste|nenne?|gib)(?: mir)?(?: mal| bitte)?(?: alle| die| deine| alle deine)? (?:dokumente|dateien|unterlagen)(?: auf| an)?|liste (?:aller|der) (?:dokumente|dateien|unterlagen)|(?:alle )?(?:dokumente|dateien) (?:auflisten|anzeigen|zeigen)|was (?:ist|steht) in (?:diesem|dem) (?:datensatz|datenbestand)',
    summary_of_all:
      'fasse?(?: mir)?(?: bitte)? (?:alles(?: was du weißt)?|alle dokumente|die dokumente)(?: zusammen)?|(?:alles|alle dokumente|die dokumente) zusammenfassen|(?:gib mir )?(?:einen )?überblick über (?:alles|alle dokumente|die dokumente)|(?:eine )?zusammenfassung (?:von allem|aller dokumente)',
    summary: [
      /^(?:bitte\s+)?fasse?\s+(?:(?:mir|bitte)\s+)*(.+?)\s+(?:bitte\s+)?zusammen(?:\s+bitte)?$/iu,
      /^(?:(?:bitte|kannst du|können sie|könntest du)\s+)*(.+?)\s+zusammenfassen(?:\s+bitte)?$/iu,
      /^(?:(?:gib mir|bitte)\s+)*(?:eine\s+)?zusammenfassung\s+(?:von|des|der|zu|zum|zur)\s+(.+?)$/iu,
    ],
    article: /^(?:(?:der|die|das|den|dem|des|diese[nmrs]?|unsere?n?)\s+)?(?:(?:dokument|datei)\s+)?/iu,
  },
  fr: {
    filler: "s'il (?:te|vous) plaît|svp|stp|à (?:tous|toutes|vous|toi)|peux tu|pouvez vous|alors",
    greeting:
      "bonjour|salut|bonsoir|coucou|comment (?:allez vous|vas tu|ça va)(?: aujourd'hui)?|ça va|au revoir|bonne (?:journée|soirée|nuit|continuation)|à bientôt",
    thanks:
      "merci(?: beaucoup| bien| infiniment)?|mille mercis|un grand merci|c'(?:est|était)(?: très)? (?:utile|parfait|super|gentil)|parfait|super|d'accord|ça (?:m'aide|aide)(?: beaucoup)?|pour (?:votre|ton|l') ?aide",
    about:
      "qui (?:es tu|êtes vous)|que (?:peux tu|sais tu|pouvez vous|savez vous) faire(?: pour moi)?|qu'est ce que (?:tu peux|vous pouvez|tu sais|vous savez) faire(?: pour moi)?|comment (?:peux tu|pouvez vous) m'aider|(?:peux tu|pouvez vous) m'aider|comment (?:ça|cela) (?:marche|fonctionne)|comment (?:t'appelles tu|vous appelez vous)|es tu un (?:robot|humain|bot)|que puis je(?: te| vous)? demander",
    list: 'quels (?:documents|fichiers)(?: as tu| avez vous| sont disponibles| connais tu| connaissez vous| y a t il)|quels sont (?:les|tes|vos) (?:documents|fichiers)(?: disponibles)?|(?:liste|listez|lister|montre|montrez|affiche|affichez|donne|donnez)(?: moi)?(?: la liste)?(?: tous)?(?: les| tes| vos| des)? (?:documents|fichiers)(?: disponibles)?|(?:la )?liste des (?:documents|fichiers)',
    summary_of_all:
      '(?:résume|résumez|résumer)(?: moi)? (?:tout(?: ce que (?:tu sais|vous savez))?|tous les documents|les documents)|(?:fais moi |faites moi )?(?:un )?résumé de (?:tout|tous les documents)',
    summary: [
      /^(?:(?:peux[- ]tu|pouvez[- ]vous|s['’]il (?:te|vous) pla[iî]t,?)\s+(?:me\s+)?)?(?:r[ée]sum(?:e|ez)[- ]moi|résum(?:e|ez|er))\s+(.+?)(?:,?\s+s['’]il (?:te|vous) pla[iî]t)?$/iu,
      /^(?:(?:fais|faites)[- ]moi\s+)?(?:un\s+)?r[ée]sum[ée]\s+(?:de|du|des)\s+(.+?)$/iu,
    ],
    article: /^(?:(?:le|la|les|ce|cette|notre)\s+|l['’])?(?:(?:document|fichier)\s+)?/iu,
  },
  es: {
    filler: 'por favor|a todos|puedes|podrías|podría|pues',
    greeting:
      'hola|buenos días|buenas(?: tardes| noches)?|qué tal|cómo (?:estás|está|están|te va)(?: hoy)?|adiós|hasta (?:luego|pronto)|que tengas?(?: un)? buen día|buen día',
    thanks:
      'gracias|muchas gracias|mil gracias|muchísimas gracias|(?:ha sido|es|fue)(?: muy)? útil|perfecto|genial|vale|de acuerdo|por (?:tu|su|la) ayuda',
    about:
      'quién (?:eres|es usted)|qué (?:puedes|sabes|puede|sabe) hacer(?: por mí)?|(?:cómo|en qué) (?:puedes|puede) ayudarme|(?:puedes|puede) ayudarme|qué puedo preguntar(?:te|le)?|cómo funciona(?: esto)?|cómo te llamas|eres un (?:robot|bot|humano)|qué sabes',
    list: 'qué (?:documentos|archivos|ficheros)(?: tienes| tiene| hay| conoces| están disponibles)|cuáles son (?:los|tus) (?:documentos|archivos)(?: disponibles)?|(?:lista|listar|enumera|muestra|muéstrame|muestre|enséñame|dame)(?: todos| la lista de)?(?: los| tus)? (?:documentos|archivos|ficheros)(?: disponibles)?|(?:la )?lista de(?: todos)?(?: los)? (?:documentos|archivos)',
    summary_of_all:
      '(?:resume|resúmeme|resuma|resumir) (?:todo(?: lo que sabes)?|todos los documentos|los documentos)|(?:hazme |haz )?(?:un )?resumen de (?:todo|todos los documentos)',
    summary: [
      /^(?:(?:por favor,?|puedes|podr[ií]as)\s+)*res[uú]m(?:e|a|ir|eme|irme)\s+(.+?)(?:,?\s+por favor)?$/iu,
      /^(?:(?:hazme|haz|dame)\s+)?(?:un\s+)?resumen\s+(?:de|del)\s+(.+?)$/iu,
    ],
    article: /^(?:(?:el|la|los|las|este|esta|nuestro)\s+)?(?:(?:documento|archivo|fichero)\s+)?/iu,
  },
  zh: {
    filler: '请|吗|呢|啊|呀|吧|一下|大家',
    greeting: '你好吗|你好|您好|嗨|哈喽|早上好|早安|下午好|晚上好|大家好|你最近怎么样|再见|晚安|拜拜',
    thanks: '非常感谢|谢谢[你您]?|多谢|感谢(?:[你您]的帮助)?|太好了|好的|很有帮助|辛苦了|[你您]的帮助',
    about:
      '[你您]是谁|[你您](?:能|会|可以)(?:为我)?做(?:些)?什么|[你您]能帮我(?:做)?(?:些)?什么|[你您]有什么功能|[你您]能帮我|怎么(?:使)?用|我(?:能|可以)问[你您]?什么|[你您]叫什么(?:名字)?|[你您]是机器人|[你您]知道什么',
    list: '(?:[你您这里]*有|[你您]知道)(?:哪些|什么)(?:文档|文件|资料)|(?:列出|显示)(?:所有|全部)?的?(?:文档|文件|资料)|(?:文档|文件)列表',
    summary_of_all:
      '(?:总结|概括|概述)(?:一下)?(?:所有|全部|一切)的?(?:文档|文件|内容|资料)?|总结(?:一下)?[你您]知道的(?:一切|所有内容)',
    summary: [/^请?(?:帮我)?(?:总结|概括|概述)(?:一下)?\s*(.+?)(?:的内容)?吗?$/u],
    article: /^(?:这个|这份)?(?:文档|文件)?\s*/u,
  },
};
