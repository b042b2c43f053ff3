/**
 * Words that say nothing about what a question asks for. Frequencies cannot tell in a dataset of three chunks, so short
 * lists of articles, pronouns, prepositions, auxiliaries and question words are needed. They are weighed down, never dropped.
 */

type WordList = ReadonlySet<string>;

function list(words: string): WordList {
  return new Set(words.split(' '));
}

/** By language; lower case without diacritics. English is first and wins ties. */
const SPACED: readonly (readonly [language: string, words: WordList])[] = [
  [
    'en',
    list(
      'a about above after again against all along also although always am among an and another any anybody anyone anything are aren around as at away be became because become becomes been before being below between both but by can cannot could couldn did didn do does doesn doing don done down during each either else etc ever every everyone few for from further get gets give given gives got had hadn has hasn have haven having he hence her here hers herself him himself his how however i if in into is isn it its itself just kind kinds know known let like ll made make makes many may me might mine more most much must my myself nor no not of off often on once one only onto or other others ought our ours ourselves out over own per perhaps please quite rather re said same say says shall she should shouldn show since so some someone something sort such take tell than that the their theirs them themselves then there therefore these they thing things this those though through thus to too toward towards under until up upon us use used uses using ve very via was wasn way we well were weren what whatever when where whether which while who whom whose why will with within without would wouldn yes yet you your yours yourself explain describe name called',
    ),
  ],
  [
    'de',
    list(
      'ab aber alle allem allen aller alles als also am an andere anderen anderer auch auf aus ausser außer bei beim bin bis bist da dabei dadurch dafur damit danach dann daran darauf daraus darf darin das dass davon dazu dein deine dem den denen denn der deren des dessen die dies diese diesem diesen dieser dieses doch dort du durch ein eine einem einen einer eines einige er es etwa etwas euch fur gab ganz gegen gibt hab habe haben hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins ist ja jede jedem jeden jeder jedes jene jetzt kann kannst kein keine keinen konnen konnte konnten lassen man mehr mein meine mich mir mit muss mussen musste nach nicht nichts noch nun nur ob oder ohne sehr sein seine seinem seinen seiner seit sich sie sind so solche soll sollte sollten sondern sonst uber um und uns unser unsere unserem unseren unserer unter viel viele vielen vom von vor wann war waren warum was weil welche welchem welchen welcher welches wem wen wenn wer werde werden wessen wie wieder wieso wird wo wobei wodurch wofur woher wohin worin wurde wurden wieviel wir zu zum zur zwischen',
    ),
  ],
  [
    'fr',
    list(
      'a afin ai ainsi alors apres au aucun aussi autre autres aux avait avant avec avez avoir c car ce ceci cela celle celles celui ces cet cette ceux chaque chez combien comme comment d dans de depuis des deux dit doit donc dont du elle elles en encore entre est et etaient etait ete etre eu eux fait faut fut il ils j je l la laquelle le lequel les lesquelles lesquels leur leurs lors lui m ma mais me meme mes moi moins mon n ne ni nos notre nous on ont ou par parce pas pendant peut peuvent plus pour pourquoi qu quand que quel quelle quelles quels qui quoi s sa sans se selon sera ses si soit son sont sous sur t ta te tes toi ton tous tout toute toutes tres tu un une vers via vos votre vous y',
    ),
  ],
  [
    'es',
    list(
      'a al algo algun alguna algunas algunos ante antes asi aun aunque cada como con contra cual cuales cuando cuanta cuantas cuanto cuantos cuyo de del desde despues donde dos durante e el ella ellas ellos en entre era eran es esa esas ese eso esos esta estaba estan estas este esto estos fue fueron ha habia han hasta hay haya la las le les lo los mas me mi mientras mis mucho muchos muy nada ni no nos nosotros nuestra nuestro o os otra otras otro otros para pero poco por porque pue puede pueden pues que quien quienes se sea segun ser si sido sin sobre son su sus tal tambien tanto te tener tenia tiene tienen todo todos tras tu tus un una unas uno unos usted y ya yo',
    ),
  ],
  [
    'it',
    list(
      'a ad agli ai al alla alle allo altri altro anche ancora aveva c che chi ci cio come con contro cosa cui da dagli dai dal dalla dalle dallo degli dei del dell della delle dello di dopo dove due e ed era erano essere fa fino fra fu furono gli ha hanno i il in io l la le lei li lo loro lui ma mi mio molti molto ne negli nei nel nell nella nelle nello no noi non nostro o ogni per perche piu poi prima puo qual quale quali quando quanta quante quanti quanto quasi quella quelle quelli quello questa queste questi questo qui se sei senza si sia sono sopra sotto stata stati stato su sua sue sugli sui sul sulla sulle suo suoi tra tu tutti tutto un una uno vi voi',
    ),
  ],
  [
    'pt',
    list(
      'a ao aos aquela aquele aquilo as ate cada com como da das de dela dele deles depois do dos e ela elas ele eles em entre era eram essa esse esta estao estar estas este estes eu foi foram ha isso isto ja la lhe mais mas me mesmo meu minha muito na nao nas nem no nos nossa nosso num numa o onde os ou para pela pelas pelo pelos por porque pode podem pois qual quais quando quanta quantas quanto quantos que quem se seja sem ser seu seus so sobre sua suas sao tambem te tem tinha todo todos tu um uma umas uns voce voces',
    ),
  ],
  [
    'nl',
    list(
      'aan al alle alleen als altijd andere ben bij daar dan dat de deze die dit doch doen door dus een eens en er ge geen had heb hebben heeft hem het hier hij hoe hoeveel hun ik in is ja je kan kon kunnen maar me meer men met mij mijn moet na naar niet niets nog nu of om omdat onder ons ook op over reeds te tegen toch toen tot u uit uw van veel voor waar waarom wanneer waren was wat we wel welk welke werd werden wie wij wil worden wordt zal ze zei zelf zich zij zijn zo zonder zou',
    ),
  ],
  [
    'ru',
    list(
      'а без более больше будет будто бы был была были было быть в вам вас весь во вот все всего всех всю вы где да даже для до его ее ей ему если есть еще ж же за зачем и из изза или им имеет их к каждый каждая как какая какие каким какими каких какого какое какой каком какую кем ко когда кого кому который которая которое которого которой которую которые которым которых кто куда ли либо между меня мне много может можно мой мы на над надо нам нас наш не него нее ней нет ни них но ну о об один одна однако одного он она они оно от откуда перед по под после потому почему при про раз с сам себе себя сейчас сколько со собой согласно среди стал стала так такая такие такой там те тем теперь то тоже того той только том тот ту тут ты у уже хотя чего чей чем через что чтобы чье чьи чья эта эти этим этих это этого этой этом этот эту я является являются называется называют называлось называлась назывался назовите какова каково каковы другая другие другим своей своего свой именно',
    ),
  ],
];

