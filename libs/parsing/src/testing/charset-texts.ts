/** Original prose in many languages, for tests that encode it. None of it is what the language models were made of. */
export const CHARSET_TEXTS: Readonly<Record<string, string>> = {
  de:
    'Der Leuchtturmwärter zählte die Schiffe, die bei Sonnenaufgang am Riff vorüberzogen. Früher hätte er für jedes eine Flagge ' +
    'gehisst, doch seit die Küstenwache alles elektronisch überwacht, genügt ein kurzer Blick. „Möwen sind pünktlicher als ' +
    'Behörden“, murmelte er und goss sich Kräutertee ein. Auf dem Küchentisch lag ein Stapel ungeöffneter Briefe; die Gemeinde ' +
    'verlangte Gebühren für die Müllabfuhr, obwohl sein Müll mit dem Boot abgeholt wird. Gegen Mittag löste sich der Nebel auf, ' +
    'und am Fuß der Klippe glänzten die Fässer, die der Sturm hergespült hatte. ',
  fr:
    'La gardienne du phare comptait les bateaux qui longeaient le récif au lever du soleil. Autrefois, elle aurait hissé un pavillon ' +
    'pour chacun d’eux, mais depuis que la côte est surveillée à distance, un bref coup d’œil suffit. « Les mouettes sont plus ' +
    'ponctuelles que la préfecture », répétait-elle en préparant une tisane très sucrée. Sur la table traînaient des lettres ' +
    'jamais ouvertes : la mairie réclamait une taxe d’enlèvement des ordures, bien que les siennes fussent emportées par la ' +
    'vedette. Vers midi la brume s’évanouit, et l’on aperçut, échoués là-bas, des tonneaux cerclés de fer. ',
  es:
    'El farero contaba los barcos que pasaban junto al arrecife al amanecer. En otra época habría izado una señal para cada uno, pero ' +
    'desde que la costa se vigila por satélite basta con echar un vistazo. «¿Quién llegará hoy?», se preguntaba mientras calentaba ' +
    'la leche. En la mesa había un montón de cartas sin abrir: el ayuntamiento exigía una tasa de recolección de basura, aunque la ' +
    'suya se la llevaba una lancha cada semana. Al mediodía se disipó la niebla y aparecieron, al pie del acantilado, unos toneles ' +
    'que la tormenta había arrastrado durante la madrugada. ¡Qué desorden! El viejo suspiró y bajó despacio los ciento ocho peldaños. ',
  sv:
    'Fyrvaktaren räknade båtarna som gled förbi revet i gryningen. Förr hade han hissat en flagga för var och en av dem, men sedan ' +
    'kusten började övervakas elektroniskt räcker det med en snabb blick. ”Måsarna är punktligare än myndigheterna”, muttrade han ' +
    'och hällde upp nyponte. På köksbordet låg en hög oöppnade brev; kommunen krävde avgift för sophämtningen, fastän hans sopor ' +
    'hämtas med båt. Framåt middagen lättade dimman, och nedanför klippan glänste tunnorna som stormen hade fört med sig. ',
  pl:
    'Latarnik liczył statki, które o świcie mijały rafę. Dawniej wciągnąłby dla każdego z nich flagę, lecz odkąd wybrzeże śledzą ' +
    'urządzenia, wystarczy rzut oka. „Mewy są punktualniejsze niż urzędnicy”, mruczał, nalewając sobie gorącej herbaty z miętą. Na ' +
    'kuchennym stole leżał stos nieotwartych listów; gmina żądała opłaty za wywóz śmieci, choć jego śmieci zabiera łódź. Około ' +
    'południa mgła się rozwiała, a u stóp klifu zalśniły beczki, które przyniósł sztorm. Ich obręcze zardzewiały, ale wieka trzymały ' +
    'mocno. Ktoś zdążył już namalować na jednej z nich białą strzałkę. ',
  cs:
    'Strážce majáku počítal lodě, které za úsvitu míjely útes. Dříve by pro každou z nich vztyčil vlajku, ale od té doby, co pobřeží ' +
    'hlídají přístroje, stačí letmý pohled. „Racci jsou přesnější než úřady,“ bručel a naléval si šípkový čaj. Na kuchyňském stole ' +
    'ležela hromádka neotevřených dopisů; obec požadovala poplatek za odvoz odpadků, ačkoli ty jeho odváží člun. K poledni se mlha ' +
    'rozplynula a pod skálou se zaleskly sudy, jež sem připlavila bouře. Obruče měly zrezivělé, víka však držela pevně. ',
  hu:
    'A világítótorony őre a hajnalban elhaladó hajókat számlálta. Régebben mindegyiknek felvont volna egy zászlót, de mióta a partot ' +
    'műszerek figyelik, elég egyetlen pillantás. „A sirályok pontosabbak a hivatalnál” – dünnyögte, és csipkebogyóteát töltött ' +
    'magának. A konyhaasztalon bontatlan levelek hevertek; az önkormányzat szemétszállítási díjat követelt, noha az ő szemetét ' +
    'csónakkal viszik el. Dél körül fölszállt a köd, és a szikla tövében megcsillantak a hordók, amelyeket a vihar sodort ide. ',
  ru:
    'Смотритель маяка пересчитывал корабли, проходившие на рассвете мимо рифа. Прежде он поднял бы для каждого из них флаг, однако с ' +
    'тех пор, как побережьем занялись приборы, хватает беглого взгляда. «Чайки точнее чиновников», — бормотал он, наливая себе ' +
    'шиповниковый чай. На кухонном столе лежала пачка нераспечатанных писем: посёлок требовал плату за вывоз мусора, хотя его мусор ' +
    'забирает катер. К полудню туман рассеялся, и у подножия скалы заблестели бочки, которые принёс шторм. Обручи заржавели, но ' +
    'крышки держались крепко; на одной кто-то нарисовал белую стрелку. ',
  uk:
    'Доглядач маяка лічив кораблі, що на світанку проминали риф. Раніше він підняв би для кожного з них прапор, але відколи узбережжям ' +
    'опікуються прилади, вистачає побіжного погляду. «Чайки точніші за урядовців», — бурмотів він, наливаючи собі чаю з шипшини. На ' +
    'кухонному столі лежав стос нерозкритих листів: громада вимагала плати за вивезення сміття, хоча його сміття забирає катер. ' +
    'Опівдні туман розвіявся, і біля підніжжя скелі заблищали діжки, які приніс шторм. Їхні обручі поіржавіли, проте віка трималися. ',
  bg:
    'Пазачът на фара броеше корабите, които на разсъмване минаваха край рифа. Някога би вдигнал флаг за всеки от тях, но откакто ' +
    'крайбрежието се наблюдава с прибори, стига един бегъл поглед. „Чайките са по-точни от чиновниците“, мърмореше той и си наливаше ' +
    'шипков чай. На кухненската маса лежеше купчина неразпечатани писма: кметството искаше такса за извозване на боклука, макар че ' +
    'неговият се отнася с лодка. Към обяд мъглата се вдигна и под скалата заблестяха бъчвите, донесени от бурята. ',
  el:
    'Ο φαροφύλακας μετρούσε τα καράβια που περνούσαν το χάραμα δίπλα από τον ύφαλο. Παλιότερα θα σήκωνε σημαία για το καθένα, όμως από ' +
    'τότε που την ακτή την επιτηρούν όργανα, αρκεί μια γρήγορη ματιά. «Οι γλάροι είναι πιο ακριβείς από τις υπηρεσίες», μουρμούριζε ' +
    'και έβαζε τσάι του βουνού. Στο τραπέζι της κουζίνας έμενε μια στοίβα κλειστά γράμματα· ο δήμος ζητούσε τέλη για τα σκουπίδια, αν ' +
    'και τα δικά του τα παίρνει η βάρκα. Κατά το μεσημέρι διαλύθηκε η ομίχλη και φάνηκαν τα βαρέλια που είχε φέρει η φουρτούνα. ',
  tr:
    'Deniz fenerinin bekçisi, şafakta kayalığın önünden geçen gemileri sayıyordu. Eskiden her biri için bir bayrak çekerdi; ama kıyıyı ' +
    'aygıtlar gözetlediğinden beri çabucak bir bakış yetiyor. “Martılar memurlardan daha dakik,” diye mırıldandı ve kendine kuşburnu ' +
    'çayı doldurdu. Mutfak masasında açılmamış bir yığın mektup duruyordu; belediye çöp vergisi istiyordu, oysa onun çöpünü sandal ' +
    'alıp götürür. Öğleye doğru sis dağıldı, uçurumun dibinde fırtınanın getirdiği fıçılar parladı. Çemberleri paslanmıştı. ',
  he:
    'שומר המגדלור ספר את הספינות שחלפו עם שחר על פני השונית. פעם היה מניף דגל לכבוד כל אחת מהן, אבל מאז שהחוף מפוקח בידי מכשירים די ' +
    'במבט חטוף. "השחפים מדייקים יותר מהפקידים", מלמל ומזג לעצמו תה צמחים. על שולחן המטבח נחה ערימה של מכתבים סגורים; המועצה דרשה אגרת ' +
    'פינוי אשפה, אף על פי שאת האשפה שלו אוספת סירה. לקראת הצהריים התפזר הערפל, ולמרגלות הצוק נצצו החביות שהסערה סחפה. החישוקים החלידו, ' +
    'אך המכסים נשארו הדוקים, ועל אחת מהן כבר הספיק מישהו לצייר חץ לבן. ',
  ar:
    'كان حارس المنارة يعد السفن التي تمر عند الفجر قرب الشعاب. في الماضي كان يرفع علما لكل واحدة منها، أما وقد صارت الأجهزة تراقب الساحل ' +
    'فتكفي نظرة خاطفة. "النوارس أدق من الموظفين"، تمتم وهو يصب لنفسه شاي الأعشاب. على طاولة المطبخ كومة من الرسائل المغلقة؛ البلدية تطالب ' +
    'برسوم جمع القمامة مع أن قاربا يحمل قمامته. قبيل الظهر انقشع الضباب ولمعت تحت الجرف براميل جرفتها العاصفة. أطواقها صدئة لكن أغطيتها ' +
    'محكمة، وقد رسم أحدهم على إحداها سهما أبيض. ',
  lt:
    'Švyturio prižiūrėtojas skaičiavo laivus, auštant plaukiančius pro rifą. Anksčiau kiekvienam iš jų būtų iškėlęs vėliavą, bet nuo ' +
    'tada, kai pakrantę stebi prietaisai, pakanka žvilgtelėti. „Žuvėdros tikslesnės už valdininkus“, – niurnėjo jis, pildamasis ' +
    'erškėtuogių arbatos. Ant virtuvinio stalo gulėjo šūsnis neatplėštų laiškų; seniūnija reikalavo mokesčio už šiukšlių išvežimą, ' +
    'nors jo šiukšles pasiima valtis. Apie pietus rūkas išsisklaidė, ir uolos papėdėje sužibo statinės, kurias atnešė audra. ',
  lv:
    'Bākas uzraugs skaitīja kuģus, kas rītausmā slīdēja garām rifam. Agrāk viņš katram būtu uzvilcis karogu, bet, kopš piekrasti uzmana ' +
    'ierīces, pietiek ar īsu skatienu. "Kaijas ir precīzākas par ierēdņiem," viņš ņurdēja, liedams sev mežrozīšu tēju. Uz virtuves ' +
    'galda gulēja kaudze neatvērtu vēstuļu; pagasts pieprasīja maksu par atkritumu izvešanu, lai gan viņa atkritumus savāc laiva. Ap ' +
    'pusdienlaiku migla izklīda, un klints pakājē iemirdzējās mucas, ko bija atnesusi vētra. ',
  vi:
    'Ngươ\u0300i gác ha\u0309i đăng đê\u0301m như\u0303ng con ta\u0300u lươ\u0301t qua ră\u0323ng đá ngâ\u0300m lúc bi\u0300nh minh. Xưa kia ông thươ\u0300ng kéo cơ\u0300 chào tư\u0300ng chiê\u0301c, ' +
    'nhưng tư\u0300 khi máy móc canh giư\u0303 bơ\u0300 biê\u0309n thi\u0300 chi\u0309 câ\u0300n liê\u0301c mă\u0301t. Ông ro\u0301t tra\u0300 gư\u0300ng và lâ\u0309m bâ\u0309m mô\u0323t mi\u0300nh. ' +
    'Trên ba\u0300n bê\u0301p có mô\u0323t chô\u0300ng thư chưa mơ\u0309; xa\u0303 đo\u0300i tiê\u0300n rác dù rác cu\u0309a ông do thuyê\u0300n chơ\u0309 đi. Gâ\u0300n trưa sương tan. ',
  th:
    'คนเฝ้าประภาคารนับเรือที่แล่นผ่านแนวปะการังยามรุ่งสาง แต่ก่อนเขาจะชักธงต้อนรับทุกลำ แต่ตั้งแต่มีเครื่องมือคอยเฝ้าชายฝั่ง แค่เหลือบมองก็พอ ' +
    'นกนางนวลตรงเวลากว่าข้าราชการเสียอีก เขาบ่นพลางรินชาสมุนไพร บนโต๊ะในครัวมีจดหมายกองหนึ่งที่ยังไม่ได้เปิด เทศบาลทวงค่าเก็บขยะทั้งที่เรือมารับขยะของเขาไป ' +
    'พอใกล้เที่ยงหมอกก็จางลง ใต้หน้าผามีถังไม้ซึ่งพายุพัดพามาส่องประกาย ห่วงเหล็กขึ้นสนิมแต่ฝาปิดแน่น ',
  ja:
    '灯台守は夜明けに暗礁のそばを通る船を数えていた。昔なら一隻ごとに旗を揚げたものだが、機械が海岸を見張るようになってからは、ちらりと見るだけで足りる。「カモメのほうが' +
    '役人より正確だ」とつぶやきながら、薬草茶を注いだ。台所の机には開けていない手紙が積まれている。村はごみ収集の料金を求めてきたが、彼のごみは小舟が運んでいくのだ。' +
    '昼近くに霧が晴れ、崖の下で嵐が運んできた樽が光った。たがは錆びていたが、ふたはしっかり閉まっていた。',
  ko:
    '등대지기는 새벽에 암초 곁을 지나가는 배들을 세고 있었다. 예전 같으면 한 척마다 깃발을 올렸겠지만, 기계가 해안을 감시하게 된 뒤로는 슬쩍 보기만 해도 충분하다. ' +
    '“갈매기가 관리들보다 정확하군.” 그는 중얼거리며 약초차를 따랐다. 부엌 식탁에는 뜯지 않은 편지가 쌓여 있었다. 마을에서는 쓰레기 수거료를 요구했으나 그의 쓰레기는 ' +
    '작은 배가 실어 간다. 정오 무렵 안개가 걷히자 벼랑 아래에서 폭풍이 몰고 온 나무통들이 반짝였다. ',
  'zh-Hans':
    '灯塔的看守人数着黎明时驶过暗礁的船只。从前他会为每一艘升起旗子，可是自从仪器开始监视海岸，瞥一眼就够了。“海鸥比官员准时得多。”他一边嘟囔，一边给自己倒上一杯花草茶。' +
    '厨房的桌子上堆着没有拆开的信，镇上催他交垃圾清运费，尽管他的垃圾一向由小船运走。将近中午，雾散了，悬崖脚下露出几只被风暴冲来的木桶，铁箍已经生锈，盖子却依旧牢固。',
  'zh-Hant':
    '燈塔的看守人數著黎明時駛過暗礁的船隻。從前他會為每一艘升起旗子，可是自從儀器開始監視海岸，瞥一眼就夠了。「海鷗比官員準時得多。」他一邊嘟囔，一邊給自己倒上一杯花草茶。' +
    '廚房的桌子上堆著沒有拆開的信，鎮上催他交垃圾清運費，儘管他的垃圾一向由小船運走。將近中午，霧散了，懸崖腳下露出幾隻被風暴沖來的木桶，鐵箍已經生鏽，蓋子卻依舊牢固。',
};
