import type { AnswerSort } from './answer-sort.js';

/** Patterns of one language; of those with spaces each begins where a word begins. */
interface AskedIn {
  readonly en: string;
  readonly de: string;
  readonly fr: string;
  readonly es: string;
  readonly zh?: string;
}

const END = String.raw`(?!\p{L})`;
const WHAT_IS = String.raw`(?:what|which)(?:['’]?s| is| are| was| were| will be| would be)`;
/** An article or a pronoun, and up to three words that name nothing apart from what follows. */
const THE = String.raw`(?:(?:the|an?|my|our|your|his|her|their|its|this|that) )?(?:(?!(?:of|for|in|on|to|with|about|behind|if|when|and|or|included|covered|due|meant|needed|between|after|before)(?!\p{L}))[\p{L}\p{N}'’-]+ ){0,3}?`;
const WAS_IST = String.raw`(?:was|wie|welche[mnrs]?)(?: hoch)? (?:ist|sind|war|waren|lautet|beträgt|betragen)`;
const QUEL_EST = String.raw`quel(?:le)?s?(?: (?:est|sont|était|sera))?(?: (?:le|la|les|mon|ma|votre|notre|son|sa))?(?: l['’])? ?`;
const CUAL_ES = String.raw`(?:cu[áa]l(?:es)?|qu[ée])(?: (?:es|son|era|ser[áa]))?(?: (?:el|la|los|las|mi|su|nuestr[oa]|vuestr[oa]))? `;
const MONEY = String.raw`(?:costs?|prices?|fees?|fares?|charges?|rent|toll|fine|penalty|deposit|surcharge|premium|tariff|salary|salaries|wages?|remuneration|compensation|bonus|subsidy|stipend|per diem)`;
const PAY_FR = String.raw`(?:co[uû]t\p{L}*|pa(?:ie|ye|yer|yons|yez|ient|yent)${END}|d[ée]pens\p{L}+|vaut|valent|factur\p{L}+|revien\p{L}+|touch\p{L}+|gagn\p{L}+)`;
const PAY_ES = String.raw`(?:cuest\p{L}+|costar?\p{L}*|val(?:e|en)${END}|pag\p{L}+|gast\p{L}+|cobr\p{L}+|sale${END}|piden|gana\p{L}*)`;
const MONEY_DE = String.raw`\p{L}*(?:miete|mietzins|kaution|gebühr|gebühren|preis|preise|kosten|entgelt|lohn|gehalt|honorar|bußgeld|vorauszahlung|pauschale|prämie|vergütung|geld|strafe|zuschuss|tagessatz|stundensatz|budget|mitgliedsbeitrag|jahresbeitrag|monatsbeitrag)`;
const PAY_DE = String.raw`(?:kostet|kosten|zahl(?:e|en|t|st)?|bezahl(?:e|en|t|st)?|ausgeben|berechnet|verlangt|verlangen|schuld(?:e|en|et|est)|wert|verdien(?:e|en|t|st)|aus)${END}`;

const SPAN_EN = '(?:seconds?|minutes?|hours?|days?|nights?|weeks?|months?|years?)';

