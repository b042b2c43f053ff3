/** Everyday words of Western European languages: what their bigrams are counted from. */
export const WESTERN_SAMPLES: Readonly<Record<string, string>> = {
  en:
    'The quick answer is that they would have been there before us, but nobody knew when the train from the north would come. ' +
    'There were about forty people in the room and most of them had never seen such a thing. She said that it could not be done ' +
    'without the right tools, which were kept in another building. If you want to change your address, please write to the office ' +
    'and give your full name, number and date of birth. This report describes how the system works, what it should do and which ' +
    'problems remain. Every question was answered by at least three members of the group. We think the results are good enough for ' +
    'a first version. Don’t forget to check the list; it’s on page 12. In addition, the company has made great progress during the ' +
    'last two years. He took his coat and went out into the street, where the wind blew and the lights shone over the water. ' +
    'and of to in is you that it he was for on are as with his they I at be this have from or one had by word but not what all ' +
    'were we when your can said there use an each which she do how their if will up other about out many then them these so some ' +
    'her would make like him into time has look two more write go see number no way could people my than first water been call ' +
    'who oil its now find long down day did get come made may part café naïve résumé',
  de:
    'Die Gemeinde öffnet das Bürgerbüro künftig auch am späten Nachmittag. Für die Änderung der Anschrift genügt ein formloses ' +
    'Schreiben; Gebühren fallen dafür nicht an. Während der Führung dürfen die Gäste überall fotografieren, außer im großen Saal. ' +
    'Wir möchten, dass sich alle Schüler wohlfühlen und früh lernen, selbständig zu arbeiten. Der Zug fährt über Köln und München ' +
    'nach Österreich. Natürlich könnte man das Gerät auch günstiger kaufen, aber die Qualität wäre schlechter. Zusätzlich müssen ' +
    'die Unterlagen vollständig ausgefüllt und persönlich übergeben werden. Straße, Größe, Maß, Fuß, heiß, weiß, groß, Grüße, ' +
    'schließlich, gemäß, regelmäßig, außerdem, dreißig. und der die das nicht ist ein eine zu den mit von sich auf für im dem des ' +
    'wie auch als er sie wir ihr es an werden aus hat dass nach bei um am sind noch war einen nur oder aber vor zur bis mehr durch ' +
    'man sein wurde können haben über schon wenn doch immer sehr hatte kann gegen vom soll unter wieder Zeit Jahr ohne zwischen ' +
    'weil jetzt diese seine zwei Menschen Frau Mann müssen viel kein höher Länder Häuser Bücher Töchter Brüder schön jährlich ' +
    'möglich für überhaupt nächste Fähigkeit Übung Ärger Öl gehört hören führen prüfen Prüfung Geschäft Verkäufer ändern zurück ' +
    'Stück glücklich Tür grün fünf zwölf März Verfügung Erklärung Lösung Behörde natürlich „Zitat“ – später',
  fr:
    'Les élèves de la première année ont visité le musée où sont exposées des œuvres du siècle dernier. Après le déjeuner, nous ' +
    'avons été reçus à l’hôtel de ville par le maire et ses collègues. Il faut que la société règle ses problèmes avant la fin de ' +
    'l’été. La fenêtre était déjà fermée, mais la lumière du phare éclairait encore la forêt. Où êtes-vous né ? Quel âge avez-vous ? ' +
    'Voilà une idée intéressante : créer un marché près de la gare, même s’il y a peu de place. Ça ne m’étonne guère qu’elle ait ' +
    'refusé. Français, leçon, garçon, reçu, façade, français, déçu, aperçu. de la le et les des en un du une que est pour qui dans ' +
    'a par plus pas au sur ne se ce il sont avec son être fait été mais comme ou tout elle leur bien où même ces aussi peut entre ' +
    'deux année après très sans était avait autre temps premier première contre état depuis État développement système général ' +
    'générale problème économique politique près déjà là voilà à côté tête intérêt bientôt peut-être dès grâce âge île maître ' +
    'connaître naître hôpital août goûter sûr mûr noël naïf haïr aiguë cœur sœur bœuf nœud qualité réalité société université ' +
    'liberté santé créer café thé né élève mère père frère pièce lumière manière dernière arrière mètre règle siècle fidèle modèle ' +
    'époque équipe étude étude étranger écrire école église énergie évidemment également différent nécessaire président réponse ' +
    'révolution présenter préparer « bonjour » c’est d’abord l’on qu’il n’est s’était aujourd’hui',
  es:
    'El próximo año la compañía abrirá una oficina más pequeña en el corazón de la ciudad. Según el periódico, también habrá un ' +
    'jardín público con árboles y un café. ¿Qué opináis vosotros? ¡Qué alegría volver a verte! Mañana por la mañana el niño irá al ' +
    'médico con su mamá. La situación económica cambió después de la votación; todavía no está claro quién ganará. Aquí está la ' +
    'información que usted pidió. España, señor, señora, años, pequeño, mañana, otoño, daño, enseñar, niño, sueño. de la que el en ' +
    'y a los se del las un por con no una su para es al lo como más o pero sus le ha me si sin sobre este ya entre cuando todo esta ' +
    'ser son dos también fue había era muy años hasta desde está mi porque qué sólo han yo hay vez puede todos así nos ni parte ' +
    'tiene él uno donde bien tiempo mismo ese ahora cada vida otro después te otros aunque esa hacer día gobierno siempre país ' +
    'tanto días tres allí político política millón millones región nación educación población administración dirección cuestión ' +
    'razón relación acción función canción corazón avión jamás además quizás atrás inglés francés interés través mujer según común ' +
    'ningún algún jóvenes número teléfono público música página último próximo rápido fácil difícil útil árbol lápiz débil césped ' +
    'María José Martín Pérez González García Rodríguez López energía policía tecnología había podría tendría sería pingüino ' +
    'vergüenza ¿cómo? ¿cuándo? ¿dónde? ¡sí! él tú sé dé más té ía éste ésta «cita» – º ª',
  it:
    'La città è stata costruita su una collina perché così era più facile difenderla. Non c’è più tempo: domani partirò per la ' +
    'università. Però la verità è che nessuno sapeva già tutto. Il caffè del martedì costa di più, ma la qualità è migliore. ' +
    'Lunedì, martedì, mercoledì, giovedì, venerdì. di e il la che in un per a è una sono del non si da con i come le dei al lo più ' +
    'ma della anche alla se nel o ha gli ed era su questo suo dal tutti delle essere stato due molto quando fatto dove prima dopo ' +
    'anni così ancora perché già può cioè sarà farà andrà potrà dovrà avrà però né sé là lì sì giù società attività possibilità ' +
    'realtà libertà novità metà età università comunità necessità difficoltà città virtù gioventù caffè tè papà poiché finché ' +
    'benché affinché trentatré l’acqua dell’anno nell’ambito un’altra c’era d’accordo quest’ultimo all’inizio È «detto» “bello”',
  pt:
    'A organização não conseguiu alcançar os objetivos que tinha definido no início do ano. As crianças da região vão à escola de ' +
    'manhã e à tarde ajudam os avós. É possível que amanhã já haja uma solução para a questão da água. Você também está atrás de ' +
    'informações? Então fale com a senhora do balcão. O coração, a mão, o pão, os irmãos, as mães, os leões, os limões, ações, ' +
    'eleições, relações, condições. de a o que e do da em um para com não uma os no se na por mais as dos como mas ao ele das à seu ' +
    'sua ou quando muito nos já eu também só pelo pela até isso ela entre depois sem mesmo aos seus quem nas me esse eles você essa ' +
    'num nem suas meu às minha têm numa pelos havia seja qual será nós tenho lhe deles essas esses pelas este dele tu te são está ' +
    'estão foi ser é há português inglês três mês através país países política econômico económico público número última próximo ' +
    'período histórico município área memória história notícia família ciência experiência presidência diferença força cabeça ' +
    'começar começo serviço preço espaço avião televisão decisão opinião então não irmã manhã maçã lã avó avô você bebê café até ' +
    'português português saúde conteúdo juízo raiz contribuição constituição administração informação comunicação educação situação ' +
    'órgão ótimo único útil difícil fácil possível nível móvel açúcar câmara âmbito câncer ânimo importância distância êxito “dito”',
  nl:
    'Het gebouw is geopend van maandag tot en met vrijdag. De deelnemers kunnen zich tot één week voor het begin aanmelden; de ' +
    'coördinator stuurt daarna een brief met alle gegevens. België, financiële, officiële, geïnteresseerd, beïnvloeden, reünie, ' +
    'coöperatie, ideeën, zeeën, industriële, drieëntwintig, tweeëntwintig, Israël, hè, één, vóór, carrière, scène, enquête, café, ' +
    'privé. de van het een en in is dat op te zijn met voor niet aan er om ook als dan maar bij nog uit door over naar heeft hebben ' +
    'ze zich hij wordt worden deze was geen kan meer veel of al werd wij je zo hun moet tot onder jaar tegen twee mensen waar wel ' +
    'andere goed omdat hoe alleen zou nieuwe onze haar nu eerste tijd zeer tussen zonder ’s morgens ’t is foto’s',
  sv:
    'När våren kommer åker många människor ut till öarna för att njuta av sjön och skärgården. Det är svårt att säga hur länge ' +
    'regeringen får vänta på svar från de övriga länderna. Böckerna står på hyllan över dörren. Både män och kvinnor får söka ' +
    'tjänsten före den första måndagen i månaden. och i att det som en på är av för med till den har de inte om ett han men var ' +
    'jag sig från vi så kan när år under också efter eller nu sin där vid mot ska skulle kommer ut får finns vara hade alla andra ' +
    'mycket än här då sedan över bara in blir upp även vad få två vill ha många hur mer går Sverige svenska kronor detta nya ' +
    'procent skall hon utan sina något allt första fick må ingen någon år åt gå då så två både hålla ställa människor världen ' +
    'själv länge större högre östra västra närmare möjligt hörde åtgärder frågan språk mål råd måste måste lägga ändå gör göra ' +
    'före måndag lördag söndag idé kafé Åsa Örebro Älvsbyn öppet återigen Ärende',
  da:
    'På øen ligger der små huse med røde tage, og om sommeren kommer mange gæster over broen. Børnene får frokost i køkkenet, før ' +
    'de går i skole. Det er nødvendigt at spørge, når man ikke forstår spørgsmålet. Næste år bliver vejen gjort større, så også ' +
    'tunge køretøjer kan køre der. Hun så på ham og sagde, at hun først måtte læse avisen færdig. og i at det er en til af på for ' +
    'de med han den har som ikke der var et om men fra sig jeg vi så kan efter ved når også år blev havde under eller nu mod skal ' +
    'ville være hvor mange over meget noget før må få gå stå slå både således København århundrede række mål råd åbne åbent ønske ' +
    'øvrigt højre største nærmere æble træ vær værre lære læge været hjælp kærlighed næsten særlig tilfælde måske selvfølgelig søn ' +
    'søndag lørdag smør brød kød død grøn køb sø høj hør gøre føre kører følge følelse første én allé Århus Ålborg Østersøen Ærø',
  nb:
    'Det er viktig å huske at alle har rett til å si hva de mener. Neste uke åpner et nytt bibliotek i byen vår, og der kan leserne ' +
    'også låne bøker på nettet. Barna gikk til skolen om morgenen og kom hjem på ettermiddagen. Hun begynte å le da hun så hva som ' +
    'hadde skjedd. og i det er på til som en å for av at med har ikke de den om et fra men var han jeg så seg vi kan hun også eller ' +
    'etter ved da når år blir ble skal nå dette få over mot må selv mange under noe noen mye mer alle hvor være går før sier både ' +
    'måtte får står slik slår gå gjøre språk språket spørsmål forslag Norge norske måte måned årene årlig område større største ' +
    'første fører fødselen følge følger øke ønsker øvrig høy høyere gjør kjøre kjører møte bør dør sør sjø vær væter lære lærer ' +
    'nær nærmere særlig hjelp trær både Ålesund Østlandet Ærlig Tromsø idé én',
  fi:
    'Näyttelyssä esitellään myös uusia töitä, joita yleisö ei ole vielä nähnyt. Työntekijät lähtivät kesäkuussa pitkälle matkalle ' +
    'pohjoiseen. Hän sanoi, että tämä päätös on väärä ja että se täytyy tehdä uudelleen. Kävijöitä pyydetään jättämään takit ' +
    'eteiseen. ja on ei se että hän oli mutta ovat kun mitä niin kuin myös tai jos vain sen joka nyt sitten olla ole tämä mukaan ' +
    'kanssa jälkeen ennen vielä jo enää hyvä hyvin päivä päivänä yö työ työtä äiti isä tyttö pöytä käsi käyttää käytössä käy ' +
    'näkyä näin tällä täällä siellä mitään ymmärtää kysymys äänestää vähän enemmän ympäri välillä lähes lähellä eräs pää päällä ' +
    'jäädä jäsen järjestelmä määrä määräys säännös pitää sähkö lämpö syödä löytää köyhä höyry työllisyys yhtiö yhteisö hallitus ' +
    'Suomessa maailman vuonna prosenttia Venäjä Jyväskylä Ääni Öljy Åbo sitä häntä meitä teitä heitä',
  is:
    'Við fórum út á land til að skoða fossinn sem allir töluðu um. Það er kalt í veðri en sólin skín á jökulinn. Börnin þurfa að ' +
    'læra íslensku í skólanum og síðan ensku. Þú átt að skrifa nafn þitt hér að neðan. Hún sagði að þetta væri ekki rétt. og að í ' +
    'á það er sem til við var um með ekki en af fyrir hann eru þá hafa því hún frá svo þegar verið þeir einnig eða þar sér hefur ' +
    'hafði eftir yfir upp út nú mjög þessi þess þeim þó ef vera ár ári ársins Ísland íslenska Reykjavík maður mönnum fólk börn ' +
    'móðir faðir bróðir dóttir góður gæti sæti bæði æðri öll önnur fjölda höfðu töluvert þörf þýðir þýskaland þjóð þing næst ýmsir ' +
    'nýr sýna tíma líka síðan lífið ríki ráð mál má ná dáið húsið úr búið ól gróður stór þrír éta féll ég Ýmir Ómar Ægir Örn',
  ca:
    'La setmana vinent s’obrirà una nova biblioteca a la nostra ciutat, on els lectors també podran fer servir ordinadors. Els nens ' +
    'van anar a l’escola al matí i van tornar a la tarda. Tothom té dret a la vida, a la llibertat i a la seguretat de la persona. ' +
    'de la i el a que en els un per una les amb del no és al es més com són o si ha va ser dels aquest aquesta fins també perquè ' +
    'però així això després molt anys país Catalunya català població àmbit àrea història política pública número última ràdio ' +
    'música ciència consciència creació informació organització nació segons raó força plaça començar Barça qüestió llengües ' +
    'col·lecció intel·ligent paral·lel avui què qui cap sense entre sobre quan dret què à é è í ï ó ò ú ü ç a persoa ningunha ' +
    'direito educación social liberdade todo toda unha coa súa só máis tamén así será está estará ningún según porque ata',
};
