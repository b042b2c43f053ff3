/** Everyday words of other languages in Latin letters. */
export const EASTERN_SAMPLES: Readonly<Record<string, string>> = {
  pl:
    'Dzień dobry, chciałbym się dowiedzieć, kiedy będzie można odebrać książkę zamówioną w zeszłym tygodniu. W mieście otwarto nową ' +
    'szkołę, do której będą chodzić dzieci z całej okolicy. Najważniejsze jest to, żeby wszyscy mieszkańcy mogli wziąć udział w ' +
    'głosowaniu. Późną jesienią liście spadają z drzew i leżą na ścieżkach. Źródło znajduje się tuż za kościołem. się nie na to że ' +
    'jest do za jak po co tak ale od przez czy był już tylko dla było ich być może ten są też jego oraz także które który która ' +
    'którzy bardzo więc gdy nad przed między jeszcze więcej mówi tego tym było będzie roku lat człowiek życie świat miejsce część ' +
    'państwo państwa Polska polskiej sprawę pracę drogę rękę mają mogą są były został została około żadnych można należy również ' +
    'dzięki większość wszystkich jeśli jeżeli ponieważ właśnie ciągu początku końcu później wcześniej stąd gdzieś ktoś coś ' +
    'jakiś śmierć świętą ćwiczenia źle późno źródeł łódź łatwo wziął zdjęcie pięć dziewięć pieniądze książka możliwość wartość ' +
    'działalność społeczeństwo społeczny główny który góra córka król mózg Łukasz Żaneta Świat Ówczesny',
  cs:
    'Příští týden se v našem městě otevře nová knihovna, kde si budou moci čtenáři půjčovat také elektronické knihy. Děti šly ráno ' +
    'do školy a těšily se na výlet. Nevěděl jsem, že už je tak pozdě, a proto jsem přišel až k večeru. Kůň běžel přes louku směrem ' +
    'k řece. a se v na je že to s z do o i za by si ale jako jsem ve být který pro tak po co když jeho už jen která před které ' +
    'může podle své bylo není však nebo až při ještě také než více lidí práce roku let města městě části společnosti společnost ' +
    'české České republiky Praha státní vláda soud člověk člověka dítě dětí žena ženy muž můžete přímo přes příliš přesně při tři ' +
    'čtyři pět šest třetí čtvrtý každý každou několik něco někdo něj něm něho věc věci svět světa otázka zpráva nové nový nová ' +
    'dobrý velký větší největší že žádný životní život různé různých důvod dům domů způsob způsobem důležité průběhu současné ' +
    'ředitel řekl řada řešení čas číslo článek účel účet úřad říci říká dělat vědět ještě těžké měl měla byl byla Šárka Žďár Řím ťuk ďábel',
  sk:
    'Na budúci týždeň sa v našom meste otvorí nová knižnica, kde si čitatelia budú môcť požičať aj elektronické knihy. Keď prišiel ' +
    'domov, všetci už spali. Môžete mi povedať, koľko stojí lístok do Košíc? Slovenská republika, ktorý, ktorá, ktoré, že, sa, je, ' +
    'na, nie, ako, aj, ale, už, len, pre, pri, podľa, môže, však, ľudia, ľudí, roku, rokov, ešte, viac, veľmi, veľa, tiež, kým, ' +
    'potom, ktorých, keďže, medzi, pred, bol, bola, boli, bude, byť, mať, môj, svoje, svojej, súd, štát, štátu, krajiny, mesta, ' +
    'spoločnosť, spoločnosti, vôbec, kôň, stôl, dôležité, dôvod, spôsob, päť, mäso, svätý, hľadať, chvíľa, priateľ, učiteľ, vŕba, ' +
    'stĺp, dĺžka, tŕň, týždňa, dňa, ťažko, ďalej, ďakujem, loď, čas, číslo, žena, deti, dieťa, práca, otázka, odpoveď, škola, mäkčeň, áno, úloha',
  hu:
    'A következő héten új könyvtár nyílik a városban, ahol a látogatók számítógépet is használhatnak. Mindenkinek joga van ahhoz, ' +
    'hogy saját véleményét szabadon kifejezze. Az idő gyönyörű volt, ezért úgy döntöttünk, hogy gyalog megyünk a folyóhoz. Később ' +
    'azonban esős, hűvös idő következett. a az és hogy nem is egy ez meg de csak már még ha volt mint azt én ki el van kell mert ' +
    'lehet aki amely után ezt így úgy között több majd vagy minden nagy első két őt ő ők nő férfi gyermek ember emberek élet ' +
    'életben világ ország országban magyar Magyarország budapesti kormány törvény törvények szerint közül során előtt mögött ' +
    'fölött időben idején jövő jövőben múlt évi év éves évben szükség szükséges lehetőség lehetőséget különböző különösen jelentős ' +
    'erős bővül hősies tőle belőle ebből abból felől felé elő elől győr gyűlés gyűjtemény tűz fű mű műszaki szűk könnyű egyszerű ' +
    'gyönyörű népszerű település működik következő követő közös közölt több többször kérdés kérem később hét nélkül ' +
    'Őszi Űr Örök Ügy Úr Óra Író Élő Állam',
  ro:
    'Săptămâna viitoare se va deschide în oraşul nostru o nouă bibliotecă, unde cititorii vor putea împrumuta şi cărţi electronice. ' +
    'Copiii au plecat dimineaţa la şcoală şi s-au întors după-amiaza. Nu ştiam că este aşa de târziu. Orice persoană are dreptul ' +
    'la libertate, la viaţă şi la siguranţă. şi în a de la nu cu pe să că este se din mai o ce un care pentru au fost sau al ale ' +
    'prin după fi ca dar lui între până fără când numai acest această toate foarte aceşti astfel România române ţară ţării ' +
    'naţional naţională situaţia informaţii condiţii funcţie preşedinte şedinţă întâlnire întrebare înainte împreună încă însă ' +
    'împotriva mână pâine câine român sfârşit câţiva mâine vânt gând când cât atât decât apă casă masă fată viaţă faţă piaţă ' +
    'puţin soţ moşie oraş paşi aşa aceeaşi şapte şase ştiinţă învăţământ sănătate lângă către făcut văzut ţine ţi-am',
  hr:
    'Sljedeći tjedan u našem će se gradu otvoriti nova knjižnica u kojoj će čitatelji moći posuđivati knjige. Djeca su ujutro ' +
    'krenula u školu i veselila se izletu. Nisam znao da je već tako kasno. Svatko ima pravo na život, slobodu i osobnu sigurnost. ' +
    'i u je se na da za su od s što će bi ne koji koja koje kao ali iz to još više već samo može ili do o prema nakon između jer ' +
    'ako kada bio bila bilo nije nisam ćemo ću češće također hrvatski Hrvatska države država čovjek čovjeka riječ vrijeme mjesto ' +
    'ministar županija općina zajednica društvo društva žena muž dječak kuća kuće noć pomoć moć mogućnost sljedeći uključuje ' +
    'učiniti način značajan različit početak kraj rođen među također riješiti širok škola šest četiri že če še tudi lahko vse ' +
    'Slovenija ljudje več manj proti zaradi človek življenje pravica država vprašanje odgovor Đorđe Čakovec Žumberak Šibenik Ćiro',
  tr:
    'Gelecek hafta şehrimizde yeni bir kütüphane açılacak; okurlar orada bilgisayar da kullanabilecek. Çocuklar sabah erkenden ' +
    'okula gitti ve öğleden sonra döndü. Vaktin bu kadar geç olduğunu bilmiyordum. Herkesin yaşama, özgürlük ve kişi güvenliği ' +
    'hakkı vardır. ve bir bu da de için ile çok daha olarak gibi olan kadar sonra ama ne var o en her değil şey ben sen biz siz ' +
    'onlar türk Türkiye Türkçe İstanbul Ankara İzmir İş ülke ülkenin dünya yıl yılında gün günü insan insanların çalışma çalışan ' +
    'için içinde üzerinde önce önemli özel gösteren büyük küçük güzel doğru doğal olduğu olduğunu edildiği aldığı sağlık sağlamak ' +
    'değişik değil eğitim öğrenci öğretmen başka başkan başladı şöyle şimdi şekilde düşük düşünce görüş görev köy göz söz süre ' +
    'sürekli ışık sıcak kırmızı altı yıldız kapı çıktı açık ağaç dağ bağlı çağ ıslak Iğdır Şirket Çağrı Özel Ürün Ğ kâğıt hâlâ',
  et:
    'Järgmisel nädalal avatakse meie linnas uus raamatukogu, kus lugejad saavad kasutada ka arvuteid. Lapsed läksid hommikul kooli ' +
    'ja õhtul tulid tagasi. Ma ei teadnud, et kell on juba nii palju. Igal inimesel on õigus elule, vabadusele ja turvalisusele. ja ' +
    'on ei et see ta oli mis ka kui oma aga nii või seda välja üle pärast sest kes siis nagu veel juba üks väga mitte saab olla ' +
    'tema neid siin kõik kõige kõigi küll pole minu Eesti Tallinn Tartu riigi õigus õpetaja õppima võib võimalik võtta põhjus ' +
    'töö töötaja öö öelda lõpp sõna mõte mõned rõõm kõrge põld päev päeva pärit käib näha nädal ära järgi jääb jälle mägi ' +
    'vähe täna häda hääl süda küsimus ühe ühtne üks püha müük füüsika müüa žanr šokolaad Õhtu Üks Ära Öine',
  lv:
    'Nākamajā nedēļā mūsu pilsētā atvērs jaunu bibliotēku, kurā lasītāji varēs izmantot arī datorus. Bērni no rīta aizgāja uz skolu ' +
    'un vakarā atgriezās mājās. Es nezināju, ka ir jau tik vēls. Katram cilvēkam ir tiesības uz dzīvību, brīvību un drošību. un ir ' +
    'par no ar kas bija uz lai arī ka tas pēc kā bet jau vai ne tiek viņš viņa kad tikai vēl kurā kuru gan līdz šo šis šī savu ' +
    'tā tās tām tiem visu ļoti gadu gada gadā cilvēki cilvēku Latvijas Latvija Rīga Rīgas valsts pašvaldība saeima likums ' +
    'mēs jūs viņi būt būs bijis varētu iespēja iespējams jautājums atbilde darbība attīstība izglītība sabiedrība uzņēmums ' +
    'uzņēmumu pieņemt ņemt kļūt kļuva ļauj ceļš ceļā šodien šeit kāds kāpēc tādēļ tāpēc mājas māte tēvs dēls meita ģimene ģimenes ' +
    'reģions ķīmija ķermenis kuģis ķēde mežs žurnāls čaklis četri šķiet bērns vēstis vārds dārgs lūdzu jūra Ēka Āda Īpašs Ūdens Šī Žans',
  lt:
    'Kitą savaitę mūsų mieste bus atidaryta nauja biblioteka, kurioje skaitytojai galės naudotis ir kompiuteriais. Vaikai ryte ' +
    'išėjo į mokyklą ir vakare grįžo namo. Nežinojau, kad jau taip vėlu. Kiekvienas žmogus turi teisę į gyvybę, laisvę ir saugumą. ' +
    'ir yra kad į iš su buvo tai bet kaip ne jau apie tik savo per dar už po jo jų ar nuo čia prie būti bus būtų jis ji mes jūs ' +
    'labai daug kai kuris kurie kurių šis ši šios šių tačiau todėl taip pat metų metais žmonės žmonių Lietuva Lietuvos lietuvių ' +
    'Vilnius Vilniaus šalis šalies valstybė valstybės įstatymas įmonė įvairių įgyvendinti gali galima reikia klausimas atsakymas ' +
    'vaikų tėvų mokyklų darbų dienų naktį rytą kartą vietą pradžią pabaigą knygą ranką širdį ąžuolas žąsis drąsus sąjunga sąrašas ' +
    'dėl dėti didelė gėlė mėnuo švėsti tęsti kęsti vertė žiūrėti gerą gražų žodžių puikų bėgti išmokęs jūra sūnus grūdai Šiaulių Žemė Čia Įdomu Ūkis Ėjo',
  vi:
    'Tuần tới thành phố chúng tôi sẽ mở một thư viện mới, nơi mọi người có thể mượn sách điện tử. Buổi sáng các em đi học và buổi ' +
    'chiều trở về nhà. Tôi không biết rằng đã muộn như vậy. Mọi người đều có quyền sống, quyền tự do và an toàn cá nhân. và của là ' +
    'có không được trong cho các một với những người đã này khi từ đến cũng về như để ra lại nhiều vào làm phải sẽ nước năm trên ' +
    'hơn nhưng rất việc đó ông bà anh chị em con nhà công việc đường thời gian Việt Nam Hà Nội quốc gia chính phủ kinh tế xã hội ' +
    'phát triển điều kiện pháp luật bảo vệ giáo dục văn hóa lịch sử tiếng nói học sinh giờ ngày tháng lớn nhỏ đẹp mới cũ trước sau',
  eo:
    'La venontan semajnon en nia urbo oni malfermos novan bibliotekon, kie ĉiuj legantoj povos ankaŭ uzi komputilojn. La infanoj ' +
    'matene iris al la lernejo kaj vespere revenis hejmen. Mi ne sciis, ke jam estas tiel malfrue. Ĉiu havas la rajton je vivo, ' +
    'libereco kaj persona sekureco. kaj de en ne al estas por ĉi tiu ĝi ĝis ŝi ili kiu kio ankaŭ antaŭ aŭ baldaŭ hieraŭ morgaŭ ' +
    'preskaŭ ĉar ĉe ĉiuj ĉio ĉiam ĝusta ĝenerala loĝi paĝo seĝo ŝanĝi ŝajnas ŝtato poŝto maŝino ĵus ĵurnalo teatraĵo manĝaĵo ' +
    'eĥoŝanĝo Eŭropo aŭto laŭ naŭ',
};
