import type { MadeQuestion } from './question-rules.js';

const NUMBER =
  '(?:\\d{1,9}(?:[.,]\\d{1,3})*(?:万|亿)?|(?!一(?:[个种名位家次]|年))[一二三四五六七八九十百千两]{1,4}(?:万|亿)?)';
const UNIT = '秒钟?|分钟|个?小时|天|日|周|个?星期|个?月|个?季度|年';
const MEASURES =
  '欧元|美元|日元|港元|人民币|元|个工作日|分钟|个小时|小时|个月|个星期|天|周|年|人|名|位|次|本|台|件|种|家|座|公里|千米|米|厘米|毫米|公斤|千克|克|吨|升|摄氏度|巴|瓦|千瓦|伏|个';

/** What is asked for is where the answer stood, so the words around it stay as they are. */
const GAPS: readonly (readonly [pattern: RegExp, ask: string])[] = [
  [new RegExp(`每隔?${NUMBER}(?:${UNIT})|每(?:小时|天|日|周|星期|月|季度|年)(?:${NUMBER}次)?`, 'u'), '每隔多长时间'],
  [/\d{4}年(?:\d{1,2}月)?(?:\d{1,2}日)?|\d{1,2}月\d{1,2}日/u, '什么时候'],
  [/(?:上午|下午|早上|晚上|中午)\d{1,2}(?:点半?|时)(?:\d{1,2}分)?/u, '几点'],
  [/由[\p{Script=Han}]{2,10}?(?=负责|进行|完成|批准|管理|组织|保养|维护|检查|签字|建造|设计|撰写)/u, '由谁'],
  [new RegExp(`(?<![第另数几多\\d.,一二三四五六七八九十百千两])${NUMBER}(${MEASURES})(?!或)`, 'u'), '多少$1'],
];

const DEFINITION = /^([^，；：、（）。“”]{2,20}?)是(一[种个款家座本位名项]|指)([^。]{3,})$/u;
/** Signs of a sentence that says more than one thing. */
const NOT_PLAIN = /[，；：、（）“”‘’()？?—-]/u;
const NOT_FIRST =
  /^(?:它|他|她|这|那|该|此|其|我|你|您|因此|所以|但|但是|如果|当|因为|虽然|然而|而且|并且|同时|此外|另外)/u;

/** “水泵每500小时保养一次” → “水泵每隔多长时间保养一次？” */
export function askInChinese(sentence: string): MadeQuestion | undefined {
  if (NOT_FIRST.test(sentence) || NOT_PLAIN.test(sentence)) return undefined;
  const defined = DEFINITION.exec(sentence);
  if (defined !== null) return { question: `${defined[1]}是什么？`, answer: `${defined[2]}${defined[3]}` };
  for (const [pattern, ask] of GAPS) {
    const found = pattern.exec(sentence);
    // At the very beginning it is what the sentence is about.
    if (found === null || found.index < 2) continue;
    const asked = ask.replace('$1', found[1] ?? '');
    const question = sentence.slice(0, found.index) + asked + sentence.slice(found.index + found[0].length);
    return { question: `${question}？`, answer: found[0] };
  }
  return undefined;
}