/** In the order in which they are tried; the first that fits decides. */
const ASKED: readonly (readonly [AnswerSort, AskedIn])[] = [
  [
    'phone',
    {
      en: String.raw`(?:tele)?phone numbers?|(?:hot ?line|help ?line|help ?desk|emergency|rescue|mobile|cell|fax|extension) numbers?${END}|(?:what|which|on what|on which|under what|under which) number (?:do|does|can|could|should|must|may|to|is)${END}.{0,30}(?:call|ring|dial|phone|reach\p{L}*)|(?:which|what) extension${END}|what(?:['’]?s| is) (?:the|his|her|my|our|their) (?:phone )?extension(?: (?:of|for) (?!the|a|an|this|my|our|your)\p{L}|\W*$)|how [^?]{1,40}(?:reach|contact|call|get hold of)${END}[^?]{1,40}(?:by|over the|on the) (?:tele)?phone${END}`,
      de: String.raw`(?:telefon|handy|ruf|notruf|service|hotline|mobil|fax|durchwahl)nummer|durchwahl|unter welcher (?:telefon)?nummer|welche nummer.{0,40}(?:anruf\p{L}*|wähl\p{L}*|ruf\p{L}*)${END}|wie [^?]{0,40}erreich\p{L}*[^?]{1,40}telefonisch${END}|wie [^?]{0,60}telefonisch[^?]{1,20}erreich\p{L}*`,
      fr: String.raw`num[ée]ro de (?:t[ée]l[ée]phone|portable|fax)|num[ée]ro d['’](?:urgence|appel)|[àa] quel num[ée]ro|sur quel num[ée]ro|quel num[ée]ro (?:dois|faut|peut|puis|doit|appel|compos|est)|comment [^?]{0,40}(?:joindre|contacter|appeler)${END}[^?]{0,40}par t[ée]l[ée]phone`,
      es: String.raw`n[úu]mero de (?:tel[ée]fono|m[óo]vil|urgencias?|emergencias?|fax)|[aeé]n? qu[ée] n[úu]mero|qu[ée] n[úu]mero (?:marc|llam|hay que (?:marc|llam)|debo|tengo que)|(?:cu[áa]l es el|qu[ée]) tel[ée]fono|c[óo]mo [^?]{0,40}(?:contact|localiz|llam)\p{L}*[^?]{0,40} por tel[ée]fono`,
      zh: '电话(?:号码)?是|电话号码|(?:打|拨)(?:哪个|什么)(?:电话|号码)',
    },
  ],
  [
    'mail',
    {
      en: String.raw`e-?mail address(?:es)?|(?:to |under |at )?(?:what|which) (?:e-?mail|mailbox)|${WHAT_IS} ${THE}e-?mail${END}|where (?:do|can|should|must) (?:i|we|one) (?:send )?(?:an? )?e-?mail`,
      de: String.raw`(?:e-?)?mail-?adresse|an welche (?:e-?)?mail|welche (?:e-?)?mail|wie lautet die (?:e-?)?mail|${WAS_IST} (?:die|ihre|eure) (?:e-?)?mail`,
      fr: String.raw`adresse (?:e-?mail|mail|[ée]lectronique|courriel)|(?:[àa] )?quel(?:le)? (?:adresse )?(?:e-?mail|mail|courriel)|${QUEL_EST}(?:e-?mail|courriel)`,
      es: String.raw`correo electr[óo]nico|direcci[óo]n de (?:correo|e-?mail)|(?:a )?qu[ée] (?:correo|e-?mail)|cu[áa]l es el (?:correo|e-?mail)`,
      zh: '邮箱|电子邮件地址|电邮地址',
    },
  ],
  [
    'contact',
    {
      en: String.raw`who(?:m|['’]s)? (?:do|does|can|could|should|shall|must|may|to|would|must) ?(?:(?:i|we|you|one|they|people|\p{L}+s?) )?(?:have to |need to )?(?:call|ring|phone|contact|turn to|write to|get in touch|notify|inform|tell|speak to|talk to|ask|report to|reach)|who (?:is|are) (?:the|my|our) contact|to whom (?:do|does|can|should|must|may) .{0,30}(?:turn|write|report|speak|talk|apply)`,
      de: String.raw`wen (?:muss|soll|kann|darf|sollte|müssen|sollen|können|rufe|rufen|frage|fragen|kontaktier\p{L}*|informier\p{L}*|benachrichtig\p{L}*|verständig\p{L}*)|an wen (?:muss|soll|kann|darf|wende|wenden|schreibe|melde|richte|müssen|sollen|können)|bei wem (?:muss|soll|kann|melde|meldet|müssen|sollen|können|erkundig\p{L}*|beschwer\p{L}*)|wem (?:sage|sagen|melde|melden|schreibe|schreiben|muss|soll|kann|gebe|geben|teile|teilen)|wer ist (?:mein|der|die|unser)\p{L}* ansprechpartner`,
      fr: String.raw`qui (?:dois|doit|devons|faut|peut|puis|pouvons)(?:-(?:il|je|on|nous))? ?(?:-on )?(?:appeler|contacter|pr[ée]venir|joindre|informer|avertir)|qui (?:appeler|contacter|pr[ée]venir|joindre|avertir|informer)|(?:[àa]|aupr[èe]s de) qui (?:dois|doit|faut|peut|puis|s['’]adress|m['’]adress|[ée]crire|parler|demander|s['’]inscri|se)|qui est (?:le|mon|notre) (?:contact|interlocuteur)`,
      es: String.raw`a qui[ée]n(?:es)? (?:llam\p{L}*|contact\p{L}*|avis\p{L}*|escrib\p{L}*|pregunt\p{L}*|inform\p{L}*|debo|tengo que|hay que|puedo|me dirijo|debemos|se (?:llama|avisa|pregunta|informa))|con qui[ée]n (?:hablo|hablar|contact\p{L}*|debo|tengo que|hay que|puedo|me pongo|se)|qui[ée]n es (?:el|la|mi|nuestr[oa]) contacto`,
      zh: '(?:找|联系|问|通知|打给)谁|给谁打电话|(?:跟|和|向)谁(?:联系|说|申请|报告|反映)',
    },
  ],
  [
    'clock',
    {
      en: String.raw`(?:at |by |until |till |from |around )?(?:what|which) times?${END}(?! of (?:the )?year| limit| frame| span| period| off)|(?:at |by |until |from )?(?:what|which) hour${END}|what o['’]?clock|${WHAT_IS} ${THE}(?:opening|office|business|visiting|consulting|surgery) (?:hours|times)${END}|^\W*(?:opening|office|business|visiting|consulting|surgery) (?:hours|times)${END}`,
      de: String.raw`(?:um|ab|bis|gegen) wie ?viel uhr|wie ?viel uhr|(?:um |zu |ab |bis zu )?welche[rn]? uhrzeit(?:en)?|wie spät ist es|${WAS_IST} (?:die|ihre|eure|unsere) (?:öffnungs|geschäfts|sprech|besuchs)zeiten|^\W*(?:öffnungs|geschäfts|sprech|besuchs)zeiten${END}`,
      fr: String.raw`(?:[àa]|vers|jusqu['’][àa]|d[èe]s|de|avant|apr[èe]s|pour) quelles? heures?|quelle heure|[àa] partir de quelle heure|(?:quels|[àa] quels) horaires|quels sont (?:les|vos|nos) horaires|^\W*(?:les )?horaires?${END}(?! de travail)`,
      es: String.raw`(?:a|hasta|desde|sobre|antes de|para|de) qu[ée] horas?|a partir de qu[ée] hora|qu[ée] (?:hora|horario)s?|cu[áa]l es (?:el|su|vuestro) horario|^\W*(?:el )?horarios?${END}`,
      zh: '几点|几时',
    },
  ],
  [
    'age',
    {
      en: String.raw`how old${END}|(?:at |from |up to |until |by )?(?:what|which) age${END}|${WHAT_IS} ${THE}(?:minimum |maximum )?age${END}(?! of)|how many years old`,
      de: String.raw`wie alt${END}|(?:ab|in|bis zu|mit) welchem (?:mindest)?alter|welches (?:mindest)?alter|${WAS_IST} das (?:mindest|höchst)?alter|ab wie ?vielen? jahren|mit wie ?vielen? jahren`,
      fr: String.raw`quel [âa]ge|(?:[àa]|d[èe]s|jusqu['’][àa]|[àa] partir de|avant) quel [âa]ge|${QUEL_EST}[âa]ge`,
      es: String.raw`(?:a|con|hasta|desde|de|a partir de) qu[ée] edad|qu[ée] edad|cu[áa]ntos a[ñn]os (?:tiene|hay que tener|debo tener|se debe|deben? tener)|cu[áa]l es la edad`,
      zh: '几岁|多大(?:年龄|年纪|岁数)?[？?]?$|年龄(?:要求|限制)?是',
    },
  ],
  [
    'percent',
    {
      en: String.raw`(?:what|which) (?:per ?cent(?:age)?|share|proportion|fraction)${END}|how many per ?cent${END}|${WHAT_IS} ${THE}percentage`,
      de: String.raw`(?:um |zu |mit )?wie ?viele? prozent${END}|welche[rn]? (?:prozentsatz|anteil)|${WAS_IST} der (?:prozentsatz|anteil)`,
      fr: String.raw`quel(?:le)? (?:pourcentage|proportion|part)${END}|combien (?:de )?pour ?cent|${QUEL_EST}(?:pourcentage|proportion)`,
      es: String.raw`qu[ée] (?:porcentaje|proporci[óo]n)|cu[áa]l es el porcentaje|cu[áa]nto por ciento|qu[ée] tanto por ciento`,
      zh: '百分之(?:几|多少)|(?:比例|占比|百分比)是多少|占多大比例',
    },
  ],
  [
    'temperature',
    {
      en: String.raw`how (?:warm|hot|cold|cool)${END}|(?:at |to |below |above )?(?:what|which) temperatures?|how many degrees${END}|${WHAT_IS} ${THE}temperature`,
      de: String.raw`wie (?:warm|kalt|heiß|kühl)${END}|(?:bei |auf )?welche[rn]? temperatur|(?:bei |auf |auf wie )?wie ?viel grad${END}|${WAS_IST} die temperatur`,
      fr: String.raw`(?:[àa] )?quelle (?:est la )?temp[ée]rature|(?:[àa] )?combien de degr[ée]s${END}`,
      es: String.raw`(?:a )?qu[ée] temperatura|(?:a )?cu[áa]ntos grados${END}|cu[áa]l es la temperatura`,
      zh: '多少度|几度|什么温度|温度是',
    },
  ],
  [
    'weight',
    {
      en: String.raw`how heavy${END}|how much (?:does|do|did|may|can|must|should|will)${END}.{0,60}weigh|what (?:does|do|did|may|can)${END}.{0,60}weigh|(?:what|which|up to what) weight${END}|how many (?:kilos?|kilograms?|grams?|tons|tonnes)${END}|${WHAT_IS} ${THE}weight`,
      de: String.raw`wie ?schwer${END}|wie ?viel (?:wiegt|wiegen|wog)|wie ?viel (?:darf|dürfen|kann).{0,60}wiegen|was (?:wiegt|wiegen|darf.{0,60}wiegen)|(?:bis zu )?welche[smn]? gewicht|wie ?viele? (?:kilo\p{L}*|gramm|tonnen)${END}|${WAS_IST} das (?:\p{L}+)?gewicht`,
      fr: String.raw`combien (?:p[èe]se|pesait|peut peser|doit peser)\p{L}*|quel (?:est le )?poids|(?:jusqu['’][àa] )?quel poids|combien de (?:kilos?|kilogrammes|grammes|tonnes)${END}`,
      es: String.raw`cu[áa]nto (?:pesa|puede pesar|debe pesar|pesaba)\p{L}*|qu[ée] peso|cu[áa]l es el peso|cu[áa]ntos (?:kilos|kilogramos|gramos)${END}|cu[áa]ntas toneladas`,
      zh: '多重|(?:几|多少)(?:公斤|千克|克|吨)|重量是',
    },
  ],
  [
    'year',
    {
      en: String.raw`(?:in |since |from |by |until )?(?:what|which) year${END}`,
      de: String.raw`(?:in |seit |aus |ab |bis zu )?welche[sm] (?:\p{L}+)?jahr${END}`,
      fr: String.raw`(?:en |depuis |de |d['’])?quelle (?:est l['’])?ann[ée]e`,
      es: String.raw`(?:en |desde |de |hasta )?(?:qu[ée]|cu[áa]l es el) a[ñn]o${END}`,
      zh: '哪一?年|什么年份|何年',
    },
  ],
  [
    'day',
    {
      en: String.raw`(?:on |by |until |from |since )?(?:what|which) (?:date|day|days|dates|weekdays?)${END}|${WHAT_IS} ${THE}(?:date|deadline|due date)${END}`,
      de: String.raw`(?:an |bis zu |ab |zu |seit )?welche[mnrs]? (?:datum|tag|tage|tagen|wochentag\p{L}*|stichtag)${END}`,
      fr: String.raw`(?:[àa] |jusqu['’][àa] |avant )?quel(?:le)?s? (?:jours?|dates?)${END}|quelle est la date`,
      es: String.raw`(?:en |a |hasta |desde |antes de )?qu[ée] (?:d[íi]as?|fechas?)${END}|cu[áa]l es la fecha`,
      zh: '哪一?天|星期几|周几|几号|什么日期',
    },
  ],
  [
    'moment',
    {
      en: String.raw`how (?:early|late|soon|quickly)${END}|how (?:long|far|much) (?:in advance|ahead|beforehand|before)${END}|${WHAT_IS} the (?:latest|earliest)`,
      de: String.raw`wie (?:früh|spät|bald|schnell|zeitig|rasch)${END}(?! ist es)|wie lange (?:vorher|im voraus|davor)|wie ?viel(?:e zeit)? (?:vorher|im voraus)`,
      fr: String.raw`combien (?:de temps )?(?:[àa] l['’]avance|avant)|(?:au bout|apr[èe]s|d['’]ici|sous) (?:de )?combien de temps|quand au plus tard`,
      es: String.raw`con cu[áa]nt[oa] (?:tiempo )?(?:de )?(?:antelaci[óo]n|anticipaci[óo]n|tiempo)|cu[áa]nto (?:tiempo )?antes|c[óo]mo de (?:pronto|r[áa]pido)|qu[ée] tan (?:pronto|r[áa]pido)`,
      zh: '提前多久|提前多长时间|多快',
    },
  ],
  [
    'extent',
    {
      en: String.raw`how long (?:does|do|did|must|should|may|can|could|has|have|will)${END}.{1,60}?(?<!\p{L})be(?=\W*$| (?:and|at|or)${END})`,
      de: String.raw`wie lang (?:muss|darf|soll|sollte|kann)${END}.{1,60}? sein${END}`,
      fr: String.raw`combien de caract[èe]res`,
      es: String.raw`cu[áa]ntos caracteres`,
    },
  ],
  [
    'duration',
    {
      en: String.raw`(?:for )?how long (?:before|after|do|does|did|can|could|may|must|have|has|had|will|would|should|until|till|an?|the|it)${END}|for how long|how many ${SPAN_EN}${END}|how much (?:time|notice|warning)${END}|(?:what|which|within what|within which) (?:period|length of time|notice period|time limit|time frame|time span)|${WHAT_IS} ${THE}(?:duration|notice period|period|time limit)${END}`,
      de: String.raw`(?:für |seit )?wie ?lange${END}|wie ?viele? (?:zeit|sekunden|minuten|stunden|tage|nächte|wochen|monate|jahre)${END}|(?:innerhalb |binnen |mit |in )?welche[rmns]? (?:\p{L}+)?(?:frist|zeitraum|dauer|laufzeit)${END}|${WAS_IST} (?:die|der) (?:\p{L}+)?(?:frist|dauer|laufzeit)${END}`,
      fr: String.raw`(?:pendant |depuis |durant |en )?combien de (?:temps|secondes|minutes|heures|jours|nuits|semaines|mois|ann[ée]es|ans)${END}|${QUEL_EST}(?:dur[ée]e|d[ée]lai|pr[ée]avis)${END}|(?:dans|sous|avec) quel (?:d[ée]lai|pr[ée]avis)`,
      es: String.raw`(?:durante |por |desde hace |en )?cu[áa]nt[oa]s? (?:tiempo|segundos|minutos|horas|d[íi]as|noches|semanas|meses|a[ñn]os)${END}|cu[áa]nto (?:dura|tarda)\p{L}*|(?:en |con )?${CUAL_ES}(?:duraci[óo]n|plazo|preaviso)${END}`,
      zh: '多久|多长时间|(?:几|多少)(?:天|周|个?星期|个?月|年|个?小时|分钟)|期限是',
    },
  ],
  [
    'price',
    {
      en: String.raw`how much (?:does|do|did|will|would|is|are|was|were|must|may|can|should|shall|have|has|am)${END}(?=.{0,200}(?<!\p{L})(?:costs?|charged?|pay|paid|fee|fare|price|rent|worth|owe|spend|spent|fine|penalty|toll|deposit|earn|set me back|shell out|back me)${END}(?! attention))|how much (?:is|are|was|were) (?:an?|it|one|this|these|those) (?!of${END})|how much (?:is|are|was|were) (?:it|that|this)\W*$|how much (?:for|to)${END}|how much (?:money|rent|tax|duty|toll|deposit|salary)${END}|(?:what|which|at what|for what|up to what|up to which|at which) (?:price|fee|fare|rent|charge|amount|sum)${END}(?! of|s|d)|${WHAT_IS} ${THE}${MONEY}${END}(?! (?:of|against|(?:for )?covered|included|plan|list|table|structure|period|reason|(?:grade|band|scale|bracket|level|group|class|categor|code|model|index|polic|agreement|office|date|day|month)(?:s|es|y|ies)?${END}))|what (?:do|does|did|will|would|is|are|might|can|must|may)${END}.{1,60}?(?<!the )(?<!an? )cost${END}|what (?:do|does|did|will|would|must|should|shall|can|may) (?:(?:the|an?|my|our|your|his|her|their|each|every) )?(?:[\p{L}'’-]+ ){1,3}?(?:have to |need to |usually |currently )?(?:pay|spend|owe|charge|earn)${END}(?! attention| heed| with| by| off)(?! for\W*$)|what (?:\p{L}+ ){1,3}costs?\W*$|what (?:would|will|does|did) .{1,60}set (?:me|us|you|one) back|how (?:expensive|pricey|costly|cheap|dear)${END}|what['’]?s the damage`,
      de: String.raw`was (?:kostet|kosten|koste|zahl(?:e|en|t|st)|bezahl(?:e|en|t|st)|berechne[nt]? (?:wir|ihr|sie|man)|verdien(?:e|en|t|st)|schuld(?:e|en|et))${END}|was (?:muss|müssen|soll|sollen|darf|wird|würde|werden) .{0,80}(?:zahlen|bezahlen|kosten|ausgeben)${END}|was (?:gebe|geben|gibt) .{0,80} aus${END}|was kommt .{0,60}zu stehen|was macht das\W*$|wie ?teuer${END}|wie ?viel (?:geld|miete|lohn|gehalt|honorar)${END}|wie ?viel (?!wird|wurde).{0,80}?(?<!\p{L})${PAY_DE}|(?:(?:bis zu |für |zu )?welche[mnrs]?) (?:\p{L}+)?(?:betrag|summe|preis|gebühr|kosten)${END}(?! (?:werden|sind) )|${WAS_IST} (?:(?:der|die|das|unsere?|meine?|ihre?|eine?) )?(?:\p{L}+e[rn]? )?${MONEY_DE}${END}`,
      fr: String.raw`combien (?!de |d['’]).{0,60}?(?<!\p{L})${PAY_FR}|combien (?:d['’]argent|faut-il (?:payer|d[ée]bourser))|(?:[àa] |pour )?quel(?:le)? (?:montant|somme|prix|tarif|loyer)${END}|${QUEL_EST}(?:prix|tarif|co[uû]t|montant|loyer|cotisation|salaire|amende|caution|frais|prime)s?${END}|que (?:co[uû]t\p{L}+|paie|paye|payons|payez|d[ée]pens\p{L}+)|qu['’]est-ce que .{1,60}(?:co[uû]te|paie|paye)\p{L}*|[àa] combien (?:revien\p{L}+|s['’][ée]l[èe]ve\p{L}*|est|sont)|combien (?:est-ce|ça fait|pour)`,
      es: String.raw`cu[áa]nto (?:.{0,40}?(?<!\p{L}))?${PAY_ES}|cu[áa]nto dinero|(?:por |a )?cu[áa]nto (?:sale|asciende|es\W*$)|a cu[áa]nto (?:asciende|est[áa])|qu[ée] (?:precio|importe|cuesta|cuestan|pagamos|pago|tarifa)${END}|${CUAL_ES}(?:precio|coste|costo|importe|tarifa|alquiler|cuota|salario|sueldo|multa|fianza)${END}|qu[ée] cantidad de dinero`,
      zh: '多少钱|什么价|(?:价格|费用|租金|票价|价钱|收费|押金|工资|学费)(?:是|为)?多少|多贵|(?:花|付|交|收|赚)多少(?![份人个位名次台间张辆天年月周])',
    },
  ],
  [
    'extent',
    {
      en: String.raw`how long (?:is|are|was|were|be)${END}`,
      de: String.raw`wie lang (?:ist|sind|war|waren|darf|dürfen|muss|müssen|kann)${END}`,
      fr: String.raw`de quelle longueur|${QUEL_EST}longueur`,
      es: String.raw`(?:de )?qu[ée] (?:largo|longitud)${END}|cu[áa]l es la longitud`,
      zh: '多长',
    },
  ],
  [
    'length',
    {
      en: String.raw`how (?:tall|wide|deep|thick|broad)${END}|(?:what|which) (?:length|width|height|depth|size|distance)${END}|how many (?:metres|meters|feet|inches|miles|kilomet(?:re|er)s|centimet(?:re|er)s)${END}|${WHAT_IS} ${THE}(?:length|width|height|depth|distance)${END}`,
      de: String.raw`wie ?(?:breit|tief|dick)${END}|welche (?:länge|breite|höhe|tiefe|entfernung)${END}|wie ?viele? (?:kilo|zenti|milli)?meter${END}|${WAS_IST} die (?:länge|breite|höhe|tiefe|entfernung)${END}`,
      fr: String.raw`(?:de |[àa] )?${QUEL_EST}(?:largeur|profondeur|hauteur|distance|[ée]paisseur)|combien (?:de (?:kilo|centi)?m[èe]tres|mesure)`,
      es: String.raw`(?:de |a )?${CUAL_ES}(?:anchura|ancho|profundidad|altura|distancia|grosor)${END}|cu[áa]ntos (?:kil[óo]|cent[íi])?metros|cu[áa]nto mide\p{L}*`,
      zh: '多宽|多深|多厚|(?:几|多少)(?:米|厘米|公里)',
    },
  ],
  [
    'reason',
    {
      en: String.raw`why${END}|how come${END}|(?:for )?(?:what|which) reasons?${END}|${WHAT_IS} (?:the )?(?:reasons?|cause|behind)${END}|what (?:caused|made|led to|explains)${END}|because of what`,
      de: String.raw`(?:warum|wieso|weshalb|weswegen)${END}|aus welche[mn] (?:grund|gründen)|${WAS_IST} (?:der|die) (?:grund|gründe|ursache|anlass)${END}|woran (?:liegt|lag)|wie kommt es`,
      fr: String.raw`pourquoi${END}|pour quelles? raisons?|${QUEL_EST}(?:raison|cause|motif)s?${END}|[àa] cause de quoi|comment se fait-il|qu['’]est-ce qui (?:explique|a caus[ée])`,
      es: String.raw`por qu[ée]${END}|(?:por|cu[áa]l es|cu[áa]l fue|qu[ée]) (?:el |la |qu[ée] )?(?:motivo|raz[óo]n|causa)${END}|a qu[ée] se debe|c[óo]mo es que|debido a qu[ée]`,
      zh: '为什么|為什麼|为何|什么原因|原因是|怎么会',
    },
  ],
  [
    'count',
    {
      en: String.raw`how many${END}|(?:what|which) number of${END}|${WHAT_IS} the number of${END}|how many times${END}`,
      de: String.raw`wie ?viele[nr]?${END}|welche anzahl|${WAS_IST} die (?:anzahl|zahl)${END}`,
      fr: String.raw`combien (?:de(?! fois)|d['’]|sont|y a-t-il|sommes|[êe]tes)|${QUEL_EST}nombre`,
      es: String.raw`cu[áa]nt[oa]s${END}(?! veces)|${CUAL_ES}(?:n[úu]mero de|cantidad de)`,
      zh: '几[个位名人次台间份张辆]|多少(?:个|位|名|人|次|台|间|份|张|辆)',
    },
  ],
  [
    'amount',
    {
      en: String.raw`how (?:tall|high|fast|far|often|large|big|frequently)${END}|at what (?:speed|intervals?|height)${END}`,
      de: String.raw`wie ?(?:viel|hoch|schnell|weit|oft|groß|häufig)${END}|in welchen? abst[aä]nd`,
      fr: String.raw`[àa] quelle (?:fr[ée]quence|vitesse|altitude)|combien de fois${END}|quelle (?:est la )?(?:taille|vitesse|fr[ée]quence)`,
      es: String.raw`(?:con |a )?qu[ée] (?:frecuencia|velocidad|tama[ñn]o)|cu[áa]ntas veces${END}|cada cu[áa]nto`,
      zh: '多少|多[高大深远快]|几',
    },
  ],
];