/** Frequent strings of scripts without spaces: particles, question words, auxiliaries. Longest match wins. */
const UNSPACED_STRINGS: readonly string[] =
  `什么 甚么 什麼 甚麼 为什么 為什麼 怎么 怎麼 怎样 怎樣 如何 哪里 哪裡 哪裏 哪儿 哪些 哪个 哪個 哪一个 哪一 哪种 哪種 哪位 哪年 哪 谁 誰 多少 几个 幾個 几 幾 是否 以及 因为 因為 所以 但是 可以 我们 我們 你们 他们 他們 它们 它們 她们 这个 這個 那个 那個 这些 這些 那些 这 這 那 其中 其 的 了 是 在 和 与 與 或 及 于 於 被 把 从 從 由 让 讓 吗 嗎 呢 吧 啊 么 麼 所 没有 沒有 我 你 您 他 她 它 请问 請問 何时 何時 何地 何种 何種 叫做 称为 稱為 属于 屬於 关于 關於 根据 根據
は が を に の と で も へ や か から まで より など です ます でした ました でしょう ません だ である であった ですか ますか した する して される された されている している いる ある あった いた なる なった これ それ あれ この その あの どの どれ どこ どう どのような どのように どのくらい なに なん なぜ いつ だれ いくつ いくら 何 誰 何年 何人 という といった として について における において による によって のは のか こと もの ため ください
ที่ ของ และ หรือ ใน เป็น คือ มี ได้ ให้ กับ แก่ แต่ จาก โดย ว่า ซึ่ง อัน นี้ นั้น อะไร ใคร ใด ไหน อย่างไร ยังไง ทำไม เท่าไร เท่าไหร่ เท่าใด เมื่อ เมื่อใด เมื่อไร เมื่อไหร่ กี่ ไหม หรือไม่ บ้าง ก็ จะ ไม่ ไป มา อยู่ แล้ว ด้วย ตาม เพื่อ ถึง ต่อ ถูก การ ความ คน ครั้ง สิ่ง สิ่งใด อย่าง ผู้ใด ประเภทใด แบบใด ปีใด ที่ไหน เพราะ เหตุใด เพราะอะไร ต้อง ควร สามารถ เคย กำลัง ทั้ง บาง ทุก แต่ละ ครับ ค่ะ คะ นะ จำนวน เพราะเหตุใด ชื่อ`
    .split(/\s+/)
    .map((word) => word.normalize('NFKC'));

const unspacedByFirst = new Map<string, string[]>();
for (const word of new Set(UNSPACED_STRINGS)) {
  const first = [...word][0]!;
  unspacedByFirst.set(
    first,
    [...(unspacedByFirst.get(first) ?? []), word].sort((a, b) => b.length - a.length),
  );
}

/** How many words of a Latin-script language other than English must be in a text before its list is believed. */
const HITS_NEEDED = 2;
/** One of these is enough in a few keywords: no English word is written so. */
const UNMISTAKABLE = list('du des aux der das dem vom zum zur und et del los pour sur');
const FEW_WORDS = 4;

/** The function words that fit the language of these words (lower case, without diacritics). */
export function functionWordsFor(words: readonly string[]): WordList {
  const [, english] = SPACED[0]!;
  let best = english;
  let bestHits = words.filter((word) => english.has(word)).length;
  const isClear = words.length <= FEW_WORDS && words.some((word) => UNMISTAKABLE.has(word));
  for (const [language, candidates] of SPACED.slice(1)) {
    const hits = words.filter((word) => candidates.has(word)).length;
    if (hits > bestHits && (hits >= HITS_NEEDED || language === 'ru' || isClear)) {
      best = candidates;
      bestHits = hits;
    }
  }
  return best;
}

/** For each character of a run without spaces: true where it belongs to a function word. */
export function functionCharacters(characters: readonly string[]): boolean[] {
  const mask = new Array<boolean>(characters.length).fill(false);
  for (let index = 0; index < characters.length;) {
    const rest = characters.slice(index, index + 16).join('');
    const match = unspacedByFirst.get(characters[index]!)?.find((word) => rest.startsWith(word));
    const width = match === undefined ? 1 : [...match].length;
    if (match !== undefined) mask.fill(true, index, index + width);
    index += width;
  }
  return mask;
}
