/** Sentences written for these tests; `#` is where a value is. Two in each language, one of them with the value at the end. */
export const SENTENCES: Readonly<Record<string, readonly string[]>> = {
  en: [
    'The old ferry left the harbour with # on board while the gulls slept.',
    'In the margin of the third page somebody had written #.',
  ],
  de: [
    'Der Gärtner fand unter dem Apfelbaum einen Zettel mit # darauf und legte ihn zurück.',
    'Am Ende des Briefes stand in blauer Tinte nur noch #.',
  ],
  es: [
    'El viejo molino guardaba en su puerta una placa con # desde hacía años.',
    'En la última línea del cuaderno alguien había escrito #.',
  ],
  fr: [
    'Le facteur a trouvé sous la porte une carte avec # et il est reparti.',
    'Sur la dernière page du carnet, on lisait seulement #.',
  ],
  ru: [
    'Старый мельник хранил в ящике записку, где было # и больше ничего.',
    'На последней странице тетради кто-то написал #.',
  ],
  tr: [
    'Eski değirmenin kapısında yıllardır # yazılı bir levha asılı duruyordu.',
    'Defterin son sayfasına birisi mavi kalemle şunu yazmıştı: #.',
  ],
  ar: ['وجد الحارس القديم ورقة كتب عليها # ثم أعادها إلى مكانها.', 'في آخر سطر من الدفتر كتب أحدهم #.'],
  th: ['คนสวนพบกระดาษใต้ต้นไม้ที่มี # เขียนอยู่และวางกลับคืน', 'หน้าสุดท้ายของสมุดมีคนเขียนไว้ว่า #'],
  zh: ['老园丁在苹果树下发现一张纸条，上面写着 # ，然后又放了回去。', '笔记本的最后一页只写着 #。'],
};

/** The language of the sentences for values of a place; English where there are none. */
export function languageOf(locale: string): string {
  const language = locale.slice(0, 2);
  return language in SENTENCES ? language : 'en';
}