/** `time` and `place` begin a question or a clause of it: a *when* or *where* elsewhere may only join two clauses. */
const CLAUSE = String.raw`(?:^|[,;:.!?¿¡—–]|(?<!\p{L})(?:know|tell me|say|remember|wonder|see|weiß|wissen|sagen|sag mir|savoir|sais|savez-vous|sait|dire|saber|sabe|decir|dime)(?!\p{L}))[\s"'“«¿¡(]{0,8}(?:(?:and|but|so|also|und|aber|et|mais|y|pero) )?`;
const WHEN_FOLLOWED = String.raw`(?:do|does|did|is|are|was|were|am|will|would|can|could|may|might|must|should|shall|has|have|had|exactly|precisely|usually|at the latest|at the earliest|else)`;
const TIME_OPENS: AskedIn = {
  en: String.raw`(?:since|until|till|by|from|as of|as from) when${END}|when(?= ${WHEN_FOLLOWED}${END}|[^,]{0,200}$)${END}|(?:what|which) (?:month|week|season|quarter|opening hours|opening times|office hours)${END}|(?:in|during) (?:what|which) (?:month|week|season|quarter|period)${END}`,
  de: String.raw`(?:(?:seit|bis|ab|von|für) )?wann${END}|(?:in |zu |ab )?welche[mnrs]? (?:monat|woche|zeitpunkt|zeit|quartal|jahreszeit)${END}`,
  fr: String.raw`(?:(?:depuis|jusqu['’][àa]|[àa] partir de|d['’]ici|d[èe]s|pour|de) )?quand(?= (?:est|sont|a|ont|faut|dois|doit|peut|puis|commence|finit|ouvre|ferme|aura|se|le|la|les)${END}|[^,]{0,200}$)${END}|jusqu['’][àa] quand|d['’]ici quand|[àa] quel moment|(?:en |quel )?quel (?:mois|trimestre)`,
  es: String.raw`(?:(?:desde|hasta|para|a partir de|de) )?(?:cu[áa]ndo)(?=[^,]{0,200}$)${END}|(?:en )?qu[ée] (?:mes|semana|momento|trimestre)${END}`,
};
const PLACE_OPENS: AskedIn = {
  en: String.raw`where${END}|whereabouts|(?:in|at|on|to|from|into|through) (?:what|which) (?:room|building|street|town|city|place|floor|counter|desk|entrance|door|office|shelf|cupboard|website|page|address)${END}|(?:what|which) (?:room|building|street|floor|place|counter|entrance|address)${END}`,
  de: String.raw`(?:wo|wohin|woher)${END}|(?:in|an|auf|aus|zu|durch) welche[mnrs]? (?:raum|gebäude|straße|stadt|ort|stelle|etage|stock\p{L}*|schalter|zimmer|regal|fach|schrank|eingang|büro|seite|adresse)${END}|welche[rs]? (?:raum|gebäude|zimmer|ort|adresse)${END}`,
  fr: String.raw`o[uù](?= |$)|d['’]o[uù]${END}|(?:[àa]|dans|sur|par|vers) quel(?:le)? (?:endroit|salle|b[âa]timent|rue|ville|lieu|[ée]tage|guichet|bureau|porte|adresse|site|page)${END}|quel(?:le)? (?:salle|endroit|adresse|[ée]tage)${END}`,
  es: String.raw`(?:a|de|en|por|desde|hacia)? ?d[óo]nde${END}|ad[óo]nde${END}|(?:en|a|por) qu[ée] (?:lugar|sitio|sala|edificio|calle|ciudad|planta|oficina|mostrador|puerta|direcci[óo]n|p[áa]gina)${END}|qu[ée] (?:sala|lugar|direcci[óo]n)${END}`,
};
/** What is known by letters and digits. */
const CODE: AskedIn = {
  en: String.raw`(?:on |with |under )?(?:what|which) (?:form|code|pin|password|(?:\p{L}+ )?number(?! of)|reference|version|article|section|paragraph|clause)${END}`,
  de: String.raw`(?:mit |auf |unter |in )?welche[mnrs]? (?:formular|vordruck|code|kennwort|passwort|\p{L}*nummer|version|paragraph|paragraf|artikel|abschnitt)${END}|wie lautet (?:die|der|das) (?:\p{L}*nummer|code|kennwort|passwort|pin|kennzeichen)${END}`,
  fr: String.raw`(?:avec |sur |sous )?quel(?:le)? (?:formulaire|code|mot de passe|num[ée]ro|r[ée]f[ée]rence|version|article|paragraphe)${END}|${QUEL_EST}(?:code|num[ée]ro|mot de passe|r[ée]f[ée]rence)${END}`,
  es: String.raw`(?:con |en |bajo )?${CUAL_ES}(?:formulario|impreso|c[óo]digo|contrase[ñn]a|n[úu]mero(?! de \p{L}+s(?!\p{L}))|referencia|versi[óo]n|art[íi]culo|apartado)${END}`,
  zh: '(?:哪个|什么|哪张|哪份)(?:表格?|表单|编号|号码|代码|密码|版本)|(?:编号|代码|密码)是',
};

