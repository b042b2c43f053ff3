/**
 * Words that say little about what a text is about, in languages whose words are separated by spaces. The hashed embedding has
 * no corpus to learn their weight from. Part of the embedding space: a change here needs a new space id.
 */
const WORDS = `
a an and are as at be been but by can could did do does for from had has have he her his how if in into is it its may more
not of on or our she should such than that the their then there these they this those to was we were what when where which
who whom whose why will with would you your many much also between during about after before other some most only
der die das den dem des ein eine einer einem eines einen und oder ist sind war waren wird wurde wurden in im von vom zu zum
zur mit auf für als auch sich nicht bei durch nach aus an am es er sie wie was wer wann wo warum welche welcher welches
welchem welchen hat haben hatte dass über um noch nur so wie viele
le la les un une des du de et ou est sont était dans en sur pour par avec que qui quoi dont où quand comment pourquoi quel
quelle quels quelles ce cette ces il elle ils elles ne pas au aux plus se son sa ses leur a été
el los las una unos unas y o es son era fue en por para con que quien cuando donde como cual cuales este esta estos estas no
se su sus al del lo más qué quién cuándo dónde cómo cuál
il lo gli i uno e è di da con su per tra fra che chi quando dove come quale quali questo questa non si al dalla della delle
dei nel nella sono
o os as um uma e ou é são foi em no na por com do da dos das que quem quando onde como qual quais não se ao à
de het een en of is zijn was in op van voor met aan dat die te niet bij naar uit door om als ook wie wat wanneer waar hoe
и в во на с со не что по к из у как кто когда где почему какой какая какие каком какого какое был была было были от для о об
а но или это этот эта эти который которая которые которое его её их он она они за при до же бы так также
ve bir bu ile için de da ne nasıl kim nerede neden hangi olarak olan
i w z na do o się nie jest to że jak co kto gdzie kiedy który która
`;

/** Chinese characters of grammar and of questions; they make up much of every text. */
const HAN = '的了是在和有为以于与之其这那个一不由被对到从他她它们什么哪些多少谁何时候';

/** The function words, lower case. */
export const FUNCTION_WORDS: ReadonlySet<string> = new Set(WORDS.trim().split(/\s+/u));
/** The code points of the function characters. */
export const FUNCTION_CHARACTERS: ReadonlySet<number> = new Set([...HAN].map((character) => character.codePointAt(0)!));
