import type { GraphEntityType } from '../../ingestion-policy/index.js';
import { KNOWN_PLACES } from './known-places.js';
import type { NamedSpan } from './named-span.js';

/** Characters that are between names and hardly ever inside one. */
const BORDER =
  '在的由与和于是从对把被向为了等及将让称到以后前并也就都而但则或这那其各每该此个位所说认指提至给把着过还又不没有会要能可请叫做购交订';
const HAN = '\\p{Script=Han}';
const INSIDE = `(?:(?![${BORDER}])[${HAN}\\p{N}·])`;
const SURNAMES =
  '王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤温康施文牛樊葛邢安齐易乔伍庞颜倪庄聂章鲁岳翟殷詹申欧耿关兰焦俞左柳甘祝包宁尚符舒阮柯纪梅童凌毕单季裴霍涂成苗谷盛曲翁冉骆蓝路游辛靳管柴蒙鲍华喻祁蒲房滕屈饶解牟艾尤阳时穆农司卓古吉缪简车项连芦麦褚娄窦戚岑景党宫费卜冷晏席卫米柏宗瞿桂全佟应臧闵苟邬边卞姬师和仇栾隋商刁沙荣巫寇桑郎甄丛仲虞敖巩明佘池查麻苑迟邝';
const DOUBLE_SURNAMES = '欧阳|司马|上官|诸葛|慕容|令狐|东方|皇甫|尉迟|公孙|夏侯|司徒|长孙|宇文';
const ROLES =
  '教授|博士|医生|先生|女士|主任|经理|工程师|院长|所长|馆长|校长|局长|负责人|研究员|设计师|记者|律师|主席|总裁|董事长|站长|船长|老师|专家|人';
const SPEECH =
  '说|表示|认为|指出|介绍|提醒|希望|建议|告诉|强调|解释|承认|发现|透露|回忆|分析|写道|坦言|补充|警告|则|也|是|在|于|和|与|将|提出|主张|担任';

const PATTERNS: readonly { readonly pattern: RegExp; readonly type: GraphEntityType; readonly certain: boolean }[] = [
  {
    type: 'organisation',
    certain: true,
    pattern: new RegExp(
      `${INSIDE}{2,14}(?:有限公司|公司|集团|大学|学院|研究所|研究院|医院|保护院|博物馆|图书馆|档案馆|委员会|协会|学会|银行|基金会|中心|法院|实验室|事务所|出版社|水务局|管理局|局|工厂|厂|合作社|株式会社|学校)`,
      'gu',
    ),
  },
  {
    type: 'place',
    certain: true,
    pattern: new RegExp(
      `${INSIDE}{1,5}(?:自治区|省|市|县|镇|村|路|街|港|码头|山|河|湖|江|岛|湾|石窟|第?[一二三四五六七八九十百]+窟)`,
      'gu',
    ),
  },
  {
    type: 'person',
    certain: true,
    pattern: new RegExp(
      `(?<=${ROLES})(?:(?:${DOUBLE_SURNAMES})[${HAN}]{1,2}|[${SURNAMES}][${HAN}]{1,2})(?=${SPEECH}|[，。、；：（）“”「」])`,
      'gu',
    ),
  },
  {
    type: 'person',
    certain: true,
    pattern: new RegExp(
      `(?<![${HAN}])(?:(?:${DOUBLE_SURNAMES})[${HAN}]{1,2}?|[${SURNAMES}][${HAN}]{1,2}?)(?=${SPEECH}|${ROLES}|[，、])`,
      'gu',
    ),
  },
];
const QUOTED = /[“「『《]([^”」』》“「『《]{2,16})[”」』》]/gu;
const NAMED_NUMBER = new RegExp(`${INSIDE}{2,6}[一二三四五六七八九十\\d]+号`, 'gu');

/** Names in Chinese, and in Japanese as far as it writes them in the same characters. */
export function findHanNames(sentence: string): NamedSpan[] {
  const found: NamedSpan[] = [];
  for (const match of sentence.matchAll(QUOTED)) {
    const start = match.index + 1;
    const type = match[0].startsWith('《') ? 'term' : 'product';
    found.push({ start, end: start + match[1]!.length, type, certain: true });
  }
  for (const { pattern, type, certain } of PATTERNS) {
    for (const match of sentence.matchAll(pattern)) {
      if (type !== 'person' && match[0].length < 3) continue;
      found.push({ start: match.index, end: match.index + match[0].length, type, certain });
    }
  }
  for (const match of sentence.matchAll(NAMED_NUMBER)) {
    found.push({ start: match.index, end: match.index + match[0].length, type: 'product', certain: true });
  }
  return [...found, ...knownPlaces(sentence)];
}

function knownPlaces(sentence: string): NamedSpan[] {
  const found: NamedSpan[] = [];
  for (let start = 0; start < sentence.length; start++) {
    for (const length of [3, 2]) {
      if (!KNOWN_PLACES.has(sentence.slice(start, start + length))) continue;
      found.push({ start, end: start + length, type: 'place', certain: true });
      break;
    }
  }
  return found;
}

/** A name in front of its short form without the words before it. */
export function withoutBorder(name: string): string {
  const pieces = name.split(new RegExp(`[${BORDER}]`, 'u'));
  return pieces.at(-1)!;
}
