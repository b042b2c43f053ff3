/** How a language tells a model to leave its instructions. All in lower case; every quantifier bounded. */
export interface Phrases {
  readonly language: string;
  /** Words that tell to leave something; what the whole text is searched for. */
  readonly verbs: string;
  /** What is left: former, all or your instructions, within a sentence before or behind the verb. */
  readonly objects: RegExp;
}

export const PHRASES: readonly Phrases[] = [
  {
    language: 'en',
    verbs:
      "ignor(?:e|ing)|disregard|forget|override|overrule|bypass|do not (?:follow|obey)|don't (?:follow|obey)|stop following",
    objects:
      /(?:previous|prior|above|earlier|preceding|former|foregoing|original|initial|system|safety|your|these|those|any|all|everything|developer)(?: (?:of|the|your|my|these|those|other|previous|prior|above|earlier|system|safety|content|given|existing|you|were|told|current)){0,5} (?:instructions?|prompts?|rules?|guidelines?|directions?|directives?|commands?|orders|messages|guardrails|constraints|restrictions|programming|policies|told|training|context)/,
  },
  {
    language: 'de',
    verbs:
      'ignorier\\w{1,3}|missacht\\w{1,3}|vergiss|vergessen sie|vergesst|umgeh\\w{1,3}|überschreib\\w{1,3}|befolge nicht|befolgen sie nicht|verwirf',
    objects:
      /(?:bisherig|vorherig|vorig|obig|früher|vorangegangen|vorhergehend|ursprünglich|all|dein|ihr|sämtlich|jeglich|system|eur)\w{0,3}(?: (?:der|die|den|das|deine|deiner|ihre|ihrer|bisherigen|vorherigen|obigen|vorangegangenen|früheren|dieser|diese|ursprünglichen)){0,4}[ -](?:anweisung|instruktion|befehl|regel|vorgabe|richtlinie|prompt|system-?prompt|vorschrift|einschränkung|sicherheits)/,
  },
  {
    language: 'fr',
    verbs:
      'ignore[zrs]?|oublie[zrs]?|néglige[zrs]?|ne (?:suis|suivez|respecte|respectez|tiens|tenez) (?:pas|plus)|contourne[zr]?|ne tenez|fais abstraction|faites abstraction',
    objects:
      /(?:instruction|consigne|directive|règle|ordre|commande|restriction|prompt)s?(?: (?:du|de|des|qui|système|ci|que|vous|tu|as|avez|ont|été|données?|reçu\w{0,2}|la|l'|le)){0,5}[ -](?:précédente?s?|antérieure?s?|ci-dessus|dessus|initiale?s?|système|d'origine|reçues)|(?:toutes?|tous|tes|vos|ces|les)(?: (?:les|tes|vos|ces|autres|anciennes|précédentes)){0,3} (?:instruction|consigne|directive|règle|restriction)s/,
  },
  {
    language: 'es',
    verbs:
      'ignor[aeá]\\w{0,3}|olvid[aeá]\\w{0,4}|haz caso omiso|haga caso omiso|no (?:sigas|siga|obedezcas|obedezca|hagas caso)|descart[ae]|omite|omita|desobedec[ea]',
    objects:
      /(?:instruccion|regla|orden|directri[zc]|indicacion|indicación|comando|restriccion|mensaje|prompt)(?:es|s|nes)?(?: (?:del|de|que|te|le|se|han|dado|la|el|tu|sistema|las|los|dieron)){0,5} (?:anterior|previ[ao]|preceden|de arriba|arriba|original|inicial|sistema|dado|dieron)|(?:todas?|todos|tus|sus|estas|esas|las)(?: (?:las|tus|sus|los|demás|anteriores|otras)){0,3} (?:instrucciones|reglas|órdenes|ordenes|directrices|indicaciones|restricciones)/,
  },
  {
    language: 'ru',
    verbs:
      'игнориру(?:й|йте)|проигнориру(?:й|йте)|забудь(?:те)?|не (?:следуй|следуйте|выполняй|выполняйте|обращай|обращайте)|отмени(?:те)?|пренебреги(?:те)?|обойди(?:те)?',
    objects:
      /(?:предыдущ|прежн|прошл|вышеуказанн|вышеприведенн|вышеприведённ|ранее|исходн|систем|сво|ваш|тво|все|всё|люб|эти)[а-яё]{0,6}(?: (?:выше|ранее|данные|свои|твои|ваши|предыдущие|прежние|полученные|системные|эти|указания|вам|тебе)){0,4} ?(?:инструкци|указани|команд|правил|директив|распоряжени|промпт|подсказк|ограничени|сообщени)/,
  },
  {
    language: 'tr',
    verbs:
      'yok say\\w{0,6}|göz ardı e[td]\\w{0,6}|görmezden gel\\w{0,6}|unut(?:un|unuz)?(?![a-zçğıöşü])|dikkate alma\\w{0,6}|uyma(?:yın|yınız)?(?![a-zçğıöşü])|boş ver\\w{0,4}|geçersiz say\\w{0,4}|es geç\\w{0,4}',
    objects:
      /(?:önceki|yukarıdaki|daha önceki|evvelki|bütün|tüm|sistem|verilen|eski|ilk|orijinal|kendi)(?: (?:bütün|tüm|verilen|önceki|sistem|sana|size|olan|bu)){0,4} (?:talimat|komut|yönerge|kural|emir|emr|istem|direktif|kısıtlama|mesaj|bilgi)/,
  },
  {
    language: 'ar',
    verbs: 'تجاهلي?|تجاهلوا|انس|انسَ|أنس|إنس|انسى|لا تتبع|لا تلتزم|لا تتقيد|تخط[َّى]?|تجاوز|أهمل|اهمل|تغاض',
    objects:
      /(?:(?:جميع|كل|كافة|كلّ) )?(?:ال)?(?:تعليمات|توجيهات|أوامر|اوامر|قواعد|إرشادات|ارشادات|قيود|رسائل|تعليماتك|قواعدك)(?:ك|كم)?(?: (?:التي|تلقيتها|أعطيت|لك|إليك|الخاصة|بك|النظام|هذه)){0,4} ?(?:السابقة|السابقه|أعلاه|اعلاه|الأصلية|الأولية|المذكورة|النظام|بالنظام|الموجهة|المعطاة)?/,
  },
  {
    language: 'zh',
    verbs: '忽略|无视|無視|忘记|忘記|忘掉|不要遵守|不要遵循|不必遵守|不再遵守|绕过|繞過|违反|不要理会|不用管|抛开|撤销',
    objects:
      /(?:之前|以前|先前|以上|上述|上面|前面|所有|全部|一切|任何|系统|系統|原有|原来|你的|您的|此前|既定|现有)(?:的|所有|全部|任何|你|您|收到|给出|系统|系統|一切|给你|安全){0,5}(?:指令|指示|提示|规则|規則|命令|要求|说明|說明|设定|設定|限制|约束|内容|准则|规定)/,
  },
  {
    language: 'th',
    verbs: 'เพิกเฉย|ไม่ต้องสนใจ|อย่าสนใจ|ไม่สนใจ|ละเว้น|ลืม|มองข้าม|อย่าทำตาม|ไม่ต้องทำตาม|ยกเลิก|ฝ่าฝืน|ละทิ้ง|ข้าม',
    objects:
      /(?:คำสั่ง|คําสั่ง|คำแนะนำ|คําแนะนํา|กฎ(?!หมาย)|ข้อกำหนด|ข้อกําหนด|ข้อจำกัด|ข้อความ|แนวทาง|คำชี้แจง)(?:[\u0e00-\u0e7f ]{0,24})(?:ก่อนหน้า|ข้างต้น|ด้านบน|ทั้งหมด|เดิม|ของระบบ|ที่ผ่านมา|ทุกข้อ|ระบบ)/,
  },
];

/** Phrases that are enough by themselves, in lower case: rule, what it begins with, the whole. */
export const STANDING_PHRASES: readonly { readonly rule: string; readonly form: RegExp; readonly score: number }[] = [
  {
    rule: 'reveal_prompt',
    form: /(?:reveal|print|repeat|show|output|display|leak|disclose|tell me|write out)(?: me)?(?: (?:all|the|your|full|entire|exact|complete|hidden|secret|original|initial|whole)){1,5} (?:system (?:prompt|message|instructions?)|hidden (?:prompt|instructions?)|initial (?:prompt|instructions?)|instructions? (?:above|you were given))/g,
    score: 0.8,
  },
  {
    rule: 'reveal_prompt',
    form: /(?:gib|zeige?|verrate|nenne)(?: (?:mir|uns|deinen|den|ihren|gesamten|vollständigen|wörtlich)){1,4} (?:system-?prompt|systemanweisung)|(?:muestra|revela|imprime|affiche|révèle|montre)(?:z|me|-moi)?(?: (?:tu|el|ton|le|su|votre|completo|complet)){1,3} (?:prompt|mensaje del sistema|message système)|(?:显示|输出|透露|泄露|告诉我)(?:你的|您的|完整的|全部){0,3}(?:系统提示|系统指令|提示词)|(?:покажи|выведи|раскрой|раскройте)(?:те)?(?: (?:свой|мне|полный|ваш|весь)){1,3} (?:системный промпт|системн[а-я]{2,3} (?:подсказк|инструкци|сообщени)[а-я]{1,3})|sistem (?:istemini|talimatlarını|mesajını|promptunu) (?:göster|açıkla|yazdır|paylaş)/g,
    score: 0.8,
  },
  {
    rule: 'new_role',
    form: /(?:you are now|from now on,? you (?:are|will)|pretend (?:to be|you are)|act as|you will act as|roleplay as)(?: (?:a|an|the|in|my)){0,2} (?:dan\b|do anything now|developer mode|unrestricted|unfiltered|uncensored|jailbroken|evil|different (?:ai|assistant|model)|ai (?:with no|without)|new (?:ai|assistant)|root\b|admin(?:istrator)? mode|god mode)/g,
    score: 0.85,
  },
  {
    rule: 'new_role',
    form: /(?:du bist (?:jetzt|nun|ab sofort)|ab sofort bist du|ahora eres|a partir de ahora eres|tu es (?:maintenant|désormais)|теперь ты|ты теперь|отныне ты|artık sen|sen artık|أنت الآن|你现在是|从现在起你是|从现在开始你是|ตอนนี้คุณคือ|จากนี้คุณคือ)[^.\n]{0,40}(?:ohne (?:regeln|einschränkung|filter)|uneingeschränkt|dan\b|sin (?:reglas|restricciones|filtros|límites)|sans (?:règles|restrictions?|filtre|limites)|без (?:правил|ограничений|фильтров|цензуры)|kuralsız|kısıtlamasız|sınırsız|filtresiz|بلا قيود|بدون قيود|دون قيود|没有限制|不受限制|无限制|沒有限制|ไม่มีข้อจำกัด|ไร้ข้อจำกัด)/g,
    score: 0.85,
  },
  {
    rule: 'secrecy',
    form: /(?:do not|don't|never) (?:tell|inform|mention (?:this|it) to|reveal (?:this|it) to|let) the user|without (?:telling|informing|notifying) the user/g,
    score: 0.65,
  },
  {
    rule: 'address_of_the_model',
    form: /(?:attention|note to|message for|instructions? (?:for|to)|to) (?:the |any |all )?(?:ai|llm|language model|chatbot|ai assistant|assistant)s?(?: (?:reading|processing|summarizing|summarising|parsing) this[^:\n]{0,30}|) ?:/g,
    score: 0.7,
  },
  {
    rule: 'exfiltration',
    form: /(?:send|post|upload|forward|exfiltrate|leak)(?: (?:all|the|this|your|any|entire|whole|user's|users'|chat|full)){1,4} (?:conversation history|conversation|chat history|history|secrets?|api keys?|credentials?|passwords?|system prompt|context)[^.\n]{0,30} to /g,
    score: 0.75,
  },
];
