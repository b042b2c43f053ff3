import { foldText } from './overlap.js';

/** What a word counts that says what sort of answer is wanted, or speaks of the text itself, beside a word of the matter. */
const FRAME_WEIGHT = 0.35;

/**
 * Words of questions rather than of answers: “what year”, “according to”, “which significant changes are mentioned”. The
 * sentence that answers need not hold them.
 */
const FRAME_WORDS: ReadonlySet<string> = new Set(
  foldText(
    [
      // English
      'according account address answer aspect aspects author authors call called calls cause caused causes change changes characteristic characteristics compare compared comparison conclude conclusion consider considered describe described describes description detail details determine difference differences discuss discussed discusses effect effects example examples explain explained explains factor factors finding findings focus happen happened happens hours identify illustrate impact impacts implication implications indicate indicated involve involved key kind kinds known list main major mean means measure measures mention mentioned mentions method methods name named names outline outlined primary process provide provided purpose reason reasons refer referred refers relate related relation relationship report reported reports result results reveal role roles significance significant significantly sort sorts specific state stated states step steps strategies strategy suggest suggested suggests tell term terms text topic type types use used uses various way ways year years handles lasts located situated',
      // German
      'angegeben angeblich antwort art arten bedeutet begriff beispiel beispiele bezeichnet bezeichnung erwahnt erwähnt genannt gehort gehört grund grunde gründe geschäftszeiten heisst heißt jahr jahre jahren nannte name namen nennt öffnungszeiten sprechzeiten besuchszeiten ort rolle sorte typ weise zweck dauern dauert liegt sitzt übernimmt ubernimmt kümmert kummert',
      // Turkish
      'ad adı adi adında isim ismi isimli neden sebep sebebi tane tur tür türü turu tip yıl yılı yılında yil zaman kisi kişi kimdir nedir denir verilen verilir adlandırılır göre gore şekilde sekilde',
      // Romance languages
      'nom horaire horaires horario horarios année annee sorte genre exemple raison selon appelle nombre año nombre tipo razon razón ejemplo según segun llama dure durent situe situé situee située dura duran encuentra ubicado ubicada anno nome motivo esempio secondo chiama ano exemplo segundo',
      // Dutch and Russian
      'jaar naam soort reden voorbeeld volgens год году имя тип причина пример название называется согласно',
    ].join(' '),
  ).split(' '),
);

/** Strings of Chinese and Japanese that do the same. */
const FRAME_GRAMS: ReadonlySet<string> = new Set(
  '名字 名称 名稱 叫做 称为 稱為 年份 哪一 类型 類型 种类 種類 原因 例子 根据 根據 数量 數量 时候 時候 时间 時間 地方 名前 種類 理由'.split(
    ' ',
  ),
);

/** 1 for a word of the matter, less for one that frames the question; the word is folded. */
export function frameWeight(form: string): number {
  return FRAME_WORDS.has(form) || FRAME_GRAMS.has(form) ? FRAME_WEIGHT : 1;
}