function patternOf({ en, de, fr, es, zh }: AskedIn, before = String.raw`(?<!\p{L})`): RegExp {
  const spaced = `${before}(?:${[en, de, fr, es].join('|')})`;
  return new RegExp(zh === undefined ? spaced : `${spaced}|${zh}`, 'iu');
}

const BY_WORDS = ASKED.map(([sort, asked]) => [sort, patternOf(asked)] as const);
const TIME_ZH = '什么时候|何时|什么时间';
const PLACE_ZH = '哪里|哪儿|什么地方|何处';
const TIME = patternOf({ ...TIME_OPENS, zh: TIME_ZH }, CLAUSE);
const PLACE = patternOf({ ...PLACE_OPENS, zh: PLACE_ZH }, CLAUSE);
const AT_LAST: readonly (readonly [AnswerSort, RegExp])[] = [
  ['time', TIME],
  ['place', PLACE],
  ['code', patternOf(CODE)],
];
/** Tried after `moment`, so that “by when” is a time, and before what is counted. */
const LAST = BY_WORDS.findIndex(([sort]) => sort === 'count');
const IN_ORDER = [...BY_WORDS.slice(0, LAST), ...AT_LAST, ...BY_WORDS.slice(LAST)];

/** The sort of thing that a question asks for, in English, German, French, Spanish and Chinese. */
export function wantedSort(question: string): AnswerSort {
  return IN_ORDER.find(([, asks]) => asks.test(question))?.[0] ?? 'any';
}
